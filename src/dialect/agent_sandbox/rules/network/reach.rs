//! The traffic that the rules of a policy allow, as far as the input shows.

use core::net::{IpAddr, Ipv4Addr};

use super::items;
use crate::dialect::agent_sandbox::names::INSTALL_NAMESPACE;
use crate::kube::{Direction, LabelState, Object, ObjectSet, PodSpec, Selects, pod_specs, selects};
use crate::scalar::Cidr;
use crate::tree::Node;

/// The label of namespaces with their name.
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";
/// The value of the label `app` of the router.
pub(super) const ROUTER: &str = "sandbox-router";
/// The namespaces of cluster DNS.
const DNS_NAMESPACES: &[&str] = &["kube-system", "openshift-dns"];
/// The port of DNS.
const DNS_PORT: i64 = 53;

/// CIDR blocks that the controller's default policy denies: private and link-local.
const BLOCKED: [&str; 6] =
    ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"];

/// Whether the controller's default policy blocks an address.
pub(super) fn is_blocked(address: IpAddr) -> bool {
    BLOCKED.iter().filter_map(|text| Cidr::parse(text)).any(|it| it.contains_address(address))
}

/// Whether a policy's egress rules may allow DNS queries. Any rule for port 53 counts, whatever its
/// destination.
pub(super) fn admits_dns(policy: &Node) -> bool {
    items(policy, Direction::Egress.field()).iter().any(|rule| {
        let ports = items(rule, "ports");
        let names_dns = ports.iter().any(is_dns_port);
        let peers = items(rule, Direction::Egress.peers());
        names_dns || (ports.is_empty() && (peers.is_empty() || peers.iter().any(may_hold_dns)))
    })
}

/// Whether a port of a rule is 53, or all ports, over UDP.
fn is_dns_port(port: &Node) -> bool {
    let last = port.get("endPort").and_then(Node::as_i64);
    port.str_at(&["protocol"]) == Some("UDP")
        && match port.get("port").and_then(Node::as_i64) {
            None => true,
            Some(first) => (first..=last.unwrap_or(first)).contains(&DNS_PORT),
        }
}

/// Whether a peer may include cluster DNS.
fn may_hold_dns(peer: &Node) -> bool {
    if let Some(block) = peer.get("ipBlock") {
        return may_reach_private(block);
    }
    let Some(namespaces) = peer.get("namespaceSelector") else { return false };
    DNS_NAMESPACES.iter().any(|name| may_select(namespaces, NAMESPACE_NAME, name))
}

/// Whether a selector may select something of which only the value of one label is known.
fn may_select(selector: &Node, label: &str, value: &str) -> bool {
    let state =
        |key: &str| if key == label { LabelState::Value(value) } else { LabelState::Unknown };
    selects(selector, state) != Selects::No
}

/// Whether a block includes a private address.
fn may_reach_private(block: &Node) -> bool {
    let Some(cidr) = block.str_at(&["cidr"]).and_then(Cidr::parse) else { return true };
    let excepted: Vec<_> =
        items(block, "except").iter().filter_map(|range| Cidr::parse(range.as_str()?)).collect();
    BLOCKED.iter().filter_map(|text| Cidr::parse(text)).any(|private| {
        cidr.overlaps(private) && !excepted.iter().any(|except| except.contains(private))
    })
}

/// The relation of an ingress peer to the router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RouterPeer {
    /// The peer may include the router.
    Admitted,
    /// The peer selects Pods like the router in the sandbox's own namespace.
    OwnNamespace,
    /// The peer selects other Pods.
    Other,
}

/// Whether an ingress peer of a policy in `namespace` admits the router, which runs in one of `homes`.
pub(super) fn router_peer(peer: &Node, namespace: &str, homes: &[&str]) -> RouterPeer {
    if peer.get("ipBlock").is_some() {
        return RouterPeer::Admitted;
    }
    let names_router = peer.get("podSelector").is_some_and(names_router);
    let is_router = |selector: &Node| may_select(selector, "app", ROUTER);
    let Some(namespaces) = peer.get("namespaceSelector") else {
        return match (homes.contains(&namespace), names_router) {
            (true, _) => RouterPeer::Admitted,
            (false, true) => RouterPeer::OwnNamespace,
            (false, false) => RouterPeer::Other,
        };
    };
    let is_install = homes.iter().any(|home| may_select(namespaces, NAMESPACE_NAME, home));
    // Some installations run the router in another namespace or with another label.
    if names_router || (is_install && peer.get("podSelector").is_none_or(is_router)) {
        RouterPeer::Admitted
    } else {
        RouterPeer::Other
    }
}

