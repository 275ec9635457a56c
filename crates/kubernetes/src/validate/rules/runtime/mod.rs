//! Faults that the API server accepts but the kubelet, the container runtime or the scheduler later
//! fails at.

mod amounts;
mod bytes;
mod identity;
mod image;
mod mounts;
mod selection;
mod variables;

use super::judge::Judge;
use crate::diag::{Diagnostic, declare_rules};
use crate::kube::PodSpec;
use crate::tree::{Node, Value};

declare_rules! {
    BYTES_WITHOUT_UNIT = "bytes-without-unit", Warning;
    CPU_WITHOUT_UNIT = "cpu-without-unit", Warning;
    DEVICE_RESOURCE_MISSPELLED = "device-resource-misspelled", Warning;
    ENV_REFERENCE_TOO_EARLY = "env-reference-too-early", Warning;
    FS_GROUP_UNSET = "fs-group-unset", Warning;
    IMAGE_REFERENCE_INVALID = "image-reference-invalid", Warning;
    MEMORY_VOLUME_ABOVE_LIMIT = "memory-volume-above-limit", Warning;
    MOUNT_HIDDEN = "mount-hidden", Warning;
    NODE_SELECTOR_VALUE_NOT_INTEGER = "node-selector-value-not-integer", Warning;
    RUN_AS_NON_ROOT_CONFLICT = "run-as-non-root-conflict", Warning;
    RUN_AS_USER_UNSET = "run-as-user-unset", Warning;
    WORKING_DIRECTORY_RELATIVE = "working-directory-relative", Warning;
}

/// Checks an object of any kind.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    if object.gvk.is("", "PersistentVolumeClaim") {
        bytes::check_claim(judge, &object.root);
    }
    if let Some(pod) = judge.pod {
        check_pod(judge, &pod);
    }
}

fn check_pod(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    amounts::check(judge, pod);
    bytes::check(judge, pod);
    mounts::check(judge, pod);
    variables::check(judge, pod);
    identity::check(judge, pod);
    image::check(judge, pod);
    selection::check(judge, pod);
}

/// A whole number, or a string of digits: an amount without a unit.
fn plain_number(node: &Node) -> Option<i64> {
    match &node.value {
        Value::Int(number) => Some(*number),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Reports a finding about a value of the input.
fn warn(judge: &mut Judge<'_>, node: &Node, finding: Diagnostic) {
    // A rule of a system about the same value is more specific.
    judge.report(finding.same_mistake_as(node.span()), node);
}
