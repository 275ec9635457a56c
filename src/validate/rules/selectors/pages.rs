//! What the rules of selectors are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `nodeSelector` or a requirement of a node affinity that no node can meet: a key or a
    /// value that no label has, an operator that is none, or a number of values that the operator
    /// does not take.
    ///
    /// ## Why
    /// The API server refuses the Pod. In preferred terms the values are free.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   nodeSelector: {"disk type": ssd}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   nodeSelector: {disk-type: ssd}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    NODE_SELECTOR_INVALID = "node-selector-invalid", Error;

    /// ## What it does
    /// Refuses a selector of Pods or namespaces that nothing can meet: a key or a value that no label
    /// has, an operator that is none, `In` without values, or `Exists` with some.
    ///
    /// ## Why
    /// The API server refuses the object with the selector.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   topologySpreadConstraints:
    ///   - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchExpressions: [{key: app, operator: in, values: [web]}]}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   topologySpreadConstraints:
    ///   - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    POD_SELECTOR_INVALID = "pod-selector-invalid", Error;
}
