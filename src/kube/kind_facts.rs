//! `KindFacts`: what a system reports about one of its kinds, for the rules that apply to any object.

use super::Object;

/// What is known of a kind that is not Kubernetes' own. A dialect lists the kinds of its system.
#[derive(Debug)]
pub(crate) struct KindFacts {
    /// The API group.
    pub(crate) group: &'static str,
    /// The kind.
    pub(crate) kind: &'static str,
    /// Where its pod template is, if its controller makes Pods of the object.
    pub(crate) pods: Option<TemplateAt>,
    /// The fields that lead to rules of a NetworkPolicy: `ingress` and `egress`.
    pub(crate) network_rules: Option<&'static [&'static str]>,
    /// Whether `spec.volumeClaimTemplates` are claims that its controller makes, and how it names
    /// them.
    pub(crate) volume_claims: Option<ClaimNames>,
    /// Whether claims may be added to an object, so that its mounts cannot be judged by themselves.
    pub(crate) may_gain_volumes: fn(&Object) -> bool,
    /// Whether its controller makes a Service of the object's own name.
    pub(crate) has_service: bool,
    /// The rank in apply order, below 100; see `emit/order.rs`. `None`: that of custom resources,
    /// which workloads may need.
    pub(crate) apply_rank: Option<u8>,
}

/// A pod template in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TemplateAt {
    /// The fields that lead to it: what carries `metadata` and `spec`.
    pub(crate) fields: &'static [&'static str],
    /// The path of the PodSpec.
    pub(crate) path: &'static str,
}

/// How a controller names the claims that it makes of `volumeClaimTemplates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClaimNames {
    /// `<entry>-<object>`.
    ByObject,
    /// Not before the object is used, so that no name is known.
    Unknown,
}

impl KindFacts {
    /// A kind of which nothing is known but its name.
    pub(crate) const fn new(group: &'static str, kind: &'static str) -> Self {
        Self {
            group,
            kind,
            pods: None,
            network_rules: None,
            volume_claims: None,
            may_gain_volumes: |_| false,
            has_service: false,
            apply_rank: None,
        }
    }
}
