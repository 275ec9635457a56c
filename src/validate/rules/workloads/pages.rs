//! What the rules of controllers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the selector of a Deployment, a ReplicaSet, a StatefulSet, a DaemonSet, a
    /// ReplicationController or, with `manualSelector: true`, a Job that does not select the Pods of
    /// its own template.
    ///
    /// ## Why
    /// The controller finds its Pods by the selector. If its own Pods do not have these labels, it
    /// would make more and more of them. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: api}}
    ///     spec:
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
    SELECTOR_MISMATCH = "selector-mismatch", Error;

    /// ## What it does
    /// Refuses an empty selector of a Deployment, a ReplicaSet, a StatefulSet or a DaemonSet, and a
    /// ReplicationController with neither a selector nor labels in its template.
    ///
    /// ## Why
    /// An empty selector selects every Pod of the namespace. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
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
    SELECTOR_EMPTY = "selector-empty", Error;

    /// ## What it does
    /// Refuses an update strategy that contradicts itself: `rollingUpdate` beside another `type`,
    /// numbers by which no Pod can ever be replaced, and a DaemonSet with both `maxSurge` and
    /// `maxUnavailable`.
    ///
    /// ## Why
    /// The API server refuses the object. If no Pod may be missing and none may be added, an update
    /// cannot begin. In a DaemonSet `maxUnavailable` is 1 where it is absent, so a `maxSurge` needs
    /// `maxUnavailable: 0` beside it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ROLLOUT_CONFLICT = "rollout-conflict", Error;

    /// ## What it does
    /// Refuses a Deployment whose `progressDeadlineSeconds` is not larger than its `minReadySeconds`.
    ///
    /// ## Why
    /// A Pod counts as available when it has been ready for `minReadySeconds`, and a rollout in which
    /// no Pod becomes available before the deadline has failed. So each one would fail. The API server
    /// refuses the object. Where the deadline is absent it is 600 seconds.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   minReadySeconds: 900
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   minReadySeconds: 900
    ///   progressDeadlineSeconds: 1500
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    PROGRESS_DEADLINE_SHORT = "progress-deadline-short", Error;

    /// ## What it does
    /// Refuses a `serviceName` of a StatefulSet that is no DNS label.
    ///
    /// ## Why
    /// It is the name of the Service that gives the Pods their host names, and no Service can have
    /// such a name. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: web}
    /// spec:
    ///   serviceName: web.default
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: web}
    /// spec:
    ///   serviceName: web
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    SERVICE_NAME_INVALID = "service-name-invalid", Error;
}
