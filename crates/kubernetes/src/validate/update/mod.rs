//! The verdict of the API server on an update: an object that is applied over a stored one.
//!
//! The update is a server-side apply by the manager that has applied the stored object: fields that
//! the new object lacks are removed and get their defaults; what only the server sets stays. The rules
//! follow `Validate*Update` in Kubernetes' `pkg/apis` and the strategies in its `pkg/registry`.

mod changes;
mod cluster;
mod custom;
mod data;
mod immutable;
mod jobs;
mod judge;
mod merged;
mod pod_admission;
mod pods;
mod service_type;
mod services;
mod storage;
#[cfg(test)]
mod tests;
mod workloads;

use crate::crd::CustomKinds;
use crate::diag::declare_rules;
use crate::kube::Object;
use crate::limits::Fuel;
use crate::schema::KubernetesVersion;
use judge::Update;
pub use judge::{Forms, Refusal, Remedy};
pub use merged::{LARGEST_MERGED, judge_merged, refusal_of, settle, stored_form, typed};

declare_rules! {
    FIELD_IMMUTABLE = "field-immutable", Error;
    UPDATE_NOT_ALLOWED = "update-not-allowed", Error;
}

/// Checks the update of one kind.
type Check = fn(&mut Update<'_>);

/// The checks of kinds some of whose fields can change in some ways.
static CHECKS: &[(&str, &str, Check)] = &[
    ("", "ConfigMap", data::check_config_map),
    ("", "Node", cluster::check_node),
    ("", "PersistentVolume", storage::check_volume),
    ("", "Pod", pods::check),
    ("", "ResourceQuota", cluster::check_quota),
    ("", "Secret", data::check_secret),
    ("", "Service", services::check),
    ("apiextensions.k8s.io", "CustomResourceDefinition", cluster::check_definition),
    ("apps", "StatefulSet", workloads::check_stateful_set),
    ("batch", "Job", jobs::check),
    ("networking.k8s.io", "ServiceCIDR", cluster::check_service_range),
    ("storage.k8s.io", "CSINode", storage::check_csi_node),
];

/// The context that updates are judged in.
#[derive(Clone, Copy, Debug)]
pub struct UpdateContext<'c> {
    /// The version of the API server.
    pub target: KubernetesVersion,
    /// The known custom resources before and after the update.
    pub custom: [&'c CustomKinds<'c>; 2],
    /// Each known StorageClass, which decides whether claims grow.
    pub classes: &'c [&'c Object],
    /// The fuel of the run.
    pub fuel: &'c Fuel<'c>,
}

/// The changes that the API server rejects in an update of `old` to `new`, in addition to what it finds
/// in `new` alone. Both objects have the same group, version, kind, name and namespace.
///
/// The spans are those of `new`.
#[must_use]
pub fn judge_update(cx: UpdateContext<'_>, old: &Object, new: &Object) -> Vec<Refusal> {
    judge_forms(cx, &Forms::of(cx, old, new), old, new)
}

/// As [`judge_update`], with the stored forms of the objects.
#[must_use]
pub fn judge_forms(
    cx: UpdateContext<'_>,
    forms: &Forms,
    old: &Object,
    new: &Object,
) -> Vec<Refusal> {
    let mut update = Update::new(cx, forms, old, new);
    immutable::check(&mut update);
    for (group, kind, check) in CHECKS {
        if new.gvk.is(group, kind) {
            check(&mut update);
        }
    }
    if new.gvk.is("", "PersistentVolumeClaim") {
        storage::check_claim(&mut update, cx.classes);
    }
    custom::check(cx, &mut update);
    update.refusals
}
