//! What the rules of the end of sandboxes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of `ttlSecondsAfterFinished` on a claim whose Pods never finish.
    ///
    /// ## Why
    /// The seconds count from the end of the Pod. With `restartPolicy: Always`, which is the
    /// default, containers that end are started again: the Pod never ends, and the claim never
    /// expires.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {ttlSecondsAfterFinished: 600}
    /// ```
    ///
    /// ## Use instead
    /// Say when it ends with `shutdownTime`. If the main process ends by itself, let the Pod end
    /// with it:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       restartPolicy: Never
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {ttlSecondsAfterFinished: 600}
    /// ```
    TTL_NEVER_FIRES = "ttl-never-fires", Warning;

    /// ## What it does
    /// Warns of a claim that expires with the policy `Retain` while it has volume claims, its own
    /// or those of its template.
    ///
    /// ## Why
    /// On a Sandbox `Retain` keeps the volumes. On a claim it keeps the claim alone: the Sandbox is
    /// deleted, and its volumes with all data go with it. `Retain` is the default.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   volumeClaimTemplates:
    ///     - metadata: {name: work}
    ///       spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           volumeMounts: [{name: work, mountPath: /work}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00Z}
    /// ```
    ///
    /// ## Use instead
    /// Say that everything may go. If the data has to stay, keep it in a PersistentVolumeClaim of
    /// your own:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   volumeClaimTemplates:
    ///     - metadata: {name: work}
    ///       spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           volumeMounts: [{name: work, mountPath: /work}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00Z, shutdownPolicy: Delete}
    /// ```
    RETAIN_DELETES_VOLUMES = "retain-deletes-volumes", Warning;

    /// ## What it does
    /// Warns of `shutdownPolicy: Delete` or `DeleteForeground` where nothing says when: no
    /// `shutdownTime`, and on a claim no `ttlSecondsAfterFinished` either.
    ///
    /// ## Why
    /// The policy says what happens at the end. Without a time there is no end: the sandbox runs
    /// until somebody deletes it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownPolicy: Delete}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00Z, shutdownPolicy: Delete}
    /// ```
    SHUTDOWN_POLICY_UNUSED = "shutdown-policy-unused", Warning;

    /// ## What it does
    /// Refuses a `shutdownTime` that is not a date, `T`, a time and a zone.
    ///
    /// ## Why
    /// Without a zone nobody knows which hour is meant. The API server refuses most such texts;
    /// what it lets through, the controller cannot read.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00Z}
    /// ```
    SHUTDOWN_TIME_INVALID = "shutdown-time-invalid", Error;

    /// ## What it does
    /// Warns of a `shutdownTime` from before the first release that had this version of the API,
    /// June 2026.
    ///
    /// ## Why
    /// A time in the past expires at once: the Pod is deleted, or never made. Usually the year is
    /// mistyped. Later times are not judged: the same input gives the same findings on every day.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2003-09-01T08:00:00Z}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   lifecycle: {shutdownTime: 2030-09-01T08:00:00Z}
    /// ```
    SHUTDOWN_TIME_PAST = "shutdown-time-past", Warning;
}
