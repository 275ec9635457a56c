//! What the rules of autoscalers and budgets are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of `replicas` on a SandboxWarmPool that a HorizontalPodAutoscaler or a KEDA
    /// ScaledObject of the input scales.
    ///
    /// ## Why
    /// Both set the same field. Each time the pool is applied it falls back to the written number,
    /// and members are deleted or made until the autoscaler acts again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata: {annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 10
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: extensions.agents.x-k8s.io/v1beta1, kind: SandboxWarmPool, name: python}
    ///   minReplicas: 1
    ///   maxReplicas: 100
    ///   metrics: [{type: External, external: {metric: {name: claims}, target: {type: Value, value: "10"}}}]
    /// ```
    ///
    /// ## Use instead
    /// Leave `replicas` out. A new pool starts with one member:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata: {annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: extensions.agents.x-k8s.io/v1beta1, kind: SandboxWarmPool, name: python}
    ///   minReplicas: 1
    ///   maxReplicas: 100
    ///   metrics: [{type: External, external: {metric: {name: claims}, target: {type: Value, value: "10"}}}]
    /// ```
    POOL_REPLICAS_AUTOSCALED = "pool-replicas-autoscaled", Warning;

    /// ## What it does
    /// Refuses an autoscaler whose target is a Sandbox, a SandboxTemplate or a SandboxClaim.
    ///
    /// ## Why
    /// Of these kinds only SandboxWarmPool has a `scale` subresource. The autoscaler would never
    /// get the number of replicas, and never do anything. `v1alpha1` Sandboxes could be scaled
    /// between 0 and 1; in `v1beta1` that is `operatingMode`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: dev-box}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: agents.x-k8s.io/v1beta1, kind: Sandbox, name: dev-box}
    ///   minReplicas: 1
    ///   maxReplicas: 100
    ///   metrics: [{type: External, external: {metric: {name: claims}, target: {type: Value, value: "10"}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata: {annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: python}
    /// spec:
    ///   scaleTargetRef: {apiVersion: extensions.agents.x-k8s.io/v1beta1, kind: SandboxWarmPool, name: python}
    ///   minReplicas: 1
    ///   maxReplicas: 100
    ///   metrics: [{type: External, external: {metric: {name: claims}, target: {type: Value, value: "10"}}}]
    /// ```
    SANDBOX_NOT_SCALABLE = "sandbox-not-scalable", Error;

    /// ## What it does
    /// Warns of a PodDisruptionBudget with a `minAvailable` that is smaller than the number of
    /// sandboxes that it selects.
    ///
    /// ## Why
    /// `minAvailable: 1` is meant for replicas of a server, of which one is as good as the other.
    /// Sandboxes are not interchangeable: all but one may be evicted, each with somebody's work.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata:
    ///       annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}
    ///       labels: {app: agent}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 3
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: agents}
    /// spec:
    ///   minAvailable: 1
    ///   selector: {matchLabels: {app: agent}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata:
    ///       annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}
    ///       labels: {app: agent}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 3
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: agents}
    /// spec:
    ///   maxUnavailable: 0
    ///   selector: {matchLabels: {app: agent}}
    /// ```
    DISRUPTION_BUDGET_SHARED = "disruption-budget-shared", Warning;
}
