//! What the rules of roles and bindings are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a rule of a Role or a ClusterRole without verbs, and one for resources without
    /// `apiGroups` or without `resources`.
    ///
    /// ## Why
    /// The API server refuses the role. Core resources such as Pods have a group too: the empty text.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: Role
    /// metadata: {name: reader}
    /// rules:
    /// - {resources: [pods], verbs: [get, list]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: Role
    /// metadata: {name: reader}
    /// rules:
    /// - {apiGroups: [""], resources: [pods], verbs: [get, list]}
    /// ```
    POLICY_RULE_INCOMPLETE = "policy-rule-incomplete", Error;

    /// ## What it does
    /// Refuses `nonResourceURLs` in a Role, and beside `apiGroups`, `resources` or `resourceNames`.
    ///
    /// ## Why
    /// The API server refuses the role. A rule is for resources or for paths of the API server such as
    /// `/healthz`, and paths are in no namespace.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRole
    /// metadata: {name: prober}
    /// rules:
    /// - {apiGroups: [""], resources: [nodes], nonResourceURLs: [/healthz], verbs: [get]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRole
    /// metadata: {name: prober}
    /// rules:
    /// - {apiGroups: [""], resources: [nodes], verbs: [get]}
    /// - {nonResourceURLs: [/healthz], verbs: [get]}
    /// ```
    POLICY_RULE_MIXED = "policy-rule-mixed", Error;

    /// ## What it does
    /// Refuses an `aggregationRule` without selectors.
    ///
    /// ## Why
    /// The API server refuses the ClusterRole.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRole
    /// metadata: {name: monitoring}
    /// aggregationRule: {clusterRoleSelectors: []}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRole
    /// metadata: {name: monitoring}
    /// aggregationRule:
    ///   clusterRoleSelectors:
    ///   - matchLabels: {example.com/aggregate-to-monitoring: "true"}
    /// ```
    AGGREGATION_EMPTY = "aggregation-empty", Error;

    /// ## What it does
    /// Refuses a ServiceAccount among the subjects of a binding that has an `apiGroup`, and in a
    /// ClusterRoleBinding one without a namespace.
    ///
    /// ## Why
    /// The API server refuses the binding. Users and groups belong to
    /// `rbac.authorization.k8s.io`, ServiceAccounts to the core group.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRoleBinding
    /// metadata: {name: view}
    /// roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    /// subjects:
    /// - {kind: ServiceAccount, name: reader}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRoleBinding
    /// metadata: {name: view}
    /// roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    /// subjects:
    /// - {kind: ServiceAccount, name: reader, namespace: monitoring}
    /// ```
    BINDING_SUBJECT_INVALID = "binding-subject-invalid", Error;
}
