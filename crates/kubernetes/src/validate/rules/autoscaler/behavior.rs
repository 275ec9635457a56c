//! The scaling behavior of an autoscaler.

use super::SCALING_POLICIES_EMPTY;
use crate::diag::Diagnostic;
use crate::schema::NUMBER_OUT_OF_RANGE;
use crate::tree::Node;
use crate::validate::rules::amounts::amount;
use crate::validate::rules::judge::{Absence, Judge, is_empty_list, items};

/// The first minor version that keeps `tolerance` (`HPAConfigurableTolerance`).
const TOLERANCE_MINOR: u8 = 35;
/// The maximum stabilization window, in seconds.
const LONGEST_WINDOW: i64 = 3600;
/// The longest period of a policy, in seconds.
const LONGEST_PERIOD: i64 = 1800;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let Some(behavior) = spec.get("behavior") else { return };
    for direction in ["scaleUp", "scaleDown"] {
        if let Some(rules) = behavior.get(direction) {
            check_rules(judge, rules);
        }
    }
}

fn check_rules(judge: &mut Judge<'_>, rules: &Node) {
    judge.ranged(rules, "stabilizationWindowSeconds", 0..=LONGEST_WINDOW);
    if judge.needed(rules, "selectPolicy", Absence::BySchema).is_some() {
        judge.listed(rules, "selectPolicy", &["Max", "Min", "Disabled"]);
    }
    // An absent list gets a default, an empty one does not.
    if let Some(node) = rules.get("policies").filter(|policies| is_empty_list(policies)) {
        let message = "scaling rules have an empty list of policies";
        let finding = Diagnostic::new(&SCALING_POLICIES_EMPTY, node.span(), message)
            .at("requires a policy")
            .help("add a policy, remove `policies`, or disable scaling in this direction: `selectPolicy: Disabled`");
        judge.report(finding, (rules, "policies"));
    }
    for policy in items(rules, "policies") {
        if judge.needed(policy, "type", Absence::BySchema).is_some() {
            judge.listed(policy, "type", &["Pods", "Percent"]);
        }
        judge.ranged(policy, "value", 1..=i64::MAX);
        judge.ranged(policy, "periodSeconds", 1..=LONGEST_PERIOD);
    }
    if judge.minor >= TOLERANCE_MINOR {
        check_tolerance(judge, rules);
    }
}

fn check_tolerance(judge: &mut Judge<'_>, rules: &Node) {
    let Some(node) = rules.get("tolerance") else { return };
    if amount(node).is_none_or(|tolerance| tolerance >= 0) {
        return;
    }
    let text =
        ("`tolerance` is negative", "must be at least 0", "write a fraction of the target: `0.05`");
    judge.fault(&NUMBER_OUT_OF_RANGE, node, text);
}
