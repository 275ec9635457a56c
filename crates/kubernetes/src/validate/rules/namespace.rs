//! `Namespace`, after `ValidateNamespace` of Kubernetes' `pkg/apis/core/validation`. Its Pod
//! Security labels are checked in `pod_security`.

use super::judging::items;
use super::metadata::check_finalizer;
use super::of_object::ObjectJudge;
use crate::tree::Path;

/// Checks one namespace: the finalizers in `spec`, in addition to those of every object.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let root = Path::root();
    let spec = root.field("spec");
    let path = spec.field("finalizers");
    let finalizers = object.root.get("spec").map_or(&[][..], |it| items(it, "finalizers"));
    for (index, finalizer) in finalizers.iter().enumerate() {
        check_finalizer(judge, finalizer, true, &path.index(index));
    }
}
