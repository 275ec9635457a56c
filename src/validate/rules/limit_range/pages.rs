//! What the rules of limit ranges are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a limit whose type is none of `Container`, `Pod` and `PersistentVolumeClaim` and has no
    /// domain, two limits of one type, and defaults in a limit of the type `Pod`.
    ///
    /// ## Why
    /// The API server refuses the LimitRange.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: Pod, default: {cpu: 1}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: Container, default: {cpu: 1}}]
    /// ```
    LIMIT_TYPE_INVALID = "limit-type-invalid", Error;

    /// ## What it does
    /// Refuses a limit of the type `PersistentVolumeClaim` with neither `min` nor `max` of `storage`.
    ///
    /// ## Why
    /// The API server refuses the LimitRange.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: PersistentVolumeClaim, default: {storage: 1Gi}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: PersistentVolumeClaim, max: {storage: 100Gi}}]
    /// ```
    LIMIT_INCOMPLETE = "limit-incomplete", Error;

    /// ## What it does
    /// Refuses a limit whose numbers contradict each other: `min`, `defaultRequest`, `default` and `max`
    /// of a resource must not fall, and `maxLimitRequestRatio` lies between 1 and `max` divided by
    /// `min`. Defaults of huge pages and of vendors' resources are equal.
    ///
    /// ## Why
    /// The API server refuses the LimitRange. It fills in the defaults of containers that are absent:
    /// the limit from `max`, the request from the limit or from `min`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: Container, default: {cpu: 4}, max: {cpu: 2}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: LimitRange
    /// metadata: {name: sizes}
    /// spec:
    ///   limits: [{type: Container, default: {cpu: 1}, max: {cpu: 2}}]
    /// ```
    LIMIT_CONTRADICTION = "limit-contradiction", Error;
}