/// Whether a pod selector has a value with `router` in it.
fn names_router(selector: &Node) -> bool {
    let is_router = |value: &Node| value.as_str().is_some_and(|it| it.contains("router"));
    let labels = selector.get("matchLabels").map_or(&[][..], Node::entries);
    let expressions = items(selector, "matchExpressions");
    labels.iter().any(|entry| is_router(&entry.value))
        || expressions.iter().any(|expression| items(expression, "values").iter().any(is_router))
}

/// A workload of the input that runs the router.
pub(super) struct Router<'o> {
    pub(super) object: &'o Object,
    /// Whether its Pods have the label that the default policy requires.
    pub(super) has_label: bool,
}

impl Router<'_> {
    /// Whether the default policy allows it. An unset namespace may be the right one.
    pub(super) fn is_admitted(&self) -> bool {
        self.has_label && matches!(self.object.namespace.as_str(), "" | INSTALL_NAMESPACE)
    }
}

/// The workloads whose Pods are routers.
pub(super) fn find_routers<'o>(set: &ObjectSet<'o>) -> Vec<Router<'o>> {
    let workloads = pod_specs(set).filter(|pod| {
        matches!(pod.object.gvk.kind.as_str(), "Deployment" | "DaemonSet" | "StatefulSet" | "Pod")
    });
    workloads.filter_map(|pod| as_router(&pod)).collect()
}

fn as_router<'o>(pod: &PodSpec<'o>) -> Option<Router<'o>> {
    let label = |key: &str| {
        let labels = pod.template.at(&["metadata", "labels"])?;
        labels.get(key)?.as_str()
    };
    let has_label = label("app") == Some(ROUTER);
    let is_router = has_label || label("app.kubernetes.io/name") == Some(ROUTER);
    is_router.then_some(Router { object: pod.object, has_label })
}

/// An address in a string that the default policy blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BlockedAddress<'t> {
    /// The address as written.
    pub(super) text: &'t str,
    /// A description of the address.
    pub(super) what: &'static str,
}

/// The first address in a command or a variable that is inside the cluster, or that of the cloud's
/// metadata server.
pub(super) fn blocked_address<'t>(
    text: &'t str,
    is_service: &dyn Fn(&str) -> bool,
) -> Option<BlockedAddress<'t>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at_checked(start)?;
        let behind = from.trim_start_matches(is_word);
        let (word, _) = from.split_at_checked(from.len() - behind.len())?;
        let is_host = before.ends_with("://") || before.ends_with('@');
        if let Some(what) = describe_blocked(word, is_host, behind, is_service) {
            return Some(BlockedAddress { text: word, what });
        }
        rest = behind;
    }
    None
}

