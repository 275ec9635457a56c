//! The verdict of the API server on an update: an object that is applied over a stored one.
//!
//! The update is a server-side apply by the manager that has applied the stored object: fields that
//! the new object lacks are removed and get their defaults; what only the server sets stays. The rules
//! follow `Validate*Update` in Kubernetes' `pkg/apis` and the strategies in its `pkg/registry`.

mod changes;
mod data;
mod immutable;
mod jobs;
mod judge;
#[cfg(test)]
mod tests;
mod workloads;

use crate::crd::CustomKinds;
use crate::diag::{Rule, Severity};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::schema::KubernetesVersion;
use judge::{Forms, Update};
pub use judge::{Refusal, Remedy};

/// A change of a field that cannot change.
pub static FIELD_IMMUTABLE: Rule = Rule::new("field-immutable", Severity::Error);

/// A change that is not allowed, though other changes of the field are.
pub static UPDATE_NOT_ALLOWED: Rule = Rule::new("update-not-allowed", Severity::Error);

/// Checks the update of one kind.
type Check = fn(&mut Update<'_>);

/// The checks of kinds some of whose fields can change in some ways.
static CHECKS: &[(&str, &str, Check)] = &[
    ("", "ConfigMap", data::check_config_map),
    ("", "Secret", data::check_secret),
    ("apps", "StatefulSet", workloads::check_stateful_set),
    ("batch", "Job", jobs::check),
];

/// The context that updates are judged in.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'c> {
    /// The version of the API server.
    pub target: KubernetesVersion,
    /// The known custom resources before and after the update.
    pub custom: [&'c CustomKinds<'c>; 2],
    /// The fuel of the run.
    pub fuel: &'c Fuel<'c>,
}

/// The changes that the API server rejects in an update of `old` to `new`, in addition to what it finds
/// in `new` alone. Both objects have the same group, version, kind, name and namespace.
///
/// The spans are those of `new`.
#[must_use]
pub fn judge_update(cx: Cx<'_>, old: &Object, new: &Object) -> Vec<Refusal> {
    let forms = Forms::of(cx, old, new);
    let mut update = Update::new(cx, &forms, (old, new));
    immutable::check(&mut update);
    for (group, kind, check) in CHECKS {
        if new.gvk.is(group, kind) {
            check(&mut update);
        }
    }
    update.refusals
}
