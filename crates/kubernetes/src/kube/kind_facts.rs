//! `KindFacts`: facts about a system's kind, for the rules that apply to any object.

use super::{MembersOf, Object};
use crate::tree::Node;

/// Facts about a kind that is not built into Kubernetes. A dialect lists the kinds of its system.
#[derive(Debug)]
pub struct KindFacts {
    /// The API group.
    pub group: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The location of its pod template, if its controller creates Pods.
    pub pods: Option<TemplateAt>,
    /// The label that its controller adds to the Pods, with its value for an object.
    pub pod_label: Option<MadeLabel>,
    /// The path of the rules of a NetworkPolicy: the parent of `ingress` and `egress`.
    pub network_rules: Option<&'static [&'static str]>,
    /// Whether its controller makes a NetworkPolicy of those rules.
    pub uses_network_rules: fn(&Object) -> bool,
    /// Whether `spec.volumeClaimTemplates` are claims that its controller makes, and how it names
    /// them.
    pub volume_claims: Option<ClaimNames>,
    /// Whether claims can be added to an object, so that its mounts cannot be checked alone.
    pub may_gain_volumes: fn(&Object) -> bool,
    /// The Pods that its controller keeps for an object.
    pub members: Option<MembersOf>,
    /// Whether its controller creates a Service with the object's name.
    pub has_service: bool,
    /// The fields that refer to other objects in the same namespace.
    pub references: &'static [NamedObjects],
    /// The values that its controller takes for absent fields, with their paths. The API server does not store them.
    pub absent_values: &'static [(&'static [&'static str], &'static str)],
    /// The rank in apply order, below 100; see `emit/order.rs`. `None`: the rank of custom
    /// resources, which workloads may need.
    pub apply_rank: Option<u8>,
}

/// A label of Pods whose value a controller computes.
#[derive(Clone, Copy, Debug)]
pub struct MadeLabel {
    /// The key.
    pub key: &'static str,
    /// The value for the name of the object.
    pub value: fn(&str) -> String,
}

/// A pod template in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemplateAt {
    /// The path of the object with `metadata` and `spec`.
    pub fields: &'static [&'static str],
    /// The path of the PodSpec.
    pub path: &'static str,
}

/// Fields of one or more maps that refer to other objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedObjects {
    /// The paths of the maps that have the fields.
    pub owners: &'static [&'static [&'static str]],
    /// The fields.
    pub fields: &'static [NamedObject],
}

/// A field that names another object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedObject {
    /// The path of the name in its owner; [`EACH`] is the step to the items of a list.
    pub path: &'static [&'static str],
    /// The API group of the object.
    pub group: &'static str,
    /// The kind of the object.
    pub kind: &'static str,
    /// A word for a picture: `template`.
    pub label: &'static str,
}

/// The step of a path from a list to its items.
pub const EACH: &str = "[]";

/// The names of the claims that a controller creates from `volumeClaimTemplates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimNames {
    /// `<entry>-<object>`.
    ByObject,
    /// Unknown until the object is used.
    Unknown,
}

impl KindFacts {
    /// Visits the names of referenced objects in an object of the kind. Names in a map with
    /// `optional: true` are skipped, because no controller waits for those objects.
    pub fn visit_references<'n>(
        &self,
        root: &'n Node,
        visit: &mut dyn FnMut(&'static NamedObject, &'n Node),
    ) {
        for NamedObjects { owners, fields } in self.references {
            for owner in owners.iter().filter_map(|path| root.at(path)) {
                for field in *fields {
                    visit_names(owner, field.path, &mut |name| visit(field, name));
                }
            }
        }
    }

    /// A kind without further facts.
    pub const fn new(group: &'static str, kind: &'static str) -> Self {
        Self {
            group,
            kind,
            pods: None,
            pod_label: None,
            network_rules: None,
            uses_network_rules: |_| true,
            volume_claims: None,
            may_gain_volumes: |_| false,
            members: None,
            has_service: false,
            references: &[],
            absent_values: &[],
            apply_rank: None,
        }
    }
}

fn visit_names<'n>(node: &'n Node, path: &[&str], visit: &mut dyn FnMut(&'n Node)) {
    match path {
        [] => visit(node),
        [EACH, rest @ ..] => node.items().iter().for_each(|item| visit_names(item, rest, visit)),
        [_] if node.is_true("optional") => {}
        [key, rest @ ..] => {
            if let Some(below) = node.get(key) {
                visit_names(below, rest, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    #[test]
    fn names_are_found_in_lists_and_below_several_owners() {
        const FACTS: KindFacts = KindFacts {
            references: &[NamedObjects {
                owners: &[&["spec"], &["spec", "worker"]],
                fields: &[
                    NamedObject { path: &["after", EACH], group: "", kind: "Pod", label: "after" },
                    NamedObject {
                        path: &["volumes", EACH, "secret", "name"],
                        group: "",
                        kind: "Secret",
                        label: "volume",
                    },
                ],
            }],
            ..KindFacts::new("example.com", "Task")
        };
        let span = Span::new(Workspace::new().add("a", ""), 0, 0);
        let root = Node::from_json(
            serde_json::json!({"spec": {
                "after": ["a", "b"],
                "volumes": [{"secret": {"name": "c", "optional": true}}, {"emptyDir": {}}],
                "worker": {"volumes": [{"secret": {"name": "d"}}]},
            }}),
            Origin::source(span),
        );
        let mut found = Vec::new();
        FACTS.visit_references(&root, &mut |field, name| {
            found.push((field.label, name.as_str().unwrap_or_default().to_owned()));
        });
        let expected = [("after", "a"), ("after", "b"), ("volume", "d")];
        assert_eq!(found, expected.map(|(label, name)| (label, name.to_owned())));
    }
}