fn describe_blocked(
    word: &str,
    is_host: bool,
    behind: &str,
    is_service: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    // A CIDR block or a domain suffix (`NO_PROXY=10.0.0.0/8,.svc`) is not a destination.
    let is_block = behind
        .strip_prefix('/')
        .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()) && !is_host);
    if word.starts_with('.') || is_block {
        return None;
    }
    let host = word.trim_end_matches('.').to_ascii_lowercase();
    if host == "169.254.169.254" || host == "metadata.google.internal" {
        Some("the cloud's metadata server")
    } else if host == "169.254.20.10" {
        Some("the node's DNS cache")
    } else if host == "kubernetes.default" || host.starts_with("kubernetes.default.") {
        Some("the API server")
    } else if host.rsplit_once('.').is_some_and(|(_, last)| last == "svc")
        || host.ends_with(".cluster.local")
    {
        Some("a Service of the cluster")
    } else if host.parse::<Ipv4Addr>().is_ok_and(|address| is_blocked(IpAddr::V4(address))) {
        Some("a private address")
    } else if is_host && is_service(&host) {
        Some("a Service of the input")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;
    use serde_json::json;

    fn node(value: serde_json::Value) -> Node {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        Node::from_json(value, Origin::source(span))
    }

    #[test]
    fn finds_addresses_that_are_inside() {
        let found = |text| blocked_address(text, &|host| host == "redis").map(|it| it.text);
        assert_eq!(found("postgres://u:p@db.team-a.svc:5432/x"), Some("db.team-a.svc"));
        assert_eq!(found("http://api.b.svc.cluster.local/v1"), Some("api.b.svc.cluster.local"));
        assert_eq!(found("--server=https://kubernetes.default"), Some("kubernetes.default"));
        assert_eq!(found("curl 169.254.169.254/latest"), Some("169.254.169.254"));
        assert_eq!(found("http://10.1.2.3/8"), Some("10.1.2.3"));
        assert_eq!(found("172.31.0.1:80"), Some("172.31.0.1"));
        assert_eq!(found("redis://redis:6379"), Some("redis"));
        assert_eq!(found("https://pypi.org then http://192.168.1.9"), Some("192.168.1.9"));
    }

    #[test]
    fn leaves_addresses_that_are_outside() {
        let found = |text| blocked_address(text, &|host| host == "redis").map(|it| it.text);
        for text in [
            "",
            "https://example.com",
            "https://1.1.1.1",
            "100.64.0.1",
            "127.0.0.1:8080",
            "0.0.0.0",
            "localhost,.svc,.cluster.local,10.0.0.0/8",
            "172.32.0.1",
            "10.1.2",
            "redis",
            "v10.1.2.3",
            "http://other:80",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn dns_needs_port_53_or_access_to_the_cluster() {
        let admits = |rule: serde_json::Value| admits_dns(&node(json!({"egress": [rule]})));
        assert!(admits(json!({})));
        assert!(admits(json!({"ports": [{"port": 53, "protocol": "UDP"}]})));
        assert!(admits(json!({"ports": [{"port": 1, "endPort": 99, "protocol": "UDP"}]})));
        assert!(admits(json!({"to": [{"namespaceSelector": {}}]})));
        let dns = json!({"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}});
        assert!(admits(json!({"to": [{"namespaceSelector": dns}]})));
        assert!(admits(json!({"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]})));
        assert!(admits(json!({"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]})));

        assert!(!admits(json!({"ports": [{"port": 53}]})));
        assert!(!admits(json!({"ports": [{"port": 443, "protocol": "TCP"}]})));
        let other = json!({"matchLabels": {"kubernetes.io/metadata.name": "team-b"}});
        assert!(!admits(json!({"to": [{"namespaceSelector": other}]})));
        assert!(!admits(json!({"to": [{"podSelector": {}}]})));
        assert!(!admits(json!({"to": [{"ipBlock": {"cidr": "93.184.0.0/16"}}]})));
        let public = json!({"cidr": "0.0.0.0/0",
            "except": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]});
        assert!(!admits(json!({"to": [{"ipBlock": public}]})));
    }

    #[test]
    fn the_router_is_a_pod_in_another_namespace() {
        let peer = |value| router_peer(&node(value), "team-a", &[INSTALL_NAMESPACE]);
        let install =
            json!({"matchLabels": {"kubernetes.io/metadata.name": "agent-sandbox-system"}});
        let router = json!({"matchLabels": {"app": "sandbox-router"}});
        let both = json!({"namespaceSelector": install, "podSelector": router});
        assert_eq!(peer(both), RouterPeer::Admitted);
        assert_eq!(peer(json!({"namespaceSelector": {}})), RouterPeer::Admitted);
        assert_eq!(peer(json!({"podSelector": router})), RouterPeer::OwnNamespace);
        assert_eq!(
            peer(json!({"podSelector": {"matchLabels": {"app": "web"}}})),
            RouterPeer::Other
        );
        let monitoring = json!({"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}});
        assert_eq!(peer(json!({"namespaceSelector": monitoring})), RouterPeer::Other);
        assert_eq!(
            router_peer(&node(json!({"podSelector": {}})), "default", &["default"]),
            RouterPeer::Admitted
        );
    }
}
