//! What the rules of pod templates are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `restartPolicy` that the kind cannot have: a Deployment, a ReplicaSet, a StatefulSet,
    /// a DaemonSet and a ReplicationController have `Always`, a Job and a CronJob have `Never` or
    /// `OnFailure`, and with a `podFailurePolicy` only `Never`.
    ///
    /// ## Why
    /// The API server refuses the object. Where the field is absent it means `Always`, so every Job
    /// needs it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   template:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: batch/v1
    /// kind: Job
    /// metadata: {name: report}
    /// spec:
    ///   template:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    RESTART_POLICY_UNSUITABLE = "restart-policy-unsuitable", Error;

    /// ## What it does
    /// Refuses `activeDeadlineSeconds` in the Pods of a Deployment, a ReplicaSet, a StatefulSet, a
    /// DaemonSet or a ReplicationController.
    ///
    /// ## Why
    /// These controllers keep Pods running, and would replace each Pod that meets its deadline. The
    /// API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       activeDeadlineSeconds: 3600
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    TEMPLATE_DEADLINE = "template-deadline", Error;
}
