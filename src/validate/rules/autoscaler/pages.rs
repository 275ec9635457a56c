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
}
