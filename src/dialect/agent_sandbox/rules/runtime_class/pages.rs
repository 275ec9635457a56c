//! What the rules of isolating runtimes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a sandbox under gVisor or Kata (`gvisor`, `runsc`, `kata`, and names like
    /// `kata-qemu`) where neither the pod template nor its RuntimeClass says which nodes have the
    /// runtime.
    ///
    /// ## Why
    /// Only some nodes have it, and these are often tainted. On others the Pod is never started; a
    /// pool holds such members and makes no progress. `nodeSelector`, `tolerations` or `affinity`
    /// in the pod template silence this, and so does `scheduling` in the RuntimeClass. Of a
    /// RuntimeClass that is not in the input nothing is known, and nothing is said.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       runtimeClassName: gvisor
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           resources: {limits: {memory: 1Gi}}
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: runsc
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
    ///       runtimeClassName: gvisor
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           resources: {limits: {memory: 1Gi}}
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: runsc
    /// scheduling: {nodeSelector: {sandbox: gvisor}}
    /// ```
    RUNTIME_CLASS_WITHOUT_PLACEMENT = "runtime-class-without-placement", Warning;

    /// ## What it does
    /// Warns of a container without a memory limit in a sandbox under gVisor.
    ///
    /// ## Why
    /// Who isolates code does not trust it. gVisor keeps it from the kernel, not from memory:
    /// without a limit one sandbox can take all memory of its node, and the others are evicted. A
    /// limit of the Pod (`spec.resources`) silences this as well.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       runtimeClassName: gvisor
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: runsc
    /// scheduling: {nodeSelector: {sandbox: gvisor}}
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
    ///       runtimeClassName: gvisor
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           resources: {limits: {memory: 1Gi}}
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: runsc
    /// scheduling: {nodeSelector: {sandbox: gvisor}}
    /// ```
    GVISOR_MEMORY_UNLIMITED = "gvisor-memory-unlimited", Warning;

    /// ## What it does
    /// Warns of a container without a memory limit in a sandbox under Kata.
    ///
    /// ## Why
    /// Kata starts a virtual machine for each Pod, and sizes it from the limits of the containers.
    /// Without one it gets the default size of the node's configuration, often 2 GiB, and programs
    /// that need more are killed inside it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       runtimeClassName: kata
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           resources: {requests: {memory: 4Gi}}
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: kata}
    /// handler: runsc
    /// scheduling: {nodeSelector: {sandbox: gvisor}}
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
    ///       runtimeClassName: kata
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           resources: {limits: {memory: 4Gi}}
    /// ---
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: kata}
    /// handler: runsc
    /// scheduling: {nodeSelector: {sandbox: gvisor}}
    /// ```
    KATA_MEMORY_UNLIMITED = "kata-memory-unlimited", Warning;
}
