//! The cluster IPs of a Service and their IP families (`ValidateServiceClusterIPsRelatedFields`,
//! `initIPFamilyFields` of the registry).

use super::{CLUSTER_IP_INVALID, NO_ADDRESS, View, refuse_field};
use crate::diag::{Diagnostic, message};
use crate::scalar::shown;
use crate::tree::Node;
use crate::validate::rules::addresses::{Written, check_address};
use crate::validate::rules::judge::{Absence, Judge, filled, items, labelled, text_of, texts};
use crate::validate::rules::repeated::repeated;
use core::net::IpAddr;

pub(super) fn check(judge: &mut Judge<'_>, view: &View<'_>) {
    if view.has_type("ExternalName") {
        check_no_addresses(judge, view);
        return;
    }
    let first = filled(view.spec, "clusterIP");
    let all = items(view.spec, "clusterIPs");
    check_in_step(judge, view.spec, first, all);
    let families = items(view.spec, "ipFamilies");
    check_families(judge, families);
    judge.needed(view.spec, "ipFamilyPolicy", Absence::BySchema);
    check_headless(judge, view);
    let addresses: Vec<_> = match first {
        Some(first) if all.is_empty() => vec![first],
        _ => all.iter().collect(),
    };
    check_addresses(judge, &addresses, families);
    check_families_of_stack(judge, view, addresses.len(), families);
}

/// Checks a Service of type `ExternalName`, which is a DNS alias without an address.
fn check_no_addresses(judge: &mut Judge<'_>, view: &View<'_>) {
    for field in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
        let Some(entry) = view.spec.entry(field) else { continue };
        let is_unset = match field {
            "clusterIP" => entry.value.as_str() == Some(""),
            "ipFamilyPolicy" => false,
            _ => entry.value.items().is_empty(),
        };
        if is_unset {
            continue;
        }
        let reason = "is not allowed for type `ExternalName`, which has no address".into();
        let help = message!("remove `{field}`");
        refuse_field(judge, field, entry, (reason, help));
    }
}

/// Checks that `clusterIP` is the first item of `clusterIPs`.
fn check_in_step(judge: &mut Judge<'_>, spec: &Node, first: Option<&Node>, all: &[Node]) {
    let Some(head) = all.first() else { return };
    let (message, help) = match first {
        None => ("`clusterIPs` is set without `clusterIP`", "set `clusterIP` to the first address"),
        Some(first) if first.as_str() != head.as_str() => (
            "first item of `clusterIPs` differs from `clusterIP`",
            "write the same address in both, or remove `clusterIPs`",
        ),
        Some(_) => return,
    };
    judge.refuse(&CLUSTER_IP_INVALID, (head.span(), (spec, "clusterIPs")), (message, help));
}

fn check_families(judge: &mut Judge<'_>, families: &[Node]) {
    for family in families {
        if family.as_str() == Some("") {
            let text = (
                "empty item in `ipFamilies`",
                labelled("must be `IPv4` or `IPv6`", "write `IPv4` or `IPv6`"),
            );
            judge.refuse(&CLUSTER_IP_INVALID, family, text);
        }
    }
    repeated(texts(families), |family, node, _| {
        let text = (
            message!("duplicate IP family `{family}`"),
            labelled("duplicate", "list each family once"),
        );
        judge.refuse(&CLUSTER_IP_INVALID, node, text);
    });
}

fn check_headless(judge: &mut Judge<'_>, view: &View<'_>) {
    if !view.is_headless || !(view.has_type("NodePort") || view.has_type("LoadBalancer")) {
        return;
    }
    let node = view.spec.get("clusterIP").or_else(|| view.spec.get("clusterIPs"));
    let Some(node) = node else { return };
    let reason = message!("is `None`, but type `{}` requires an address", view.kind);
    let help = "remove `clusterIP`, or remove `type`".into();
    refuse_field(judge, "clusterIP", (node.span(), (view.spec, "clusterIP")), (reason, help));
}

fn check_addresses(judge: &mut Judge<'_>, addresses: &[&Node], families: &[Node]) {
    let mut parsed = Vec::new();
    for (index, node) in addresses.iter().copied().enumerate() {
        let Some(text) = node.as_str() else { return };
        if text != NO_ADDRESS && text.eq_ignore_ascii_case(NO_ADDRESS) {
            let help = message!("write `{NO_ADDRESS}`");
            let message = message!("`{}` is not an IP address", shown(text));
            judge.refuse(&CLUSTER_IP_INVALID, node, (message, help));
            return;
        }
        if index == 0 && text == NO_ADDRESS {
            if let Some(second) = addresses.get(1) {
                let text = ("`clusterIPs` has an address after `None`", "keep only `None`");
                judge.refuse(&CLUSTER_IP_INVALID, *second, text);
            }
            return;
        }
        let written = Written { node, text, minor: judge.minor };
        let Some(address) = check_address(judge, written) else { return };
        parsed.push((node, address));
    }
    let (short, long): (Vec<_>, Vec<_>) = parsed.iter().partition(|(_, address)| address.is_ipv4());
    let of_one_family = [short, long].into_iter().find_map(|addresses| addresses.get(1).copied());
    if let Some(&(node, _)) = of_one_family {
        let text =
            ("Service has two addresses of one IP family", "keep one IPv4 and one IPv6 address");
        judge.refuse(&CLUSTER_IP_INVALID, node, text);
    }
    for ((index, &(node, address)), family) in parsed.iter().enumerate().zip(families) {
        let is_other = matches!(
            (family.as_str(), address),
            (Some("IPv4"), IpAddr::V6(_)) | (Some("IPv6"), IpAddr::V4(_))
        );
        if is_other {
            let family = text_of(family);
            let message = message!("`{address}` is not an {family} address");
            let finding = Diagnostic::new(&CLUSTER_IP_INVALID, node.span(), message)
                .at(message!("`ipFamilies[{index}]` is `{family}`"))
                .help("list the addresses in the order of `ipFamilies`");
            judge.report(finding, node);
        }
    }
}

/// Checks that two addresses have a dual-stack Service. Only a headless Service without a selector
/// is dual-stack by default.
fn check_families_of_stack(
    judge: &mut Judge<'_>,
    view: &View<'_>,
    addresses: usize,
    families: &[Node],
) {
    let has_selector =
        view.spec.get("selector").is_some_and(|selector| !selector.entries().is_empty());
    let policy = view.spec.get("ipFamilyPolicy");
    let is_single = match policy.and_then(Node::as_str) {
        Some(policy) => policy == "SingleStack",
        None => !view.is_headless || has_selector,
    };
    if !is_single || (addresses != 2 && families.len() != 2) {
        return;
    }
    let field = if families.len() == 2 { "ipFamilies" } else { "clusterIPs" };
    let at = policy.or_else(|| view.spec.get(field)).map_or(view.spec.span(), Node::span);
    let text = (
        message!("`{field}` has two IP families, but the Service is single-stack"),
        "write `ipFamilyPolicy: PreferDualStack` or `RequireDualStack`",
    );
    judge.refuse(&CLUSTER_IP_INVALID, (at, (view.spec, "ipFamilyPolicy")), text);
}
