//! `ControllerRevision`, and the annotations that store former fields of controllers.
//!
//! Follows `ValidateControllerRevisionCreate` of Kubernetes' `pkg/apis/apps/validation`, and
//! `pkg/apis/apps/v1/conversion.go`.

use super::judge::{Judge, shown};
use crate::diag::{declare_rules, message};

declare_rules! {
    REVISION_DATA_INVALID = "revision-data-invalid", Error;
    REVISION_ANNOTATION_INVALID = "revision-annotation-invalid", Error;
}

/// Checks one revision.
pub(super) fn check(judge: &mut Judge<'_>) {
    let revision = &judge.object.root;
    judge.ranged(revision, "revision", 0..=i64::MAX);
    if let Some(node) = revision.get("data").filter(|data| data.as_map().is_none()) {
        let message =
            message!("`data` of a ControllerRevision must be a map, not {}", node.describe());
        let text = (message, "must be a map", "write the recorded part of the object");
        judge.fault(&REVISION_DATA_INVALID, (node.span(), (&judge.object.root, "data")), text);
    }
}

/// Checks the annotations that the API server reads as numbers.
pub(super) fn check_annotations(judge: &mut Judge<'_>) {
    let object = judge.object;
    if object.gvk.group != "apps" {
        return;
    }
    let (key, least, takes_empty) = match object.gvk.kind.as_str() {
        "Deployment" => ("deprecated.deployment.rollback.revision", 0, true),
        "DaemonSet" => ("deprecated.daemonset.template.generation", i64::MIN, false),
        _ => return,
    };
    let Some(node) = object.root.at(&["metadata", "annotations"]).and_then(|it| it.get(key)) else {
        return;
    };
    let Some(text) = node.as_str().filter(|text| !(takes_empty && text.is_empty())) else { return };
    if text.parse::<i64>().is_ok_and(|number| number >= least) {
        return;
    }
    let message = message!("invalid value `{}` of annotation `{key}`", shown(text));
    let help = "remove the annotation: no controller reads it";
    let text = (message, "must be a whole number", help);
    judge.fault(&REVISION_ANNOTATION_INVALID, node, text);
}
