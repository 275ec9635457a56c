//! The static rules of agent-sandbox: what the controllers would refuse, drop or do unexpectedly.
//!
//! They run on compiled objects, whoever wrote them. One file per family.

mod adoption;
mod blueprint;
mod claim_metadata;
mod claim_volumes;
mod collisions;
mod env;
mod fleet;
mod holders;
mod limits;
mod metadata;
mod references;
mod selectors;
mod terms;
mod volume_claims;
mod wording;

use super::Settings;
use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use fleet::Fleet;

/// The rules of all families.
pub(crate) static RULES: &[&[&Rule]] = &[
    adoption::RULES,
    claim_metadata::RULES,
    claim_volumes::RULES,
    collisions::RULES,
    env::RULES,
    limits::RULES,
    metadata::RULES,
    references::RULES,
    selectors::RULES,
    volume_claims::RULES,
];

/// Runs all families.
pub(crate) fn check(set: &ObjectSet<'_>, settings: &Settings, sink: &mut Sink) {
    let fleet = Fleet::new(set, settings);
    adoption::check(&fleet, sink);
    claim_metadata::check(&fleet, sink);
    claim_volumes::check(&fleet, sink);
    collisions::check(&fleet, sink);
    env::check(&fleet, sink);
    limits::check(&fleet, sink);
    metadata::check(&fleet, sink);
    references::check(&fleet, sink);
    selectors::check(&fleet, sink);
    volume_claims::check(&fleet, sink);
}
