//! What the rules of nodes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a taint of a Node whose key or value no toleration can name, and two taints with the
    /// same key and effect.
    ///
    /// ## Why
    /// The API server refuses the Node. Keys and values are written as those of labels.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// spec:
    ///   taints: [{key: "gpu only", effect: NoSchedule}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// spec:
    ///   taints: [{key: gpu-only, effect: NoSchedule}]
    /// ```
    TAINT_INVALID = "taint-invalid", Error;

    /// ## What it does
    /// Refuses `podCIDRs` of a Node with more than one block of IPv4 or more than one of IPv6.
    ///
    /// ## Why
    /// The API server refuses the Node.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// spec:
    ///   podCIDRs: [10.1.0.0/24, 10.2.0.0/24]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// spec:
    ///   podCIDRs: [10.1.0.0/24, "2001:db8::/64"]
    /// ```
    POD_BLOCKS_INVALID = "pod-blocks-invalid", Error;

    /// ## What it does
    /// Refuses `declaredFeatures` of a Node with a name that no feature has, with a name twice, or not
    /// in alphabetical order. It counts from Kubernetes 1.36 on.
    ///
    /// ## Why
    /// The API server refuses the Node.
    ///
    /// ## Example
    /// ```yaml
    /// # kubernetes: 1.36
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// status:
    ///   declaredFeatures: [userNamespaces]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # kubernetes: 1.36
    /// apiVersion: v1
    /// kind: Node
    /// metadata: {name: worker-1}
    /// status:
    ///   declaredFeatures: [UserNamespaces]
    /// ```
    NODE_FEATURE_INVALID = "node-feature-invalid", Error;
}
