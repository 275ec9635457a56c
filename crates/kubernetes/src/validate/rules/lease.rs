//! `Lease`, after `ValidateLeaseSpec` of Kubernetes' `pkg/apis/coordination/validation`. The server
//! drops `strategy` and `preferredHolder` (`CoordinatedLeaderElection` is off).

use super::judge::Judge;

/// Checks one lease.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    judge.ranged(spec, "leaseDurationSeconds", 1..=i64::MAX);
    judge.ranged(spec, "leaseTransitions", 0..=i64::MAX);
}
