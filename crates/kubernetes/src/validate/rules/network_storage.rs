//! Volume sources on the network, of Pods and of persistent volumes: `validateISCSIVolumeSource`
//! and its neighbors in Kubernetes' `pkg/apis/core/validation`.

use std::sync::LazyLock;

use regex::Regex;

use super::judge::{
    Judge, Spot, entries, filled, filled_node, is_empty_list, is_true, items, shown, text_node,
};
use crate::diag::{Message, Rule, message};
use crate::tree::Node;

/// The longest tenant of Quobyte, in bytes.
const LONGEST_TENANT: usize = 64;
/// Domains of driver options that are reserved for Kubernetes.
const RESERVED: [&str; 2] = [".kubernetes.io", ".k8s.io"];

/// Reports the faults of a volume source, as findings of `rule`.
pub(super) fn check(judge: &mut Judge<'_>, rule: &'static Rule, name: &str, source: &Node) {
    let mut refuse = |spot: Spot<'_>, text: (Message, &'static str)| judge.refuse(rule, spot, text);
    match name {
        "azureDisk" => azure_disk(&mut refuse, source),
        "fc" => {
            fibre_channel(&mut refuse, source);
            if !items(source, "targetWWNs").is_empty() {
                judge.ranged(source, "lun", 0..=255);
            }
        }
        "flexVolume" => flex_options(&mut refuse, source),
        "flocker" => check_flocker(&mut refuse, source),
        "iscsi" => {
            check_iscsi(&mut refuse, source);
            judge.ranged(source, "lun", 0..=255);
        }
        "quobyte" => check_quobyte(&mut refuse, source),
        "rbd" | "cephfs" => {
            if let Some(node) = source.get("monitors").filter(|monitors| is_empty_list(monitors)) {
                let text = ("`monitors` is empty".into(), "list the addresses of the monitors");
                refuse(node.into(), text);
            }
        }
        _ => {}
    }
}

/// Checks the path of a source of the kind `nfs`.
pub(super) fn check_exported_path(judge: &mut Judge<'_>, rule: &'static Rule, source: &Node) {
    if let Some((node, path)) = filled_node(source, "path")
        && !path.starts_with('/')
    {
        let text = ("server path does not start with `/`", "write an absolute path: `/exports`");
        judge.refuse(rule, node, text);
    }
}

type Refuse<'r> = &'r mut dyn FnMut(Spot<'_>, (Message, &'static str));

fn azure_disk(refuse: Refuse<'_>, source: &Node) {
    let Some((node, address)) = filled_node(source, "diskURI") else { return };
    let (start, help) = match source.str_at(&["kind"]) {
        Some("Managed") => ("/subscriptions/", "write the resource ID of the disk"),
        // The default kind is `Shared`.
        Some("Shared" | "Dedicated") | None => ("https://", "write the URL of the blob"),
        Some(_) => return,
    };
    if !address.starts_with(start) {
        let text = message!("disk URI `{}` does not start with `{start}`", shown(address));
        refuse(node.into(), (text, help));
    }
}

fn fibre_channel(refuse: Refuse<'_>, source: &Node) {
    let has_names = !items(source, "targetWWNs").is_empty();
    let has_ids = !items(source, "wwids").is_empty();
    let (text, help) = match (has_names, has_ids) {
        (true, true) => ("the source has both `targetWWNs` and `wwids`", "keep one of them"),
        (false, false) => ("the source has neither `targetWWNs` nor `wwids`", "add one of them"),
        (true, false) if source.get("lun").is_none() => {
            ("`targetWWNs` is set without `lun`", "add `lun`, such as `lun: 0`")
        }
        _ => return,
    };
    refuse(source.into(), (text.into(), help));
}

fn flex_options(refuse: Refuse<'_>, source: &Node) {
    for entry in entries(source, "options") {
        let vendor = entry.key.split_once('/').map_or(entry.key.as_str(), |(domain, _)| domain);
        let domain = format!(".{}", vendor.to_lowercase());
        if RESERVED.iter().any(|ending| domain.ends_with(ending)) {
            let text = message!("option `{}` is reserved for Kubernetes", shown(&entry.key));
            refuse(entry.into(), (text, "remove it"));
        }
    }
}

fn check_flocker(refuse: Refuse<'_>, source: &Node) {
    let given = |field: &str| filled(source, field);
    let (name, id) = (given("datasetName"), given("datasetUUID"));
    let text = match (name, id) {
        (None, None) => "the source has neither `datasetName` nor `datasetUUID`",
        (Some(_), Some(_)) => "the source has both `datasetName` and `datasetUUID`",
        _ => "",
    };
    if !text.is_empty() {
        refuse(source.into(), (text.into(), "write one of them"));
    }
    if let Some(node) = name.filter(|node| node.as_str().is_some_and(|it| it.contains('/'))) {
        let text = "the dataset name contains `/`".into();
        refuse(node.into(), (text, "remove the `/`"));
    }
}

