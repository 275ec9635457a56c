//! Parts of objects that the API server of a version stores without validating them.

use crate::diag::{FieldPath, Severity, Sink};
use crate::kube::{Object, PodSpec};
use crate::schema::{ENUM_VALUE_UNKNOWN, FIELD_MISSING, KubernetesVersion};
use crate::tree::Node;

/// The first minor version whose API server validates the Pod template and the claims of a
/// StatefulSet.
const STATEFUL_SET_MINOR: u8 = 34;
/// The first minor version that keeps volumes of type `image` (`ImageVolume`). Earlier ones remove
/// them.
const IMAGE_MINOR: u8 = 35;

/// Turns schema errors into warnings in parts that are not validated. Faults in decoding stay
/// errors.
pub(super) fn soften(object: &Object, kubernetes: KubernetesVersion, findings: &mut Sink) {
    let minor = kubernetes.minor();
    let is_stateful_set = object.gvk.is("apps", "StatefulSet") && minor < STATEFUL_SET_MINOR;
    let images = if minor < IMAGE_MINOR { image_volumes(object) } else { Vec::new() };
    if !is_stateful_set && images.is_empty() {
        return;
    }
    for finding in findings.iter_mut() {
        if ![&ENUM_VALUE_UNKNOWN, &FIELD_MISSING].contains(&finding.rule) {
            continue;
        }
        let Some(path) = &finding.path else { continue };
        let is_restart_policy = path.is(&["spec", "template", "spec", "restartPolicy"]);
        let of_set = path.starts_with(&["spec", "template", "spec"]) && !is_restart_policy
            || path.starts_with(&["spec", "volumeClaimTemplates"]);
        let is_of_image = |volume: &FieldPath| path.steps().starts_with(volume.steps());
        let is_unread = is_stateful_set && of_set || images.iter().any(is_of_image);
        if is_unread {
            finding.severity = Severity::Warning;
            finding.notes.push("the API server of this version does not validate it".to_owned());
        }
    }
}

/// The paths of all volumes with a source `image`.
fn image_volumes(object: &Object) -> Vec<FieldPath> {
    let Some(pod) = PodSpec::of(object) else { return Vec::new() };
    let volumes = pod.spec.get("volumes").map_or(&[][..], Node::items);
    let with_image = volumes.iter().enumerate().filter(|(_, it)| it.get("image").is_some());
    let path = |index| format!("{}.volumes[{index}]", pod.path());
    with_image.map(|(index, _)| FieldPath::from(&path(index))).collect()
}
