//! Templates whose own `networkPolicy` blocks all connections of their sandboxes.

use super::custom_policy::{fetching_text, policy_span};
use super::{Subject, items};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules, message};
use crate::kube::Direction;
use crate::tree::{Entry, Node};

declare_rules! {
    EGRESS_DNS_ONLY = "egress-dns-only", Note, follows = [Structure];
    NETWORK_POLICY_WITHOUT_EGRESS = "network-policy-without-egress", Note, follows = [Misplaced];
}

/// The ports of DNS: of its clients, over TLS, and of the DNS Pods of `OpenShift`.
const DNS_PORTS: [i64; 3] = [53, 853, 5353];
/// The names of these ports in the Pods of cluster DNS.
const DNS_PORT_NAMES: [&str; 3] = ["dns", "dns-tcp", "dns-udp"];
/// The labels of the Pods of cluster DNS.
const DNS_LABELS: [(&str, &str); 2] =
    [("k8s-app", "kube-dns"), ("dns.operator.openshift.io/daemonset-dns", "default")];

/// Checks the egress of a policy that has rules. `egress: []` states that there is none.
pub(super) fn check(subject: &Subject<'_, '_, '_, '_>, entry: &Entry, sink: &mut Sink) {
    if subject.is_widened(Direction::Egress) {
        return;
    }
    let egress = entry.value.entry("egress").filter(|entry| !entry.value.is_null());
    let finding = match egress {
        None => no_egress_finding(subject, entry),
        Some(egress) if is_dns_only(egress.value.items()) => dns_only_finding(subject, egress),
        Some(_) => return,
    };
    // An author can intend sandboxes without connections, but not a download that fails.
    let text = subject.pod.containers().find_map(|container| fetching_text(&container));
    sink.report(match text {
        Some(text) => {
            let mut finding = finding.label(text.span(), "downloads something, which fails");
            finding.severity = Severity::Warning;
            finding
        }
        None => finding,
    });
}

fn no_egress_finding(subject: &Subject<'_, '_, '_, '_>, entry: &Entry) -> Diagnostic {
    let message = message!("sandboxes of {} cannot open connections", subject.name());
    Diagnostic::new(&NETWORK_POLICY_WITHOUT_EGRESS, policy_span(entry), message)
        .at("has no `egress`, so it denies all")
        .path(&"spec.networkPolicy")
        .note("it replaces the default policy: DNS and the internet are blocked")
        .help("add `egress` rules, or `egress: []` if this is intended")
}

fn dns_only_finding(subject: &Subject<'_, '_, '_, '_>, egress: &Entry) -> Diagnostic {
    let message = message!("sandboxes of {} can only connect to DNS", subject.name());
    Diagnostic::new(&EGRESS_DNS_ONLY, egress.key_origin().span(), message)
        .at("allows only DNS")
        .path(&"spec.networkPolicy.egress")
        .note("names resolve, but all other connections time out")
        .help(
            "add a rule for other destinations, such as `- to: [{ipBlock: {cidr: 10.20.0.0/16}}]`, or \
             write `egress: []` to deny all egress",
        )
}

/// Whether rules allow nothing but DNS.
fn is_dns_only(rules: &[Node]) -> bool {
    let is_dns = |rule: &Node| {
        let (ports, peers) = (items(rule, "ports"), items(rule, Direction::Egress.peers()));
        !ports.is_empty() && ports.iter().all(is_dns_port)
            || !peers.is_empty() && peers.iter().all(is_dns_peer)
    };
    !rules.is_empty() && rules.iter().all(is_dns)
}

fn is_dns_port(port: &Node) -> bool {
    let Some(number) = port.get("port") else { return false };
    let last = port.get("endPort").and_then(Node::as_i64);
    let is_one = last.is_none() || last == number.as_i64();
    is_one
        && (number.as_i64().is_some_and(|number| DNS_PORTS.contains(&number))
            || number.as_str().is_some_and(|name| DNS_PORT_NAMES.contains(&name)))
}

fn is_dns_peer(peer: &Node) -> bool {
    DNS_LABELS
        .iter()
        .any(|(key, value)| peer.str_at(&["podSelector", "matchLabels", key]) == Some(value))
}
