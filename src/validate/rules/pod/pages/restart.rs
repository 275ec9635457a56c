//! What the rules of restarting and resizing containers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a container's own `restartPolicy` where the version does not have it. All have
    /// `Always` for init containers; from Kubernetes 1.35 on every container may have `Always`,
    /// `OnFailure` or `Never`. 1.34 drops other uses without a word.
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
    ///   containers: [{name: main, image: "python:3.13", restartPolicy: Sometimes}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", restartPolicy: OnFailure}]
    /// ```
    CONTAINER_RESTART_POLICY_INVALID = "container-restart-policy-invalid", Error;

    /// ## What it does
    /// Refuses `restartPolicyRules` of a container without a `restartPolicy`, more than 20 of them,
    /// and rules with another action than `Restart` (from Kubernetes 1.36 on also
    /// `RestartAllContainers`), without exit codes, or with more than 255 of them.
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
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]
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
    ///     restartPolicy: Never
    ///     restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]
    /// ```
    RESTART_RULE_INVALID = "restart-rule-invalid", Error;

    /// ## What it does
    /// Refuses a `resizePolicy` for another resource than `cpu` and `memory`, twice for one of them,
    /// with an unknown policy, and with `RestartContainer` where a container is not restarted: in a
    /// Pod with `restartPolicy: Never`, and from Kubernetes 1.36 on in an init container.
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
    ///   restartPolicy: Never
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   restartPolicy: Never
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     resizePolicy: [{resourceName: memory, restartPolicy: NotRequired}]
    /// ```
    RESIZE_POLICY_INVALID = "resize-policy-invalid", Error;
}
