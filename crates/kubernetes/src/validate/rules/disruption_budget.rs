//! `PodDisruptionBudget`, after `ValidatePodDisruptionBudgetSpec` of Kubernetes'
//! `pkg/apis/policy/validation`.

use super::judge::{Absence, Judge};
use super::selectors::check_selector;
use super::share::check_share;
use crate::diag::{Diagnostic, declare_rules, message};

declare_rules! {
    BUDGET_CONFLICT = "disruption-budget-conflict", Error;
}

/// Checks one budget.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    if let (Some(first), Some(second)) = (spec.entry("minAvailable"), spec.entry("maxUnavailable"))
    {
        let message =
            message!("{} has both `minAvailable` and `maxUnavailable`", judge.object.describe());
        let finding = Diagnostic::new(&BUDGET_CONFLICT, second.key_origin().span(), message)
            .at("limits unavailable Pods")
            .label(first.key_origin().span(), "requires available Pods")
            .help("keep one of them");
        judge.report(finding, (&judge.object.root, "spec"));
    }
    for field in ["minAvailable", "maxUnavailable"] {
        check_share(judge, spec, field, true);
    }
    check_selector(judge, spec.get("selector"));
    judge.needed(spec, "unhealthyPodEvictionPolicy", Absence::BySchema);
}
