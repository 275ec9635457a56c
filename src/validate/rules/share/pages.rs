//! What the rule of shares is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `maxSurge`, a `maxUnavailable` or a `minAvailable` that is neither a whole number of
    /// Pods, 0 or more, nor a percentage like `25%`, and one of more than `100%` where it is a part of
    /// all Pods.
    ///
    /// ## Why
    /// The API server refuses the object. A number in quotes is no number: `"25"` means neither 25
    /// Pods nor 25 percent.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   maxUnavailable: "25"
    ///   selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   maxUnavailable: 25%
    ///   selector: {matchLabels: {app: web}}
    /// ```
    SHARE_INVALID = "share-invalid", Error;
}
