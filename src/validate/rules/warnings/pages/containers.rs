//! What the rules of repeated items are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports a variable of a container that is set a second time, and does not extend the first.
    ///
    /// ## Why
    /// The later value wins. `kubectl apply` merges the list by name, and may then keep the other
    /// one, or drop both.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       env: [{name: MODE, value: test}, {name: MODE, value: production}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       env: [{name: MODE, value: production}]
    /// ```
    ENV_REPEATED = "env-repeated", Warning;

    /// ## What it does
    /// Reports an address of `hostAliases`, or a name of `imagePullSecrets`, that is there a second
    /// time.
    ///
    /// ## Why
    /// `kubectl apply` merges these lists by that field, and may then drop one of the items.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases:
    ///     - {ip: 10.0.0.1, hostnames: [a.example]}
    ///     - {ip: 10.0.0.1, hostnames: [b.example]}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostAliases:
    ///     - {ip: 10.0.0.1, hostnames: [a.example, b.example]}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    LIST_ITEM_REPEATED = "list-item-repeated", Warning;

    /// ## What it does
    /// Reports a port that a Pod has twice: the number and protocol, or the name, in two of its
    /// containers.
    ///
    /// ## Why
    /// Containers of a Pod share one network, so only one of them can listen there. Services and
    /// probes that choose a port by its name take the first.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - {name: web, image: nginx:1.29, ports: [{containerPort: 80}]}
    ///     - {name: proxy, image: envoyproxy/envoy:v1.35.0, ports: [{containerPort: 80}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - {name: web, image: nginx:1.29, ports: [{containerPort: 80}]}
    ///     - {name: proxy, image: envoyproxy/envoy:v1.35.0, ports: [{containerPort: 8080}]}
    /// ```
    PORT_REPEATED = "port-repeated", Warning;
}
