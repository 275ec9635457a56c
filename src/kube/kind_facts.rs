//! `KindFacts`: facts about a system's kind, for the rules that apply to any object.

use super::Object;

/// Facts about a kind that is not built into Kubernetes. A dialect lists the kinds of its system.
#[derive(Debug)]
pub(crate) struct KindFacts {
    /// The API group.
    pub(crate) group: &'static str,
    /// The kind.
    pub(crate) kind: &'static str,
    /// The location of its pod template, if its controller creates Pods.
    pub(crate) pods: Option<TemplateAt>,
    /// The path of the rules of a NetworkPolicy: the parent of `ingress` and `egress`.
    pub(crate) network_rules: Option<&'static [&'static str]>,
    /// Whether its controller makes a NetworkPolicy of those rules.
    pub(crate) uses_network_rules: fn(&Object) -> bool,
    /// Whether `spec.volumeClaimTemplates` are claims that its controller makes, and how it names
    /// them.
    pub(crate) volume_claims: Option<ClaimNames>,
    /// Whether claims can be added to an object, so that its mounts cannot be checked alone.
    pub(crate) may_gain_volumes: fn(&Object) -> bool,
    /// Whether its controller creates a Service with the object's name.
    pub(crate) has_service: bool,
    /// The fields that name another object of the same group and namespace.
    pub(crate) references: &'static [NamedObject],
    /// The rank in apply order, below 100; see `emit/order.rs`. `None`: the rank of custom
    /// resources, which workloads may need.
    pub(crate) apply_rank: Option<u8>,
}

/// A pod template in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TemplateAt {
    /// The path of the object with `metadata` and `spec`.
    pub(crate) fields: &'static [&'static str],
    /// The path of the PodSpec.
    pub(crate) path: &'static str,
}

/// A field that names another object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NamedObject {
    /// The fields that lead to the name.
    pub(crate) field: &'static [&'static str],
    /// The kind of the object.
    pub(crate) kind: &'static str,
    /// A word for a picture: `template`.
    pub(crate) label: &'static str,
}

/// The names of the claims that a controller creates from `volumeClaimTemplates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClaimNames {
    /// `<entry>-<object>`.
    ByObject,
    /// Unknown until the object is used.
    Unknown,
}

impl KindFacts {
    /// A kind without further facts.
    pub(crate) const fn new(group: &'static str, kind: &'static str) -> Self {
        Self {
            group,
            kind,
            pods: None,
            network_rules: None,
            uses_network_rules: |_| true,
            volume_claims: None,
            may_gain_volumes: |_| false,
            has_service: false,
            references: &[],
            apply_rank: None,
        }
    }
}
