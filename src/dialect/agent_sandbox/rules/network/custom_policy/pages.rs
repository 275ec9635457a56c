//! What the rules of a template's own network policy are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a `networkPolicy` whose egress rules do not let DNS out, while the Pods ask the
    /// cluster's DNS.
    ///
    /// ## Why
    /// With a `networkPolicy` nothing of the default is kept, the public DNS servers included. No
    /// name can be resolved, and steps that fetch something hang. Rules for port 53 over UDP
    /// silence this, and so do rules that reach `kube-system` or private addresses on all ports. A
    /// policy without egress rules is not reported: names would be of no use.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - to: [{ipBlock: {cidr: 93.184.0.0/16}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - to: [{ipBlock: {cidr: 93.184.0.0/16}}]
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    NETWORK_POLICY_WITHOUT_DNS = "network-policy-without-dns", Warning;

    /// ## What it does
    /// Warns of a `networkPolicy` that does not admit the router, in a template whose containers
    /// declare ports.
    ///
    /// ## Why
    /// With a `networkPolicy` nothing of the default is kept, the rule for the router included.
    /// Requests of clients, which come through it, time out. An ingress rule that may mean the
    /// router silences this, wherever it runs.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///     ingress:
    ///       - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: agent-sandbox-system}}, podSelector: {matchLabels: {app: sandbox-router}}}]
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}]
    /// ```
    NETWORK_POLICY_WITHOUT_ROUTER = "network-policy-without-router", Warning;

    /// ## What it does
    /// Warns of a peer that means the router and gives a `podSelector` alone.
    ///
    /// ## Why
    /// Without `namespaceSelector` a peer means Pods of the sandbox's own namespace. The router
    /// runs in `agent-sandbox-system`, so nobody is admitted. A router of the input in the same
    /// namespace silences this.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     ingress:
    ///       - from: [{podSelector: {matchLabels: {app: sandbox-router}}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     ingress:
    ///       - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: agent-sandbox-system}}, podSelector: {matchLabels: {app: sandbox-router}}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ROUTER_PEER_WITHOUT_NAMESPACE = "router-peer-without-namespace", Warning;

    /// ## What it does
    /// Warns of a `networkPolicy` that opens egress to 0.0.0.0/0 and to no IPv6 address.
    ///
    /// ## Why
    /// On clusters that speak both, programs try IPv6 first where a server has it. The packets are
    /// dropped, and each connection waits until that times out.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - to: [{ipBlock: {cidr: 0.0.0.0/0}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - to: [{ipBlock: {cidr: 0.0.0.0/0}}, {ipBlock: {cidr: "::/0"}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    EGRESS_IPV4_ONLY = "egress-ipv4-only", Warning;

    /// ## What it does
    /// Warns of a `networkPolicy` without any rule.
    ///
    /// ## Why
    /// It does not mean the default policy: it denies everything, DNS, the internet and the router
    /// included. Init containers that fetch something hang, and no client gets through. A
    /// NetworkPolicy of the input that selects the Pods and admits something silences this.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy: {}
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// For sandboxes without a way out, admit the router alone:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     ingress:
    ///       - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: agent-sandbox-system}}, podSelector: {matchLabels: {app: sandbox-router}}}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    NETWORK_POLICY_EMPTY = "network-policy-empty", Warning;

    /// ## What it does
    /// Notes a port without `protocol` in the `networkPolicy` of a template.
    ///
    /// ## Why
    /// The API server fills in `TCP`. The controller compares the stored policy with the template,
    /// finds a difference, and updates the policy on every pass. Nothing breaks; the API server has
    /// more to do.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///       - ports: [{port: 443}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///       - ports: [{port: 443, protocol: TCP}]
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    NETWORK_POLICY_PROTOCOL_UNSET = "network-policy-protocol-unset", Note;
}
