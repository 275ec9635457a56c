//! `HorizontalPodAutoscaler`, after `ValidateHorizontalPodAutoscaler` of Kubernetes'
//! `pkg/apis/autoscaling/validation`.

mod pages;

use super::judging::Judging;
use super::of_object::ObjectJudge;
use crate::diag::Diagnostic;
use crate::tree::{Node, Path};
use pages::AUTOSCALER_MIN_ZERO;
pub(in crate::validate) use pages::RULES;

/// The first minor version with `HPAScaleToZero` on by default.
const SCALE_TO_ZERO_MINOR: u8 = 37;

/// Checks one autoscaler.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    check_minimum(judge);
}

fn check_minimum(judge: &mut ObjectJudge<'_, '_>) {
    let autoscaler = judge.object;
    let Some(minimum) = autoscaler.root.at(&["spec", "minReplicas"]) else { return };
    if minimum.as_i64() != Some(0) {
        return;
    }
    let metrics = autoscaler.root.at(&["spec", "metrics"]).map_or(&[][..], Node::items);
    let is_from_outside =
        |metric: &Node| matches!(metric.str_at(&["type"]), Some("Object" | "External"));
    let (note, help) = if judge.minor < SCALE_TO_ZERO_MINOR {
        (
            "the API server refuses it before Kubernetes 1.37, unless its feature gate \
             `HPAScaleToZero` is turned on",
            "write `minReplicas: 1`, or scale to zero with a KEDA ScaledObject",
        )
    } else if !metrics.iter().any(is_from_outside) {
        (
            "with no Pods left nothing measures their load: the API server asks for a metric of \
             type `Object` or `External`",
            "add such a metric, or write `minReplicas: 1`",
        )
    } else {
        return;
    };
    let message = format!("{} cannot scale to zero", autoscaler.describe());
    let finding = Diagnostic::new(&AUTOSCALER_MIN_ZERO, minimum.span(), message)
        .at("must be at least 1")
        .note(note)
        .help(help);
    let root = Path::root();
    judge.report(finding, &root.field("spec").field("minReplicas"));
}
