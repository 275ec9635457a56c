//! What the rules of scheduling are documented to do.

use crate::diag::declare_rules;

declare_rules! {

    /// ## What it does
    /// Refuses a scheduling gate whose name is no key of a label, and one that stands twice.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   schedulingGates: [{name: quota ready}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   schedulingGates: [{name: example.com/quota-ready}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    SCHEDULING_GATE_INVALID = "scheduling-gate-invalid", Error;

    /// ## What it does
    /// Refuses `nodeName` of a Pod that has scheduling gates.
    ///
    /// ## Why
    /// The API server refuses the Pod: the gates would hold it back from a node that it has already.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   nodeName: node-1
    ///   schedulingGates: [{name: example.com/quota-ready}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   schedulingGates: [{name: example.com/quota-ready}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    NODE_NAME_BESIDE_GATES = "node-name-beside-gates", Error;

    /// ## What it does
    /// Refuses an affinity with a weight outside of 1 to 100, without terms, with a namespace that is
    /// none, or with a topology key that no label has.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     podAffinity:
    ///       preferredDuringSchedulingIgnoredDuringExecution:
    ///       - {weight: 0, podAffinityTerm: {topologyKey: zone, labelSelector: {}}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     podAffinity:
    ///       preferredDuringSchedulingIgnoredDuringExecution:
    ///       - {weight: 1, podAffinityTerm: {topologyKey: zone, labelSelector: {}}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    AFFINITY_INVALID = "affinity-invalid", Error;

    /// ## What it does
    /// Refuses `matchLabelKeys` and `mismatchLabelKeys` without a `labelSelector`, with a key that no
    /// label has, and with one that stands in the selector or in the other list as well.
    ///
    /// ## Why
    /// The API server refuses the Pod: it adds each key of a Pod's own labels to the selector, with
    /// the value that the Pod has.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     podAffinity:
    ///       requiredDuringSchedulingIgnoredDuringExecution:
    ///       - {topologyKey: zone, labelSelector: {}, matchLabelKeys: [app], mismatchLabelKeys: [app]}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   affinity:
    ///     podAffinity:
    ///       requiredDuringSchedulingIgnoredDuringExecution:
    ///       - {topologyKey: zone, labelSelector: {}, matchLabelKeys: [app], mismatchLabelKeys: [job]}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    MATCH_LABEL_KEYS_INVALID = "match-label-keys-invalid", Error;

    /// ## What it does
    /// Refuses a constraint of `topologySpreadConstraints` with a `maxSkew` or `minDomains` below 1,
    /// with `minDomains` and another `whenUnsatisfiable` than `DoNotSchedule`, and two constraints of
    /// one `topologyKey` and one `whenUnsatisfiable`.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   topologySpreadConstraints:
    ///   - {maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}
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
    ///   - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    SPREAD_INVALID = "spread-invalid", Error;
}
