//! Faults that the API server accepts but the kubelet, the container runtime or the scheduler later
//! fails at.

mod bytes;
mod identity;
mod image;
mod selection;

use super::judging::Judging;
use super::of_object::ObjectJudge;
use crate::diag::{Diagnostic, declare_rules};
use crate::kube::PodSpec;
use crate::tree::{Node, Path};

declare_rules! {
    BYTES_WITHOUT_UNIT = "bytes-without-unit", Warning;
    FS_GROUP_UNSET = "fs-group-unset", Warning;
    IMAGE_REFERENCE_INVALID = "image-reference-invalid", Warning;
    NODE_SELECTOR_VALUE_NOT_INTEGER = "node-selector-value-not-integer", Warning;
    RUN_AS_NON_ROOT_CONFLICT = "run-as-non-root-conflict", Warning;
    RUN_AS_USER_UNSET = "run-as-user-unset", Warning;
}

/// Checks an object of any kind.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    if object.gvk.is("", "PersistentVolumeClaim") {
        let root = Path::root();
        bytes::check_claim(judge, &object.root, &root);
    }
    if let Some(pod) = PodSpec::of(object) {
        check_pod(judge, &pod);
    }
}

fn check_pod(judge: &mut ObjectJudge<'_, '_>, pod: &PodSpec<'_>) {
    let root = Path::root();
    let path = root.field(pod.path());
    bytes::check(judge, pod, &path);
    identity::check(judge, pod, &path);
    image::check(judge, pod, &path);
    selection::check(judge, pod, &path);
}

/// Reports a finding about a value of the input.
fn warn(judge: &mut ObjectJudge<'_, '_>, node: &Node, finding: Diagnostic, path: &Path<'_>) {
    // A rule of a system about the same value is more specific.
    judge.report(finding.same_mistake_as(node.span()), path);
}
