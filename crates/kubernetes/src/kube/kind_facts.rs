//! `KindFacts`: facts about a system's kind, for the rules that apply to any object.

use super::{MembersOf, Object, References};

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
    /// The fields that name other objects, outside of its pod template.
    pub references: &'static [References],
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

/// The names of the claims that a controller creates from `volumeClaimTemplates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimNames {
    /// `<entry>-<object>`.
    ByObject,
    /// Unknown until the object is used.
    Unknown,
}

impl KindFacts {
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
