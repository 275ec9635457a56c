//! What the rules of choosing nodes and Pods are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports a value in a preferred node affinity that no label can have.
    ///
    /// ## Why
    /// The API server takes it, and the preference matches no node: labels have at most 63 letters,
    /// digits, `-`, `_` and `.`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     nodeAffinity:
    ///       preferredDuringSchedulingIgnoredDuringExecution:
    ///         - weight: 1
    ///           preference: {matchExpressions: [{key: disk, operator: In, values: ["ssd,nvme"]}]}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     nodeAffinity:
    ///       preferredDuringSchedulingIgnoredDuringExecution:
    ///         - weight: 1
    ///           preference: {matchExpressions: [{key: disk, operator: In, values: [ssd, nvme]}]}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    AFFINITY_VALUE_INVALID = "affinity-value-invalid", Warning;

    /// ## What it does
    /// Reports a topology spread constraint, or a term of Pod affinity or anti-affinity, without
    /// `labelSelector`.
    ///
    /// ## Why
    /// It matches no Pod. So Pods are not spread, not drawn together, and not kept apart, and nobody
    /// says so.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   topologySpreadConstraints:
    ///     - {topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   topologySpreadConstraints:
    ///     - topologyKey: kubernetes.io/hostname
    ///       maxSkew: 1
    ///       whenUnsatisfiable: DoNotSchedule
    ///       labelSelector: {matchLabels: {app: web}}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    LABEL_SELECTOR_MISSING = "label-selector-missing", Warning;

    /// ## What it does
    /// Reports a label of nodes that has a newer name, where nodes are chosen by it.
    ///
    /// ## Why
    /// Nodes lose the old labels as their kubelets are renewed. A Pod that asks for one then finds no
    /// node.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   nodeSelector: {beta.kubernetes.io/os: linux}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   nodeSelector: {kubernetes.io/os: linux}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    NODE_LABEL_DEPRECATED = "node-label-deprecated", Warning;
}
