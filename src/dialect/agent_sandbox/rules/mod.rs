//! The static rules of agent-sandbox: what the controllers would refuse, drop or do unexpectedly.
//!
//! They run on compiled objects, whoever wrote them. One file per family.

mod fleet;
mod references;

use super::Settings;
use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use fleet::Fleet;

/// The rules of all families.
pub(crate) static RULES: &[&[&Rule]] = &[references::RULES];

/// Runs all families.
pub(crate) fn check(set: &ObjectSet<'_>, settings: &Settings, sink: &mut Sink) {
    let fleet = Fleet::new(set, settings);
    references::check(&fleet, sink);
}
