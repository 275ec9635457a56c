//! The NetworkPolicy of a template.

use super::as_sent::as_sent;
use super::{EXTENSIONS_VERSION, Stored, object_head, owner_references};
use crate::dialect::agent_sandbox::names::{
    INSTALL_NAMESPACE, SANDBOX_TEMPLATE, TEMPLATE_REF_HASH, network_policy_name,
};
use crate::lower::Effects;
use crate::scalar::name_hash;
use crate::tree::{Node, Origin};

const PRIVATE: [&str; 4] = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];
const PRIVATE_V6: [&str; 2] = ["fc00::/7", "fe80::/10"];

/// Adds the policy of a template, unless the template has `networkPolicyManagement: Unmanaged`.
pub(super) fn create(template: &Stored<'_>, effects: &mut Effects<'_>) {
    let spec = template.root.get("spec");
    let management = spec.and_then(|it| it.str_at(&["networkPolicyManagement"]));
    if !matches!(management, None | Some("" | "Managed")) {
        return;
    }
    let origin = template.managed();
    let name = network_policy_name(template.name());
    let (mut root, mut own) =
        object_head("networking.k8s.io/v1", "NetworkPolicy", &name, &template.root, origin);
    if effects.has_owners() {
        let owner = owner_references(EXTENSIONS_VERSION, SANDBOX_TEMPLATE, template.name(), origin);
        own.set("ownerReferences", owner);
    }
    root.set("metadata", own);
    let text = |text: &str| Node::string(text, origin);
    let mut policy = Node::map(origin);
    let labels = [(TEMPLATE_REF_HASH, name_hash(template.name()))];
    policy.set("podSelector", label_selector(&labels, origin));
    policy.set("policyTypes", Node::list(["Ingress", "Egress"].map(text), origin));
    if let Some(rules) = spec.and_then(|it| it.get("networkPolicy")) {
        let mut rules = rules.clone();
        as_sent("NetworkPolicySpec", &mut rules);
        for field in ["ingress", "egress"] {
            policy.set_some(field, rules.get(field).cloned());
        }
    } else {
        policy.set("ingress", Node::list([router_rule(origin)], origin));
        let blocks = [
            ip_block_peer("0.0.0.0/0", &PRIVATE, origin),
            ip_block_peer("::/0", &PRIVATE_V6, origin),
        ];
        let mut rule = Node::map(origin);
        rule.set("to", Node::list(blocks, origin));
        policy.set("egress", Node::list([rule], origin));
    }
    root.set("spec", policy);
    effects.emit(template.object, "networking.k8s.io/v1", "NetworkPolicy", root);
}

fn label_selector(labels: &[(&str, String)], origin: Origin) -> Node {
    let mut map = Node::map(origin);
    for (key, value) in labels {
        map.set(*key, Node::string(value.as_str(), origin));
    }
    let mut selector = Node::map(origin);
    selector.set("matchLabels", map);
    selector
}

/// The rule that allows traffic from the router.
fn router_rule(origin: Origin) -> Node {
    let namespace = [("kubernetes.io/metadata.name", INSTALL_NAMESPACE.to_owned())];
    let pods = [("app", "sandbox-router".to_owned())];
    let mut peer = Node::map(origin);
    peer.set("namespaceSelector", label_selector(&namespace, origin));
    peer.set("podSelector", label_selector(&pods, origin));
    let mut rule = Node::map(origin);
    rule.set("from", Node::list([peer], origin));
    rule
}

fn ip_block_peer(cidr: &'static str, except: &[&'static str], origin: Origin) -> Node {
    let except = except.iter().map(|except| Node::string(*except, origin));
    let mut block = Node::map(origin);
    block.set("cidr", Node::string(cidr, origin));
    block.set("except", Node::list(except, origin));
    let mut peer = Node::map(origin);
    peer.set("ipBlock", block);
    peer
}
