//! What the rules of quotas are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses scopes of a ResourceQuota that exclude each other, and scopes that do not go with what
    /// the quota counts: `BestEffort` goes with `pods` alone, the other scopes of Pods with `pods`, CPU
    /// and memory, `VolumeAttributesClass` with `persistentvolumeclaims` and `requests.storage`.
    ///
    /// ## Why
    /// The API server refuses the quota.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: spare}
    /// spec:
    ///   scopes: [BestEffort]
    ///   hard: {pods: 10, requests.cpu: 4}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: spare}
    /// spec:
    ///   scopes: [BestEffort]
    ///   hard: {pods: 10}
    /// ```
    QUOTA_SCOPE_CONFLICT = "quota-scope-conflict", Error;

    /// ## What it does
    /// Refuses an expression in `scopeSelector` of a ResourceQuota with `In` and no values, with `Exists`
    /// and some, and one with another operator than `Exists` for a scope that has no values.
    ///
    /// ## Why
    /// The API server refuses the quota. Only `PriorityClass` and `VolumeAttributesClass` have values.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: agents}
    /// spec:
    ///   hard: {pods: 10}
    ///   scopeSelector:
    ///     matchExpressions: [{scopeName: PriorityClass, operator: In}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: agents}
    /// spec:
    ///   hard: {pods: 10}
    ///   scopeSelector:
    ///     matchExpressions: [{scopeName: PriorityClass, operator: In, values: [agents]}]
    /// ```
    SCOPE_SELECTOR_INVALID = "scope-selector-invalid", Error;
}
