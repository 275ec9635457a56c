//! What the rules of NetworkPolicies are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a peer of a NetworkPolicy that has both `ipBlock` and a selector.
    ///
    /// ## Why
    /// A peer is either a block of addresses or a set of Pods. The API server refuses a mixture.
    /// This holds for NetworkPolicies and for the `networkPolicy` of a SandboxTemplate, of which
    /// the controller makes one: there the API server takes the template, and the policy is what it
    /// refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}}]
    /// ```
    ///
    /// ## Use instead
    /// Write two peers; each of them is admitted:
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/8}}, {podSelector: {}}]
    /// ```
    IP_BLOCK_WITH_SELECTOR = "ip-block-with-selector", Error;

    /// ## What it does
    /// Refuses a peer of a NetworkPolicy that names nobody.
    ///
    /// ## Why
    /// The API server refuses it. An empty rule (`- {}`) admits everybody, and so does an empty
    /// selector; an empty peer has no meaning. This holds for NetworkPolicies and for the
    /// `networkPolicy` of a SandboxTemplate, of which the controller makes one: there the API
    /// server takes the template, and the policy is what it refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{podSelector: {}}]
    /// ```
    NETWORK_POLICY_PEER_EMPTY = "network-policy-peer-empty", Error;

    /// ## What it does
    /// Refuses a `cidr`, or an entry of `except`, that is not an IP address, `/` and a prefix
    /// length.
    ///
    /// ## Why
    /// The API server refuses it. A single address is written as a block too: `10.1.2.3/32`. This
    /// holds for NetworkPolicies and for the `networkPolicy` of a SandboxTemplate, of which the
    /// controller makes one: there the API server takes the template, and the policy is what it
    /// refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/32}}]
    /// ```
    IP_BLOCK_CIDR_INVALID = "ip-block-cidr-invalid", Error;

    /// ## What it does
    /// Refuses, for Kubernetes 1.36 and newer, a block of addresses with leading zeros, with bits
    /// behind its prefix, or with an IPv4 address written as IPv6.
    ///
    /// ## Why
    /// Programs disagree about such texts: `010.0.0.0/8` is 10.0.0.0/8 for one and 8.0.0.0/8 for
    /// another. Older API servers take them; from 1.36 on they are refused. This holds for
    /// NetworkPolicies and for the `networkPolicy` of a SandboxTemplate, of which the controller
    /// makes one: there the API server takes the template, and the policy is what it refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.1.2.3/8}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/8}}]
    /// ```
    IP_BLOCK_CIDR_LAX = "ip-block-cidr-lax", Error;

    /// ## What it does
    /// Refuses an entry of `except` that is not a smaller block inside `cidr`.
    ///
    /// ## Why
    /// The API server refuses it. What lies outside of `cidr` is not admitted by this peer anyway,
    /// and an exception as large as `cidr` would leave nothing. This holds for NetworkPolicies and
    /// for the `networkPolicy` of a SandboxTemplate, of which the controller makes one: there the
    /// API server takes the template, and the policy is what it refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/8, except: [192.168.0.0/16]}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]
    /// ```
    IP_BLOCK_EXCEPT_OUTSIDE = "ip-block-except-outside", Error;

    /// ## What it does
    /// Refuses a port of a NetworkPolicy that is neither a number between 1 and 65535 nor the name
    /// of a container port.
    ///
    /// ## Why
    /// The API server refuses it. A number in quotes counts as a name, and a name has at most 15
    /// characters and a letter among them. This holds for NetworkPolicies and for the
    /// `networkPolicy` of a SandboxTemplate, of which the controller makes one: there the API
    /// server takes the template, and the policy is what it refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - ports: [{protocol: TCP, port: "443"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - ports: [{protocol: TCP, port: 443}]
    /// ```
    NETWORK_POLICY_PORT_INVALID = "network-policy-port-invalid", Error;

    /// ## What it does
    /// Refuses an `endPort` without `port`, beside a named port, below `port` or above 65535.
    ///
    /// ## Why
    /// `port` and `endPort` are the two ends of a range, which only numbers have. The API server
    /// refuses anything else. This holds for NetworkPolicies and for the `networkPolicy` of a
    /// SandboxTemplate, of which the controller makes one: there the API server takes the template,
    /// and the policy is what it refuses.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - ports: [{protocol: TCP, port: 8080, endPort: 8000}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: python}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Egress]
    ///   egress:
    ///     - ports: [{protocol: TCP, port: 8000, endPort: 8080}]
    /// ```
    END_PORT_INVALID = "end-port-invalid", Error;

    /// ## What it does
    /// Refuses `policyTypes` of a NetworkPolicy with more than two entries, or with an empty one.
    ///
    /// ## Why
    /// The API server refuses the NetworkPolicy: there are two types, `Ingress` and `Egress`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: web}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Ingress, Egress, Ingress]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: web}
    /// spec:
    ///   podSelector: {}
    ///   policyTypes: [Ingress, Egress]
    /// ```
    POLICY_TYPES_INVALID = "policy-types-invalid", Error;
}
