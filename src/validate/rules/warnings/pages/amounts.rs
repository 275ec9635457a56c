//! What the rules of amounts and numbers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an amount of memory or storage with a fraction of a byte.
    ///
    /// ## Why
    /// Most often `m` was meant for mega; it stands for thousandths. `512m` of memory is half a byte,
    /// and the container never starts.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29, resources: {limits: {memory: 512m}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29, resources: {limits: {memory: 512Mi}}}]
    /// ```
    BYTES_FRACTIONAL = "bytes-fractional", Warning;

    /// ## What it does
    /// Reports a negative number that the API server takes and reads as another.
    ///
    /// ## Why
    /// A negative `terminationGracePeriodSeconds` stands for 1. A negative `revisionHistoryLimit` of
    /// a StatefulSet keeps all revisions for ever.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: web}
    /// spec:
    ///   revisionHistoryLimit: -1
    ///   serviceName: ""
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: web, image: nginx:1.29}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: web}
    /// spec:
    ///   revisionHistoryLimit: 10
    ///   serviceName: ""
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: web, image: nginx:1.29}]}
    /// ```
    NUMBER_NEGATIVE = "number-negative", Warning;

    /// ## What it does
    /// Reports a ResourceQuota that grants more for requests than for limits.
    ///
    /// ## Why
    /// No container may request more than its limit. So the limits are used up first, and the rest of
    /// the requests can never be.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: team}
    /// spec: {hard: {requests.cpu: "8", limits.cpu: "4"}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ResourceQuota
    /// metadata: {name: team}
    /// spec: {hard: {requests.cpu: "4", limits.cpu: "8"}}
    /// ```
    QUOTA_REQUESTS_ABOVE_LIMITS = "quota-requests-above-limits", Warning;
}
