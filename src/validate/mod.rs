//! Rules for the objects of a run, whatever system they belong to.

mod made;
mod mounts;
mod pod_references;
mod references;

use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[mounts::RULES, references::RULES];

/// Checks all objects of a run.
pub(crate) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    mounts::check(set, sink);
    references::check(set, sink);
}
