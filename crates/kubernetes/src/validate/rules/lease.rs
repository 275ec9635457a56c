//! `Lease`, after `ValidateLeaseSpec` of Kubernetes' `pkg/apis/coordination/validation`. The server
//! drops `strategy` and `preferredHolder` (`CoordinatedLeaderElection` is off).

use super::judging::Judging;
use super::of_object::ObjectJudge;
use crate::tree::Path;

/// Checks one lease.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    judge.ranged(spec, "leaseDurationSeconds", 1..=i64::MAX, &path);
    judge.ranged(spec, "leaseTransitions", 0..=i64::MAX, &path);
}
