//! What the rules of the default network policy are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a `dnsPolicy` that asks DNS servers with private addresses, in a template without
    /// `networkPolicy`.
    ///
    /// ## Why
    /// Such a template gets the controller's default NetworkPolicy, which admits public addresses
    /// only. Cluster DNS has a private one: no name can be resolved. Without `dnsPolicy` the
    /// controller sets public servers. A NetworkPolicy of the input that selects the Pods and lets
    /// DNS out silences this.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       dnsPolicy: ClusterFirst
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
    DNS_POLICY_BLOCKED = "dns-policy-blocked", Warning;

    /// ## What it does
    /// Warns of `dnsConfig` without `dnsPolicy` in a template without `networkPolicy`.
    ///
    /// ## Why
    /// The controller gives such a template `dnsPolicy: None` and writes a `dnsConfig` with two
    /// public servers over the author's: search domains, options and servers are lost.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       dnsConfig: {nameservers: [9.9.9.9], searches: [example.com]}
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
    ///       dnsPolicy: None
    ///       dnsConfig: {nameservers: [9.9.9.9], searches: [example.com]}
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    DNS_CONFIG_DISCARDED = "dns-config-discarded", Warning;

    /// ## What it does
    /// Warns of an address inside the cluster, or of the cloud's metadata server, in a command or a
    /// variable of a template without `networkPolicy`: names that end in `.svc` or
    /// `.cluster.local`, `kubernetes.default`, private IPv4 addresses, and Services of the input in
    /// URLs.
    ///
    /// ## Why
    /// The controller's default NetworkPolicy blocks all private addresses, and its DNS servers do
    /// not know the names of the cluster. Connections time out. A NetworkPolicy of the input that
    /// selects the Pods and has egress rules silences this; so does a `networkPolicy` in the
    /// template.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           env: [{name: TARGET, value: "http://models.ml.svc.cluster.local:8080"}]
    /// ```
    ///
    /// ## Use instead
    /// Let them reach it, and resolve its name:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   networkPolicy:
    ///     egress:
    ///       - to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ml}}}]
    ///       - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           env: [{name: TARGET, value: "http://models.ml.svc.cluster.local:8080"}]
    /// ```
    CLUSTER_ADDRESS_BLOCKED = "cluster-address-blocked", Warning;

    /// ## What it does
    /// Warns of a port that somebody else than the router is to use, in a template without
    /// `networkPolicy`: a port of a sidecar, a port with metrics, the annotation
    /// `prometheus.io/scrape`, or a Service of the input that selects the Pods.
    ///
    /// ## Why
    /// The controller's default NetworkPolicy admits the router and nobody else. Metrics are not
    /// fetched, Services time out. Ports of the first container alone are not reported: these are
    /// what the router is for. A NetworkPolicy of the input that selects the Pods and has ingress
    /// rules silences this; so does a `networkPolicy` in the template.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}, {name: metrics, containerPort: 9090}]
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
    ///     ingress:
    ///       - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: agent-sandbox-system}}, podSelector: {matchLabels: {app: sandbox-router}}}]
    ///       - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///         - name: main
    ///           image: python:3.13
    ///           ports: [{containerPort: 8888}, {name: metrics, containerPort: 9090}]
    /// ```
    PORT_REACHABLE_BY_ROUTER_ONLY = "port-reachable-by-router-only", Warning;

    /// ## What it does
    /// Warns of a router in the input that the default NetworkPolicy of a template does not let in.
    ///
    /// ## Why
    /// That policy asks for two things: the namespace `agent-sandbox-system` and the label `app:
    /// sandbox-router`. Router manifests of releases before 1.0.2 have neither; every request to a
    /// sandbox times out.
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
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: sandbox-router, namespace: default}
    /// spec:
    ///   selector: {matchLabels: {app.kubernetes.io/name: sandbox-router}}
    ///   template:
    ///     metadata: {labels: {app.kubernetes.io/name: sandbox-router}}
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers: [{name: router, image: "router:1"}]
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
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: sandbox-router, namespace: agent-sandbox-system}
    /// spec:
    ///   selector: {matchLabels: {app: sandbox-router}}
    ///   template:
    ///     metadata: {labels: {app: sandbox-router}}
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers: [{name: router, image: "router:1"}]
    /// ```
    ROUTER_NOT_ADMITTED = "router-not-admitted", Warning;
}
