//! Templates with their own `networkPolicy`, to which the controller adds no rules.

use super::egress;
use super::reach::{RouterPeer, admits_dns, router_peer};
use super::router::RouterPlace;
use super::{Subject, items};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::kube::{Container, Direction};
use crate::scalar::Cidr;
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    NETWORK_POLICY_WITHOUT_DNS = "network-policy-without-dns", Warning;
    NETWORK_POLICY_WITHOUT_ROUTER = "network-policy-without-router", Warning;
    ROUTER_PEER_WITHOUT_NAMESPACE = "router-peer-without-namespace", Warning;
    EGRESS_IPV4_ONLY = "egress-ipv4-only", Warning, follows = [Structure];
    NETWORK_POLICY_EMPTY = "network-policy-empty", Warning, follows = [Misplaced];
    NETWORK_POLICY_PROTOCOL_UNSET = "network-policy-protocol-unset", Note;
}

/// Commands that download something.
const FETCHES: &[&str] = &[
    "://",
    "git clone",
    "git@",
    "curl ",
    "wget ",
    "pip install",
    "pip3 install",
    "npm install",
    "npm ci",
    "apt-get ",
    "apk add",
    "go mod download",
    "cargo fetch",
    "huggingface-cli download",
];

/// Checks a template with its own `networkPolicy`.
pub(super) fn check(subject: &Subject<'_, '_, '_, '_>, entry: &Entry, sink: &mut Sink) {
    let policy = &entry.value;
    check_protocols(policy, sink);
    if Direction::ALL.iter().all(|direction| items(policy, direction.field()).is_empty()) {
        check_empty(subject, entry, sink);
        return;
    }
    check_families(policy, sink);
    if !subject.is_on_host() {
        egress::check(subject, entry, sink);
        check_dns(subject, policy, sink);
        check_router(subject, entry, sink);
    }
}

/// The span of a policy: its key, or its first field if the author did not write the key.
pub(super) fn policy_span(entry: &Entry) -> Span {
    let first = entry.value.entries().first();
    let written = first.filter(|_| entry.key_origin().layer().is_some()).unwrap_or(entry);
    written.key_origin().span()
}

fn check_empty(subject: &Subject<'_, '_, '_, '_>, entry: &Entry, sink: &mut Sink) {
    let is_widened = Direction::ALL.iter().any(|direction| subject.is_widened(*direction));
    if is_widened {
        return;
    }
    let message = message!("sandboxes of {} have no network access", subject.name());
    let mut finding = Diagnostic::new(&NETWORK_POLICY_EMPTY, policy_span(entry), message)
        .at("has no rule, so it allows nothing")
        .path(&"spec.networkPolicy")
        .note("it replaces the default policy: no DNS, no internet and no router")
        .help(message!(
            "remove `{}` for the default policy, or add rules; to deny only egress, add an `ingress` rule for the router",
            subject.field("networkPolicy")
        ));
    let mut containers = subject.pod.containers();
    if let Some(text) = containers.find_map(|container| fetching_text(&container)) {
        finding = finding.label(text.span(), "downloads something, which fails");
    }
    sink.report(finding);
}

/// The part of a container's command that downloads something.
pub(super) fn fetching_text<'o>(container: &Container<'o>) -> Option<&'o Node> {
    let words = items(container.node, "command").iter().chain(items(container.node, "args"));
    let mut words = words.filter(|word| {
        word.as_str().is_some_and(|text| FETCHES.iter().any(|fetch| text.contains(fetch)))
    });
    words.next()
}

fn check_dns(subject: &Subject<'_, '_, '_, '_>, policy: &Node, sink: &mut Sink) {
    let Some(egress) = policy.entry("egress").filter(|entry| !entry.value.items().is_empty())
    else {
        // Without any egress, resolving names is useless.
        return;
    };
    let dns_policy = subject.pod.spec.get("dnsPolicy");
    let asks_cluster = matches!(
        dns_policy.and_then(Node::as_str),
        None | Some("" | "ClusterFirst" | "ClusterFirstWithHostNet")
    );
    if !asks_cluster || subject.has_open_dns() || admits_dns(policy) {
        return;
    }
    let message = message!("sandboxes of {} cannot resolve names", subject.name());
    let mut finding =
        Diagnostic::new(&NETWORK_POLICY_WITHOUT_DNS, egress.key_origin().span(), message)
            .at("no rule allows DNS")
            .path(&"spec.networkPolicy.egress")
            .note(message!(
                "with a `{}` the controller sets no DNS servers",
                subject.field("networkPolicy")
            ))
            .help(message!(
                "add `- ports: [{{port: 53, protocol: UDP}}, {{port: 53, protocol: TCP}}]`, or set \
                 `{}: None` with servers that the rules allow",
                subject.field("dnsPolicy")
            ));
    if let Some(node) = dns_policy {
        finding = finding.label(node.span(), "uses the cluster DNS");
    }
    sink.report(finding);
}

