//! The rules of agent-sandbox: objects that the controllers would reject, change or handle
//! unexpectedly.
//!
//! They check compiled objects and manifests alike. One file per family.

mod adoption;
mod blueprint;
pub(in crate::dialect::agent_sandbox) mod claim_metadata;
mod claim_volumes;
mod collisions;
mod env;
mod fleet;
mod holders;
pub(in crate::dialect::agent_sandbox) mod lifecycle;
mod limits;
mod metadata;
mod named;
mod network;
mod pools;
mod references;
mod runtime_class;
mod scaling;
mod selection;
mod selectors;
mod taken;
mod terms;
mod volume_claims;
mod wording;

use super::effective;
use super::{Settings, template};
use crate::diag::{Rule, Sink};
use crate::kube::ObjectSet;
use crate::parallel::both;
use crate::scalar::KubernetesVersion;
use fleet::Fleet;

/// The rules of all families.
pub(crate) static RULES: &[&[&Rule]] = &[
    adoption::RULES,
    claim_metadata::RULES,
    claim_volumes::RULES,
    collisions::RULES,
    effective::CLAIM_RULES,
    env::RULES,
    lifecycle::RULES,
    limits::RULES,
    metadata::RULES,
    network::COVERAGE_RULES,
    network::CUSTOM_POLICY_RULES,
    network::DEFAULT_POLICY_RULES,
    network::EGRESS_RULES,
    pools::RULES,
    references::RULES,
    runtime_class::RULES,
    scaling::RULES,
    selectors::RULES,
    taken::RULES,
    volume_claims::RULES,
    template::RULES,
];

/// Runs all families. Those of each half share a collector of findings, which can hold the maximum
/// number of findings of a run: one for each family would take too much memory.
pub(crate) fn check(
    set: &ObjectSet<'_>,
    settings: &Settings,
    target: KubernetesVersion,
    sink: &mut Sink,
) {
    let fleet = Fleet::new(set, settings);
    let mut others = sink.part();
    let first_half = || {
        adoption::check(&fleet, sink);
        claim_metadata::check(&fleet, sink);
        claim_volumes::check(&fleet, sink);
        collisions::check(&fleet, sink);
        env::check(&fleet, sink);
        lifecycle::check(&fleet, sink);
        limits::check(&fleet, target, sink);
        metadata::check(&fleet, sink);
    };
    let second_half = || {
        network::check(&fleet, &mut others);
        pools::check(&fleet, &mut others);
        references::check(&fleet, &mut others);
        runtime_class::check(&fleet, &mut others);
        scaling::check(&fleet, &mut others);
        selectors::check(&fleet, &mut others);
        taken::check(&fleet, &mut others);
        volume_claims::check(&fleet, &mut others);
    };
    both(set.all().len(), first_half, second_half);
    sink.absorb(others);
}
