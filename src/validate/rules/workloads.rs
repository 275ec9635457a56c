//! `Deployment`, `ReplicaSet` and `StatefulSet`: after Kubernetes' `pkg/apis/apps/validation`.

use super::judging::Judging;
use super::of_object::ObjectJudge;
use crate::tree::Path;

/// Checks what the controllers of `apps` have in common.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    for field in ["replicas", "minReadySeconds"] {
        judge.ranged(spec, field, 0..=i64::MAX, &path);
    }
}
