//! What the rule of priority classes is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a PriorityClass with a value above 1000000000, or with a name that starts with `system-`.
    /// The two that every cluster has, `system-cluster-critical` and `system-node-critical`, may be
    /// written as they are.
    ///
    /// ## Why
    /// The API server refuses the PriorityClass: what lies above is for the components of the cluster.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: scheduling.k8s.io/v1
    /// kind: PriorityClass
    /// metadata: {name: agents}
    /// value: 2000000000
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: scheduling.k8s.io/v1
    /// kind: PriorityClass
    /// metadata: {name: agents}
    /// value: 1000000000
    /// ```
    PRIORITY_RESERVED = "priority-reserved", Error;
}
