//! The static rules of agent-sandbox: what the controllers would refuse, drop or do unexpectedly.
//!
//! They run on compiled objects, whoever wrote them. One file per family.

mod blueprint;
mod env;
mod fleet;
mod holders;
mod references;

use super::Settings;
use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use fleet::Fleet;

/// The rules of all families.
pub(crate) static RULES: &[&[&Rule]] = &[env::RULES, references::RULES];

/// Runs all families.
pub(crate) fn check(set: &ObjectSet<'_>, settings: &Settings, sink: &mut Sink) {
    let fleet = Fleet::new(set, settings);
    env::check(&fleet, sink);
    references::check(&fleet, sink);
}
