//! `EndpointSlice`. The server drops `deprecatedTopology`, and does not validate port numbers.

use core::net::IpAddr;

use super::{
    ENDPOINT_ADDRESS_INVALID, ENDPOINT_HINT_INVALID, ENDPOINT_PORT_INVALID,
    ENDPOINT_WITHOUT_ADDRESS, ENDPOINTS_TOO_MANY, check_port_name, check_protocol_of_application,
};
use crate::diag::{Diagnostic, message};
use crate::scalar::{
    canonical_ip_address, check_dns_label, check_dns_subdomain, check_label_value,
};
use crate::tree::Node;
use crate::validate::rules::addresses::{Written, check_address, check_reachable};
use crate::validate::rules::judge::{
    Absence, Judge, Remedy, filled, is_empty_list, items, labelled, shown, text_at, value_or_owner,
};
use crate::validate::rules::names::{NameForm, check_name};
use crate::validate::rules::network_policy::STRICT_CIDR_MINOR;
use crate::validate::rules::repeated::repeated;

/// The maximum number of endpoints of a slice.
const MAX_ENDPOINTS: usize = 1000;
const MAX_ADDRESSES: usize = 100;
const MAX_PORTS: usize = 20_000;
const MAX_HINTS: usize = 8;

/// The first minor version that keeps `forNodes` (`PreferSameTrafficDistribution`).
const NODE_HINTS_MINOR: u8 = 34;

/// Checks one slice.
pub(in crate::validate::rules) fn check(judge: &mut Judge<'_>) {
    let slice = &judge.object.root;
    let family = judge.needed(slice, "addressType", Absence::BySchema);
    check_ports(judge, slice);
    if is_too_long(judge, slice, "endpoints", MAX_ENDPOINTS) {
        return;
    }
    for endpoint in items(slice, "endpoints") {
        check_endpoint(judge, endpoint, family);
    }
}

/// Reports a list with more items than the server accepts.
fn is_too_long(judge: &mut Judge<'_>, owner: &Node, field: &'static str, most: usize) -> bool {
    let Some(entry) = owner.entry(field) else { return false };
    let count = entry.value.items().len();
    if count <= most {
        return false;
    }
    let help = match field {
        "endpoints" | "ports" => Remedy::from("move the rest to another slice"),
        _ => labelled(message!("at most {most}"), message!("keep at most {most}")),
    };
    let text = (message!("`{field}` has {count} items, more than {most}"), help);
    judge.refuse(&ENDPOINTS_TOO_MANY, (entry.key_origin().span(), owner), text);
    true
}

fn check_ports(judge: &mut Judge<'_>, slice: &Node) {
    if is_too_long(judge, slice, "ports", MAX_PORTS) {
        return;
    }
    let all = items(slice, "ports");
    for port in all {
        if let Some(node) = filled(port, "name") {
            check_port_name(judge, node);
        }
        judge.needed(port, "protocol", Absence::BySchema);
        check_protocol_of_application(judge, port);
    }
    // A port without a name has the empty name, which must also be unique.
    let names = all.iter().map(|port| (text_at(port, &["name"]), port));
    repeated(names, |name, port, first| {
        let message = match name {
            "" => "two ports are unnamed".into(),
            name => message!("duplicate port name `{}`", shown(name)),
        };
        let at = |port: &Node| value_or_owner(port, "name").span();
        let finding = Diagnostic::new(&ENDPOINT_PORT_INVALID, at(port), message)
            .at("duplicate name")
            .label(at(first), "first used here")
            .help("give each port a unique name");
        judge.report(finding, (slice, "ports"));
    });
}

fn check_endpoint(judge: &mut Judge<'_>, endpoint: &Node, family: Option<&str>) {
    if let Some(node) = endpoint.get("addresses").filter(|addresses| is_empty_list(addresses)) {
        let text = ("endpoint has no address", "add an address, or remove the endpoint");
        judge.lacks(&ENDPOINT_WITHOUT_ADDRESS, node, text);
    }
    is_too_long(judge, endpoint, "addresses", MAX_ADDRESSES);
    for node in items(endpoint, "addresses") {
        let Some(text) = node.as_str() else { continue };
        match family {
            Some("IPv4" | "IPv6") => {
                check_one_address(judge, node, text, family == Some("IPv4"));
            }
            Some("FQDN") => check_domain_name(judge, node, text),
            _ => {}
        }
    }
    check_name(judge, endpoint.get("nodeName"), NameForm::OBJECT);
    check_name(judge, endpoint.get("hostname"), NameForm::LABEL);
    if let Some(hints) = endpoint.get("hints") {
        check_hints(judge, hints);
    }
}

/// Checks an address of the slice's IP family; IPv6 addresses must be canonical.
fn check_one_address(judge: &mut Judge<'_>, node: &Node, text: &str, is_ipv4: bool) {
    let minor = if is_ipv4 { judge.minor } else { STRICT_CIDR_MINOR };
    let written = Written { node, text, minor };
    let Some(found) = check_address(judge, written) else { return };
    let canonical = canonical_ip_address(text).filter(|_| !is_ipv4);
    if matches!(found, IpAddr::V4(_)) != is_ipv4 {
        let family = if is_ipv4 { "IPv4" } else { "IPv6" };
        let text = (
            message!("`{found}` is not an address of the slice's type {family}"),
            "move it to a slice of its own type, or change `addressType`",
        );
        judge.refuse(&ENDPOINT_ADDRESS_INVALID, node, text);
    } else if let Some(canonical) = canonical {
        let text = (
            message!("address `{}` is not in canonical form", shown(text)),
            message!("write `{canonical}`"),
        );
        judge.refuse(&ENDPOINT_ADDRESS_INVALID, node, text);
    }
    check_reachable(judge, found, node);
}

/// Checks a DNS name of at least two labels.
fn check_domain_name(judge: &mut Judge<'_>, node: &Node, text: &str) {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_domain = check_dns_subdomain(name).is_ok()
        && name.contains('.')
        && name.split('.').all(|label| check_dns_label(label).is_ok());
    if !is_domain {
        let text = (
            message!("`{}` is not a fully qualified host name", shown(text)),
            "add the domain: `db.example.com`",
        );
        judge.refuse(&ENDPOINT_ADDRESS_INVALID, node, text);
    }
}

fn check_hints(judge: &mut Judge<'_>, hints: &Node) {
    let reads_nodes = judge.minor >= NODE_HINTS_MINOR;
    for field in ["forZones", "forNodes"] {
        if field == "forNodes" && !reads_nodes {
            continue;
        }
        if is_too_long(judge, hints, field, MAX_HINTS) {
            return;
        }
        let all = items(hints, field);
        for hint in all {
            let Some(node) = hint.get("name") else { continue };
            if field == "forNodes" {
                check_name(judge, node, NameForm::OBJECT);
            } else {
                let what = (&ENDPOINT_HINT_INVALID, "zone");
                let help = |_: &str| "write the zone exactly as in the node label".into();
                judge.form(node, what, check_label_value, help);
            }
        }
        let names = all.iter().filter_map(|hint| Some((hint.str_at(&["name"])?, hint)));
        repeated(names, |name, hint, _| {
            let text = (
                message!("duplicate hint `{}`", shown(name)),
                labelled("duplicate", "remove one of the two"),
            );
            judge.refuse(&ENDPOINT_HINT_INVALID, (hint.span(), (hints, field)), text);
        });
    }
}
