//! The rules of NetworkPolicies, in policies and in templates of them.

use super::Object;
use crate::tree::Node;

/// The direction of traffic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the selected Pods.
    Ingress,
    /// From the selected Pods.
    Egress,
}

impl Direction {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::Ingress, Self::Egress];

    /// The field with the rules.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Ingress => "ingress",
            Self::Egress => "egress",
        }
    }

    /// The field of a rule with the peers.
    pub const fn peers(self) -> &'static str {
        match self {
            Self::Ingress => "from",
            Self::Egress => "to",
        }
    }

    /// The value in `policyTypes`.
    pub const fn policy_type(self) -> &'static str {
        match self {
            Self::Ingress => "Ingress",
            Self::Egress => "Egress",
        }
    }
}

/// The rules of a NetworkPolicy in an object.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRules<'o> {
    /// The node with `ingress` and `egress`.
    pub node: &'o Node,
}

impl<'o> PolicyRules<'o> {
    /// The rules that `object` carries, if it can and they take effect.
    pub fn of(object: &'o Object) -> Option<Self> {
        let is_policy = object.gvk.is("networking.k8s.io", "NetworkPolicy");
        let of_system = || {
            let facts = object.gvk.facts()?;
            facts.network_rules.filter(|_| (facts.uses_network_rules)(object))
        };
        let fields: &[_] = if is_policy { &["spec"] } else { of_system()? };
        Some(Self { node: object.root.at(fields)? })
    }
}

/// Whether a NetworkPolicy applies to this direction: as `policyTypes` lists or, if that is absent,
/// always to ingress, and to egress if it has egress rules.
pub fn policy_governs(spec: &Node, direction: Direction) -> bool {
    match (spec.get("policyTypes"), direction) {
        (Some(types), _) if !types.items().is_empty() => {
            types.items().iter().any(|listed| listed.as_str() == Some(direction.policy_type()))
        }
        (_, Direction::Ingress) => true,
        (_, Direction::Egress) => spec.get("egress").is_some_and(|rules| !rules.items().is_empty()),
    }
}

/// The first rule for this direction that allows everything: without peers and ports, or with all addresses of
/// IPv4 as a peer.
pub fn open_rule(spec: &Node, direction: Direction) -> Option<&Node> {
    let is_everywhere = |peer: &Node| {
        peer.str_at(&["ipBlock", "cidr"]) == Some("0.0.0.0/0")
            && peer.at(&["ipBlock", "except"]).is_none_or(|except| except.items().is_empty())
    };
    let is_open = |rule: &&Node| {
        let list = |field: &str| rule.items_at(&[field]);
        let peers = list(direction.peers());
        rule.as_map().is_some()
            && list("ports").is_empty()
            && (peers.is_empty() || peers.iter().any(is_everywhere))
    };
    let rules = spec.get(direction.field()).filter(|_| policy_governs(spec, direction));
    rules.map_or(&[][..], Node::items).iter().find(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    #[test]
    fn a_rule_without_peers_and_ports_is_open() {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        for (rule, is_open) in [
            (serde_json::json!({}), true),
            (serde_json::json!({"to": []}), true),
            (serde_json::json!({"ports": [{"port": 53}]}), false),
            (serde_json::json!({"to": [{"podSelector": {}}]}), false),
            (serde_json::json!({"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}), true),
            (
                serde_json::json!({"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}}]}),
                false,
            ),
        ] {
            let spec = serde_json::json!({"egress": [rule]});
            let spec = Node::from_json(spec, Origin::source(span));
            assert_eq!(open_rule(&spec, Direction::Egress).is_some(), is_open);
            assert!(open_rule(&spec, Direction::Ingress).is_none());
        }
    }

    #[test]
    fn policy_types_default_to_ingress_and_directions_with_rules() {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        let governs = |spec: serde_json::Value| {
            let spec = Node::from_json(spec, Origin::source(span));
            Direction::ALL.map(|direction| policy_governs(&spec, direction))
        };
        assert_eq!(governs(serde_json::json!({})), [true, false]);
        assert_eq!(governs(serde_json::json!({"egress": []})), [true, false]);
        assert_eq!(governs(serde_json::json!({"egress": [{}]})), [true, true]);
        assert_eq!(governs(serde_json::json!({"policyTypes": ["Egress"]})), [false, true]);
    }
}
