//! What the API server checks in code, beyond what its schema says. One file per family.

pub(super) mod autoscaler;
pub(super) mod network_policy;
pub(in crate::validate) mod pod;
