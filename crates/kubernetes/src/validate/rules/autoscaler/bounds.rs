//! The minimum and maximum replicas of an autoscaler.

use super::{AUTOSCALER_MIN_ZERO, AUTOSCALER_RANGE_EMPTY};
use crate::diag::{Diagnostic, message};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, items};

/// The first minor version with `HPAScaleToZero` on by default.
const SCALE_TO_ZERO_MINOR: u8 = 37;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    check_minimum_zero(judge, spec);
    let number = |field: &str| spec.get(field).and_then(Node::as_i64);
    let (min, max) = (number("minReplicas"), number("maxReplicas"));
    // 0 is checked by another rule.
    if min != Some(0) {
        judge.ranged(spec, "minReplicas", 1..=i64::MAX);
    }
    judge.ranged(spec, "maxReplicas", 1..=i64::MAX);
    if let (Some(min), Some(max)) = (min, max)
        && max >= 1
        && max < min
        && let (Some(low), Some(high)) = (spec.get("minReplicas"), spec.get("maxReplicas"))
    {
        let message = message!("{} has at least {min} and at most {max} replicas", {
            judge.object.describe()
        });
        let finding = Diagnostic::new(&AUTOSCALER_RANGE_EMPTY, high.span(), message)
            .at("below `minReplicas`")
            .label(low.span(), "the minimum")
            .help("set `maxReplicas` to the larger number");
        judge.report(finding, (spec, "maxReplicas"));
    }
}

fn check_minimum_zero(judge: &mut Judge<'_>, spec: &Node) {
    let Some(minimum) = spec.get("minReplicas").filter(|minimum| minimum.as_i64() == Some(0))
    else {
        return;
    };
    let is_from_outside =
        |metric: &Node| matches!(metric.str_at(&["type"]), Some("Object" | "External"));
    let (note, help) = if judge.minor < SCALE_TO_ZERO_MINOR {
        (
            "the API server rejects it before Kubernetes 1.37, unless its feature gate `HPAScaleToZero` is enabled",
            "write `minReplicas: 1`, or scale to zero with a KEDA ScaledObject",
        )
    } else if !items(spec, "metrics").iter().any(is_from_outside) {
        (
            "without Pods their load cannot be measured: the API server requires a metric of type `Object` or `External`",
            "add such a metric, or write `minReplicas: 1`",
        )
    } else {
        return;
    };
    let message = message!("{} cannot scale to zero", judge.object.describe());
    let finding = Diagnostic::new(&AUTOSCALER_MIN_ZERO, minimum.span(), message)
        .at("must be at least 1")
        .note(note)
        .help(help);
    judge.report(finding, (spec, "minReplicas"));
}
