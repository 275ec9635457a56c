//! What the rules of pooled templates are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a template with warm members whose main process is known to end at once: `echo` and
    /// the like, or a shell without a script and without input.
    ///
    /// ## Why
    /// A member has to run until a claim takes it. One that ends is never Ready, so it is deleted
    /// and made anew every 5 minutes, for ever. Only commands that certainly end are reported; what
    /// an image runs by itself is not known here.
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           command: [bash]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           command: [sleep, infinity]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_MEMBER_EXITS = "pool-member-exits", Warning;

    /// ## What it does
    /// Warns of a template with warm members whose probes allow more than 5 minutes until it is
    /// ready.
    ///
    /// ## Why
    /// A member that is not Ready after 5 minutes is deleted and replaced, so a start that takes
    /// longer never comes to an end. The limit is the controller's
    /// `--sandbox-warm-pool-readiness-grace-period`.
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           startupProbe: {httpGet: {port: 8888}, periodSeconds: 10, failureThreshold: 60}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           startupProbe: {httpGet: {port: 8888}, periodSeconds: 10, failureThreshold: 30}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_MEMBER_SLOW = "pool-member-slow", Warning;

    /// ## What it does
    /// Warns of a template with warm members that declares ports and has no readiness probe in any
    /// container.
    ///
    /// ## Why
    /// Without a probe a member is Ready as soon as its containers run. Claims then get sandboxes
    /// whose server is not up yet, and the first request fails.
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}]
    ///           readinessProbe: {tcpSocket: {port: 8888}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_MEMBER_WITHOUT_READINESS_PROBE = "pool-member-without-readiness-probe", Warning;

    /// ## What it does
    /// Warns of the update strategy `Recreate` on a pool with 20 members or more.
    ///
    /// ## Why
    /// When the template changes, `Recreate` deletes every member that no claim has, all at once.
    /// The new ones start in waves, and until they are Ready every claim starts cold.
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
    ///   replicas: 20
    ///   updateStrategy: {type: Recreate}
    ///   sandboxTemplateRef: {name: python}
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
    ///   replicas: 20
    ///   updateStrategy: {type: OnReplenish}
    ///   sandboxTemplateRef: {name: python}
    /// ```
    RECREATE_EMPTIES_POOL = "recreate-empties-pool", Warning;

    /// ## What it does
    /// Warns of scheduling gates, and of the Kueue label `kueue.x-k8s.io/queue-name`, in a template
    /// with warm members. For controllers from 1.0 on it says nothing.
    ///
    /// ## Why
    /// A Pod that waits behind a gate is not Ready. Controllers before 1.0.7 delete it after 5
    /// minutes and make another one, which waits from the beginning.
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
    ///       schedulingGates: [{name: example.com/quota}]
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    ///
    /// ## Use instead
    /// Such Pods can be started cold:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       schedulingGates: [{name: example.com/quota}]
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_MEMBER_GATED = "pool-member-gated", Warning;

    /// ## What it does
    /// Notes that all members of a pool get the same host name, because the template sets
    /// `hostname`.
    ///
    /// ## Why
    /// The template is copied to every member as it is. Programs that take the host name for an
    /// identity see the same one everywhere.
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
    ///       hostname: worker
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    ///
    /// ## Use instead
    /// Without it each Pod has its own name for host name:
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
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_HOSTNAME_SHARED = "pool-hostname-shared", Note;

    /// ## What it does
    /// Warns of a port of the node (`hostPort`) in a template with warm members.
    ///
    /// ## Why
    /// A port of a node can be taken once. Each node holds one member at most, the next one stays
    /// Pending, and a claimed sandbox blocks its node for the replacement. Pods with `hostNetwork`
    /// take their container ports from the node in the same way.
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888, hostPort: 8888}]
    ///           readinessProbe: {tcpSocket: {port: 8888}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
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
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}]
    ///           readinessProbe: {tcpSocket: {port: 8888}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 2
    ///   sandboxTemplateRef: {name: python}
    /// ```
    POOL_HOST_PORT = "pool-host-port", Warning;
}
