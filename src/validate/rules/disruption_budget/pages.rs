//! What the rule of disruption budgets is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a PodDisruptionBudget with both `minAvailable` and `maxUnavailable`.
    ///
    /// ## Why
    /// They are two ways to say the same. The API server refuses the budget.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   minAvailable: 2
    ///   maxUnavailable: 1
    ///   selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   maxUnavailable: 1
    ///   selector: {matchLabels: {app: web}}
    /// ```
    BUDGET_CONFLICT = "disruption-budget-conflict", Error;
}
