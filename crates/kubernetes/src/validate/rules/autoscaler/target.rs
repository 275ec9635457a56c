//! The target of a metric.

use super::METRIC_TARGET_INVALID;
use crate::diag::Diagnostic;
use crate::tree::{Node, Path};
use crate::validate::rules::amounts::amount;
use crate::validate::rules::judging::{Absence, Judging, start};
use crate::validate::rules::of_object::ObjectJudge;

/// The fields that can set the target of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ways {
    /// `averageUtilization` or `averageValue`.
    Utilization,
    /// `averageValue`.
    Average,
    /// `value` or `averageValue`.
    OneValue,
    /// `value`, `averageValue`, or both.
    AnyValue,
}

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, source: &Node, ways: Ways, path: &Path<'_>) {
    let Some(target) = source.get("target") else { return };
    let path = path.field("target");
    if judge.needed(target, "type", Absence::BySchema, &path).is_some() {
        judge.listed(target, "type", &["Utilization", "Value", "AverageValue"], &path);
    }
    for field in ["value", "averageValue"] {
        positive(judge, target, field, &path);
    }
    judge.ranged(target, "averageUtilization", 1..=i64::MAX, &path);
    given(judge, target, ways, &path);
}

/// Checks that the target has one of its allowed fields.
fn given(judge: &mut ObjectJudge<'_, '_>, target: &Node, ways: Ways, path: &Path<'_>) {
    let rule = &METRIC_TARGET_INVALID;
    let fields: &[&'static str] = match ways {
        Ways::Utilization => &["averageUtilization", "averageValue"],
        Ways::Average => &["averageValue"],
        Ways::OneValue | Ways::AnyValue => &["value", "averageValue"],
    };
    let names: Vec<_> = fields.iter().map(|it| format!("`{it}`")).collect();
    let mut there = fields.iter().filter_map(|it| target.entry(it));
    let (first, second) = (there.next(), there.next());
    match (first, second) {
        (None, _) => {
            let names = names.join(" or ");
            let message = format!("metric target has no {names}");
            let finding = Diagnostic::new(rule, start(target), message)
                .at(format!("requires {names}"))
                .help(format!("add {names}"));
            judge.report(judge.missing(finding, target, fields), path);
        }
        (Some(first), Some(second)) if ways != Ways::AnyValue => {
            let message = format!("metric target has both `{}` and `{}`", first.key, second.key);
            let text = (message, "the second target", "keep one of them");
            judge.fault(rule, second.key_origin.span(), text, &path.field(&second.key));
        }
        _ => {}
    }
}

fn positive(judge: &mut ObjectJudge<'_, '_>, target: &Node, field: &'static str, path: &Path<'_>) {
    let Some(node) = target.get(field) else { return };
    if amount(node).is_some_and(|it| it <= 0) {
        let message = format!("`{field}` of a metric is not above 0");
        let text = (message, "must be above 0", "write a quantity such as `500m`");
        judge.fault(&METRIC_TARGET_INVALID, node.span(), text, &path.field(field));
    }
}
