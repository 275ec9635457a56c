//! What the rules of requests and limits are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a request that is larger than the limit of the same resource. Amounts are compared,
    /// not texts: `1000m` is `1`.
    ///
    /// ## Why
    /// The API server refuses the Pod. It happens when a limit is overridden and the request below it
    /// is not.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     resources: {requests: {memory: 1Gi}, limits: {memory: 1Gi}}
    /// ```
    REQUEST_ABOVE_LIMIT = "request-above-limit", Error;

    /// ## What it does
    /// Refuses a request of a vendor's resource or of huge pages that differs from its limit, or has
    /// none. A limit without a request is fine.
    ///
    /// ## Why
    /// The API server refuses the Pod: a device is given to one container, so more cannot be promised
    /// than there is.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", resources: {requests: {nvidia.com/gpu: 1}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", resources: {limits: {nvidia.com/gpu: 1}}}
    /// ```
    REQUEST_NOT_LIMIT = "request-not-limit", Error;

    /// ## What it does
    /// Refuses a resource claim that a container uses and its Pod does not have, one that it lists
    /// twice, and entries of the Pod's `resourceClaims` that do not name exactly one claim or
    /// template. Before Kubernetes 1.34 the API server drops them all.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   resourceClaims: [{name: gpu, resourceClaimName: gpu-1}]
    ///   containers: [{name: main, image: "python:3.13", resources: {claims: [{name: gpus}]}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   resourceClaims: [{name: gpu, resourceClaimName: gpu-1}]
    ///   containers: [{name: main, image: "python:3.13", resources: {claims: [{name: gpu}]}}]
    /// ```
    RESOURCE_CLAIM_INVALID = "resource-claim-invalid", Error;

    /// ## What it does
    /// Refuses `resources` of a whole Pod that do not hold its containers: a request below the sum of
    /// theirs, or a limit below the limit of one of them.
    ///
    /// ## Why
    /// The API server refuses the Pod. Before Kubernetes 1.34 it drops `resources` of a Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   resources: {requests: {cpu: 1}}
    ///   containers:
    ///   - {name: main, image: "python:3.13", resources: {requests: {cpu: 800m}}}
    ///   - {name: side, image: "python:3.13", resources: {requests: {cpu: 300m}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   resources: {requests: {cpu: 1100m}}
    ///   containers:
    ///   - {name: main, image: "python:3.13", resources: {requests: {cpu: 800m}}}
    ///   - {name: side, image: "python:3.13", resources: {requests: {cpu: 300m}}}
    /// ```
    POD_RESOURCES_TOO_SMALL = "pod-resources-too-small", Error;
}
