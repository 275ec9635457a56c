//! What the rule of selectors without Pods is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a Service, a NetworkPolicy or a PodDisruptionBudget whose selector selects no Pod that
    /// an object of the input makes in its namespace. Nothing is said in namespaces for which the
    /// input has no Pods, or a custom resource whose controller may make some.
    ///
    /// ## Why
    /// The API server takes it, and it does nothing: a Service without endpoints, a policy that
    /// protects nobody. Most often a label differs by a letter.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: wep}
    ///   ports: [{port: 80}]
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: main, image: "nginx:1.29"}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: web}
    ///   ports: [{port: 80}]
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: main, image: "nginx:1.29"}]}
    /// ```
    SELECTOR_WITHOUT_PODS = "selector-without-pods", Warning;

    /// ## What it does
    /// Warns of a Service whose `targetPort` is a name that no port of the Pods has that it selects in
    /// the input.
    ///
    /// ## Why
    /// The API server takes the Service, and the port leads nowhere: it has no endpoints.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: web}
    ///   ports: [{port: 80, targetPort: web}]
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "nginx:1.29", ports: [{name: http, containerPort: 80}]}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: web}
    ///   ports: [{port: 80, targetPort: http}]
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "nginx:1.29", ports: [{name: http, containerPort: 80}]}]
    /// ```
    TARGET_PORT_NOT_FOUND = "target-port-not-found", Warning;
}
