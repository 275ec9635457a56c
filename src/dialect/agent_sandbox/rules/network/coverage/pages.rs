//! What the rules about the reach of policies are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of `networkPolicy` beside `networkPolicyManagement: Unmanaged`.
    ///
    /// ## Why
    /// `Unmanaged` tells the controller to make no NetworkPolicy. The rules are not looked at, and
    /// the sandboxes are open.
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
    ///   networkPolicyManagement: Unmanaged
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
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    NETWORK_POLICY_IGNORED = "network-policy-ignored", Warning;

    /// ## What it does
    /// Warns of `networkPolicyManagement: Unmanaged` where no NetworkPolicy of the input selects
    /// the sandboxes.
    ///
    /// ## Why
    /// The controller makes no policy, so sandboxes can reach everything, and everybody can reach
    /// them. A NetworkPolicy of the input silences this, by the label
    /// `agents.x-k8s.io/sandbox-template-ref-hash` or by any other label of the Pods, and so does a
    /// policy of another system, such as one of Cilium, in the same namespace.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicyManagement: Unmanaged
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
    ///   networkPolicyManagement: Unmanaged
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: extra}
    /// spec:
    ///   podSelector: {matchLabels: {agents.x-k8s.io/sandbox-template-ref-hash: "0fceff97"}}
    ///   ingress: [{}]
    /// ```
    UNMANAGED_WITHOUT_NETWORK_POLICY = "unmanaged-without-network-policy", Warning;

    /// ## What it does
    /// Warns of a Sandbox without a template that says nothing about
    /// `automountServiceAccountToken`.
    ///
    /// ## Why
    /// Sandboxes of a template get no token of a service account, unless the template asks for one.
    /// To a Sandbox that is written by itself the controller adds nothing: the code inside can talk
    /// to the API server as its service account. A ServiceAccount of the input with
    /// `automountServiceAccountToken: false` silences this.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: dev-box}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: dev-box}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    SANDBOX_TOKEN_MOUNTED = "sandbox-token-mounted", Warning;

    /// ## What it does
    /// Warns of a Sandbox without a template that no NetworkPolicy of the input selects, where the
    /// author writes policies: its namespace has a NetworkPolicy, or a template with a
    /// `networkPolicy`.
    ///
    /// ## Why
    /// Policies are made for templates, and select Pods of their claims and pools. A Sandbox that
    /// is written by itself belongs to none: it can reach everything, and everybody can reach it.
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
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: dev-box}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
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
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: dev-box}
    /// spec:
    ///   podTemplate:
    ///     metadata: {labels: {app: dev-box}}
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: dev-box}
    /// spec:
    ///   podSelector: {matchLabels: {app: dev-box}}
    ///   policyTypes: [Ingress, Egress]
    /// ```
    SANDBOX_WITHOUT_NETWORK_POLICY = "sandbox-without-network-policy", Warning;

    /// ## What it does
    /// Warns of a NetworkPolicy that selects sandboxes of a template by their labels and denies a
    /// direction that the policy of the template admits.
    ///
    /// ## Why
    /// Policies add up: what one admits, no other takes away. The controller's policy goes on
    /// admitting the internet and the router, or whatever `networkPolicy` says. A policy for all
    /// Pods of a namespace is not reported.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata: {labels: {app: agent}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: extra}
    /// spec:
    ///   podSelector: {matchLabels: {app: agent}}
    ///   policyTypes: [Egress]
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
    ///     metadata: {labels: {app: agent}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    NETWORK_POLICY_WITHOUT_EFFECT = "network-policy-without-effect", Warning;

    /// ## What it does
    /// Warns of `hostNetwork: true` in a template of which the controller makes a NetworkPolicy.
    ///
    /// ## Why
    /// Most network plugins do not apply policies to Pods on the node's network. Such a sandbox
    /// reaches whatever the node reaches, its neighbours included.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       hostNetwork: true
    ///       containers: [{name: main, image: "python:3.13"}]
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
    /// ```
    TEMPLATE_HOST_NETWORK = "template-host-network", Warning;

    /// ## What it does
    /// Notes that a template asks for a token of its service account in every sandbox, with
    /// `automountServiceAccountToken: true` or a projected volume.
    ///
    /// ## Why
    /// Sandboxes of a template get no token unless it is asked for. With one, the code inside can
    /// do whatever the account may do. Under the default NetworkPolicy the API server cannot be
    /// reached at its private address anyway.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: true
    ///       containers: [{name: main, image: "python:3.13"}]
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
    /// ```
    TEMPLATE_TOKEN_MOUNTED = "template-token-mounted", Note;
}
