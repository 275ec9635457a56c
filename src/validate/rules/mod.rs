//! The rules that the API server checks in code, beyond what its schema says. One file per family.

mod network_policy;

use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use crate::schema::KubernetesVersion;

/// The rules of all families.
pub(crate) static RULES: &[&[&Rule]] = &[network_policy::RULES];

/// Runs all families.
pub(crate) fn check(set: &ObjectSet<'_>, kubernetes: KubernetesVersion, sink: &mut Sink) {
    network_policy::check(set, kubernetes, sink);
}
