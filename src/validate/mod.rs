//! Rules for the objects of a run, whatever system they belong to.

mod duplicates;
mod made;
mod mounts;
mod object_references;
pub(crate) mod objects;
mod pod_references;
pub(crate) mod pod_security;
mod references;
mod rules;
mod selection;

use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use crate::schema::KubernetesVersion;
pub(crate) use rules::RULES as KIND_RULES;
pub(crate) use rules::custom_resource_definition::RULES as DEFINITION_RULES;
pub(crate) use rules::pod::RULES as POD_RULES;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[
    duplicates::RULES,
    mounts::RULES,
    object_references::RULES,
    objects::RULES,
    objects::expressions::RULES,
    pod_security::RULES,
    references::RULES,
    selection::RULES,
];

/// Checks all objects of a run.
pub(crate) fn check(set: &ObjectSet<'_>, kubernetes: KubernetesVersion, sink: &mut Sink) {
    duplicates::check(set, sink);
    mounts::check(set, sink);
    references::check(set, sink);
    object_references::check(set, sink);
    selection::check(set, sink);
    rules::check(set, kubernetes, sink);
}
