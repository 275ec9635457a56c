//! The target of a metric.

use super::METRIC_TARGET_INVALID;
use crate::diag::{Diagnostic, message};
use crate::tree::Node;
use crate::validate::rules::amounts::amount;
use crate::validate::rules::judge::{Absence, Judge, start};

/// The fields that can set the target of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TargetFields {
    /// `averageUtilization` or `averageValue`.
    Utilization,
    /// `averageValue`.
    Average,
    /// `value` or `averageValue`.
    OneValue,
    /// `value`, `averageValue`, or both.
    AnyValue,
}

pub(super) fn check(judge: &mut Judge<'_>, source: &Node, allowed: TargetFields) {
    let Some(target) = source.get("target") else { return };
    if judge.needed(target, "type", Absence::BySchema).is_some() {
        judge.listed(target, "type", &["Utilization", "Value", "AverageValue"]);
    }
    for field in ["value", "averageValue"] {
        check_positive(judge, target, field);
    }
    judge.ranged(target, "averageUtilization", 1..=i64::MAX);
    check_given(judge, target, allowed);
}

/// Checks that the target has one of its allowed fields.
fn check_given(judge: &mut Judge<'_>, target: &Node, allowed: TargetFields) {
    let rule = &METRIC_TARGET_INVALID;
    let fields: &[&'static str] = match allowed {
        TargetFields::Utilization => &["averageUtilization", "averageValue"],
        TargetFields::Average => &["averageValue"],
        TargetFields::OneValue | TargetFields::AnyValue => &["value", "averageValue"],
    };
    let quoted: Vec<_> = fields.iter().map(|field| format!("`{field}`")).collect();
    let mut there = fields.iter().filter_map(|field| target.entry(field));
    let (first, second) = (there.next(), there.next());
    match (first, second) {
        (None, _) => {
            let names = quoted.join(" or ");
            let message = message!("metric target has no {names}");
            let finding = Diagnostic::new(rule, start(target), message)
                .at(message!("requires {names}"))
                .help(message!("add {names}"));
            judge.report(judge.missing(finding, target, fields), target);
        }
        (Some(first), Some(second)) if allowed != TargetFields::AnyValue => {
            let message = message!("metric target has both `{}` and `{}`", first.key, second.key);
            let text = (message, "the second target", "keep one of them");
            judge.fault(rule, second, text);
        }
        _ => {}
    }
}

fn check_positive(judge: &mut Judge<'_>, target: &Node, field: &'static str) {
    let Some(node) = target.get(field) else { return };
    if amount(node).is_some_and(|amount| amount <= 0) {
        let message = message!("`{field}` of a metric is not above 0");
        let text = (message, "must be above 0", "write a quantity such as `500m`");
        judge.fault(&METRIC_TARGET_INVALID, node, text);
    }
}
