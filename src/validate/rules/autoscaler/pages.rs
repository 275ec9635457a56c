//! What the rules of autoscalers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a HorizontalPodAutoscaler with `minReplicas: 0`: before Kubernetes 1.37 always, from
    /// then on where it has no metric of type `Object` or `External`.
    ///
    /// ## Why
    /// With no Pods left nothing measures their load, so only a metric from outside can start the
    /// first one. Before 1.37 this is an alpha feature (`HPAScaleToZero`), which clusters have
    /// turned off, and the API server refuses the number.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   minReplicas: 0
    ///   maxReplicas: 100
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   minReplicas: 1
    ///   maxReplicas: 100
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    AUTOSCALER_MIN_ZERO = "autoscaler-min-zero", Error;

    /// ## What it does
    /// Refuses a HorizontalPodAutoscaler whose `maxReplicas` is less than its `minReplicas`.
    ///
    /// ## Why
    /// There is no number between the two. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   minReplicas: 10
    ///   maxReplicas: 5
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   minReplicas: 5
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    AUTOSCALER_RANGE_EMPTY = "autoscaler-range-empty", Error;

    /// ## What it does
    /// Refuses a `scaleTargetRef` without a group in its `apiVersion`, except for a
    /// ReplicationController, which is of the core group.
    ///
    /// ## Why
    /// Without the group the autoscaler does not find what it scales. From Kubernetes 1.34 on the API
    /// server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    SCALE_TARGET_GROUPLESS = "scale-target-groupless", Error;

    /// ## What it does
    /// Refuses the `kind` or the `name` of what is scaled or measured, and the name of a metric, with
    /// `/` or `%` in it, and from Kubernetes 1.34 on an `apiVersion` with more than one `/`.
    ///
    /// ## Why
    /// They become parts of a URL. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: default/web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    OBJECT_REFERENCE_INVALID = "object-reference-invalid", Error;

    /// ## What it does
    /// Refuses a metric of a HorizontalPodAutoscaler without the field that its `type` stands for, and
    /// one with two sources: `resource`, `containerResource`, `pods`, `object` or `external`.
    ///
    /// ## Why
    /// The API server refuses the object: a metric has exactly the source that its type names.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Pods, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    METRIC_SOURCE_MISMATCH = "metric-source-mismatch", Error;

    /// ## What it does
    /// Refuses a target of a metric that the API server refuses: an amount that is not above 0, none at
    /// all, or two of them. A resource has `averageUtilization` or `averageValue`, a metric of Pods
    /// `averageValue`, an external one `value` or `averageValue`, and one of an object one of these or
    /// both.
    ///
    /// ## Why
    /// The API server refuses the object. The `type` does not have to fit the field, but says to readers
    /// which one is meant.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, value: 80}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    /// ```
    METRIC_TARGET_INVALID = "metric-target-invalid", Error;

    /// ## What it does
    /// Refuses an empty list of `policies` in the behavior of a HorizontalPodAutoscaler.
    ///
    /// ## Why
    /// The API server fills in a list that is absent, and refuses an empty one. To forbid scaling in one
    /// direction, its `selectPolicy` is `Disabled`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    ///   behavior: {scaleDown: {policies: []}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 10
    ///   metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    ///   behavior: {scaleDown: {selectPolicy: Disabled}}
    /// ```
    SCALING_POLICIES_EMPTY = "scaling-policies-empty", Error;
}