fn check_iscsi(refuse: Refuse<'_>, source: &Node) {
    for field in ["iqn", "initiatorName"] {
        let Some((node, name)) = text_node(source, field) else { continue };
        // An empty `iqn` is reported elsewhere.
        if is_qualified(name) || (field == "iqn" && name.is_empty()) {
            continue;
        }
        let text = message!("invalid iSCSI name `{}` in `{field}`", shown(name));
        let help =
            "write it like `iqn.2001-04.com.example:storage`, or start it with `eui.` or `naa.`";
        refuse(node.into(), (text, help));
    }
    let wants_secret = is_true(source, "chapAuthDiscovery") || is_true(source, "chapAuthSession");
    if wants_secret && source.get("secretRef").is_none() {
        let text = "CHAP authentication has no Secret".into();
        let spot = (source.span(), (source, "secretRef"));
        refuse(spot.into(), (text, "add `secretRef: {name: ...}`"));
    }
}

/// The pattern of the API server (`iscsiInitiatorIqnRegex`).
static DATED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"iqn\.[0-9]{4}-[0-9]{2}\.[0-9A-Za-z.-]+:[^,;*&$| \t-\r]+$").ok());

/// `iqn.` with a year, a month, a domain and a name, or `eui` or `naa` with digits.
fn is_qualified(name: &str) -> bool {
    let is_hex = |rest: &str, length: usize| {
        let mut characters = rest.chars();
        characters.next().is_some()
            && characters.as_str().len() == length
            && characters.all(|it| it.is_ascii_alphanumeric())
    };
    if let Some(rest) = name.strip_prefix("eui") {
        return is_hex(rest, 16);
    }
    if let Some(rest) = name.strip_prefix("naa") {
        return is_hex(rest, 32);
    }
    // The server searches for the format anywhere in a string that begins with `iqn`.
    name.starts_with("iqn") && DATED.as_ref().is_none_or(|it| it.is_match(name))
}

fn check_quobyte(refuse: Refuse<'_>, source: &Node) {
    if let Some((node, registry)) = filled_node(source, "registry") {
        let tenant = source.get("tenant");
        let is_long = |node: &&Node| node.as_str().is_some_and(|text| text.len() > LONGEST_TENANT);
        if let Some(tenant) = tenant.filter(is_long) {
            let text = message!("`tenant` is longer than {LONGEST_TENANT} bytes");
            refuse(tenant.into(), (text, "write a shorter one"));
        } else if let Some(part) = registry.split(',').find(|part| !is_host_port(part)) {
            let text = message!("`{}` is not a `host:port` address", shown(part));
            let help = "write `host:port`, with commas between several";
            refuse(node.into(), (text, help));
        }
    }
}

/// Whether Go's `net.SplitHostPort` accepts the string.
fn is_host_port(text: &str) -> bool {
    let (host, has_brackets) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((_, port)) => (port, true),
            None => return false,
        },
        None => (text, false),
    };
    let Some((before, port)) = host.split_once(':') else { return false };
    let is_plain = |part: &str| !part.contains(['[', ']', ':']);
    is_plain(before) && is_plain(port) && (!has_brackets || before.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_iscsi_have_three_forms() {
        for name in [
            "iqn.2001-04.com.example:storage",
            "iqn.2001-04.com.example:storage.kube.sys1.xyz",
            "iqn.iqn.2001-04.com.example:storage:1",
            "eui.0123456789abcdef",
            "naa.62004567ba64678d0123456789abcdef",
        ] {
            assert!(is_qualified(name), "{name}");
        }
        for name in [
            "",
            "abc",
            "iqn.2001-04.com.example",
            "iqn.01-04.com.example:a",
            "iqn.2001-04.:a",
            "iqn.2001-04.com.example:",
            "iqn.2001-04.com.example:a b",
            "eui.0123",
            "naa.0123456789abcdef",
        ] {
            assert!(!is_qualified(name), "{name}");
        }
    }

    #[test]
    fn a_host_has_a_port() {
        for text in ["a:1", "a:", "[::1]:80", ":1"] {
            assert!(is_host_port(text), "{text}");
        }
        for text in ["", "a", "a:1:2", "[::1]", "[::1", "[::1]a:1"] {
            assert!(!is_host_port(text), "{text}");
        }
    }
}