fn check_router(subject: &Subject<'_, '_, '_, '_>, entry: &Entry, sink: &mut Sink) {
    let namespace = subject.template.object.namespace.as_str();
    let rules = items(&entry.value, Direction::Ingress.field());
    let router = RouterPlace::of_line(subject.network.fleet.settings.line);
    let mut is_admitted = false;
    let mut is_reported = false;
    for rule in rules {
        let peers = items(rule, Direction::Ingress.peers());
        is_admitted |= peers.is_empty();
        for peer in peers {
            match router_peer(peer, namespace, router.namespaces) {
                RouterPeer::OwnNamespace if !subject.network.has_router(namespace) => {
                    is_reported = true;
                    check_peer(peer, router, sink);
                }
                RouterPeer::Admitted | RouterPeer::OwnNamespace => is_admitted = true,
                RouterPeer::Other => {}
            }
        }
    }
    let Some((container, ports)) = subject.ports() else { return };
    if is_admitted || is_reported || subject.is_widened(Direction::Ingress) {
        return;
    }
    let ingress = entry.value.entry("ingress");
    let at = ingress.map_or_else(|| policy_span(entry), |ingress| ingress.key_origin().span());
    let message = message!("router cannot connect to sandboxes of {}", subject.name());
    let finding = Diagnostic::new(&NETWORK_POLICY_WITHOUT_ROUTER, at, message)
        .at("no ingress rule allows the router")
        .label(
            ports.key_origin().span(),
            message!("container `{}` listens here", container.shown_name()),
        )
        .path(&"spec.networkPolicy")
        .note("clients reach sandboxes through it; this policy replaces the default one")
        .help(router.add_rule);
    sink.report(finding);
}

fn check_peer(peer: &Node, router: &RouterPlace, sink: &mut Sink) {
    let Some(selector) = peer.entry("podSelector") else { return };
    let finding = Diagnostic::new(
        &ROUTER_PEER_WITHOUT_NAMESPACE,
        selector.key_origin().span(),
        "peer selects routers in the sandbox's namespace, where none runs",
    )
    .at("selects only the sandbox's namespace")
    .path(&"spec.networkPolicy.ingress")
    .note(router.location)
    .help(router.complete_peer);
    sink.report(finding);
}

fn check_families(policy: &Node, sink: &mut Sink) {
    let rules = items(policy, Direction::Egress.field());
    let peers = || rules.iter().flat_map(|rule| items(rule, Direction::Egress.peers()));
    let blocks = || {
        peers().filter_map(|peer| {
            let node = peer.at(&["ipBlock", "cidr"])?;
            Some((node, Cidr::parse(node.as_str()?)?))
        })
    };
    let is_for_both = rules.iter().any(|rule| items(rule, Direction::Egress.peers()).is_empty())
        || blocks().any(|(_, cidr)| !cidr.is_ipv4());
    let everything = blocks().find(|(_, cidr)| cidr.is_ipv4() && cidr.is_everything());
    let Some((node, _)) = everything.filter(|_| !is_for_both) else { return };
    let finding = Diagnostic::new(
        &EGRESS_IPV4_ONLY,
        node.span(),
        "egress allows all IPv4 addresses but no IPv6 address",
    )
    .at("IPv4 only")
    .path(&"spec.networkPolicy.egress")
    .note("in a dual-stack cluster programs try IPv6 first and wait until it times out")
    .help("add a peer `{ipBlock: {cidr: \"::/0\", except: [\"fc00::/7\", \"fe80::/10\"]}}`");
    sink.report(finding);
}

fn check_protocols(policy: &Node, sink: &mut Sink) {
    let rules = Direction::ALL.iter().flat_map(|direction| items(policy, direction.field()));
    let ports = rules.flat_map(|rule| items(rule, "ports"));
    let mut unset = ports.filter(|port| port.get("protocol").is_none());
    let Some(first) = unset.next() else { return };
    let others = unset.count();
    let more = match others {
        0 => String::new(),
        1 => ", and another one below".to_owned(),
        _ => format!(", and {others} others below"),
    };
    let finding = Diagnostic::new(
        &NETWORK_POLICY_PROTOCOL_UNSET,
        first.span(),
        "port in `networkPolicy` has no `protocol`",
    )
    .at(message!("TCP by default{more}"))
    .note(
        "the API server sets it, so the controller sees a difference and updates the policy on every reconcile",
    )
    .help("add `protocol: TCP`");
    sink.report(finding);
}
