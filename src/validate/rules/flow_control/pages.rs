//! What the rules of flow control are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a FlowSchema with `matchingPrecedence: 1` and another name than `exempt`.
    ///
    /// ## Why
    /// The API server refuses the schema: that one must come before all others.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   matchingPrecedence: 1
    ///   priorityLevelConfiguration: {name: workload-low}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   matchingPrecedence: 1000
    ///   priorityLevelConfiguration: {name: workload-low}
    /// ```
    FLOW_PRECEDENCE_RESERVED = "flow-precedence-reserved", Error;

    /// ## What it does
    /// Refuses a rule of a FlowSchema without subjects or requests, with an empty list, with `*` beside
    /// others, for resources in no namespace, or with a path that the API server cannot have.
    ///
    /// ## Why
    /// The API server refuses the schema: no request could match the rule.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   priorityLevelConfiguration: {name: workload-low}
    ///   rules:
    ///   - subjects: [{kind: Group, group: {name: agents}}]
    ///     resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: [pods]}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   priorityLevelConfiguration: {name: workload-low}
    ///   rules:
    ///   - subjects: [{kind: Group, group: {name: agents}}]
    ///     resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: [pods], namespaces: ["*"]}]
    /// ```
    FLOW_RULE_INVALID = "flow-rule-invalid", Error;

    /// ## What it does
    /// Refuses a subject of a FlowSchema without the field of its kind, or with that of another:
    /// `user`, `group` or `serviceAccount`.
    ///
    /// ## Why
    /// The API server refuses the schema. Subjects are not written as in the bindings of roles.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   priorityLevelConfiguration: {name: workload-low}
    ///   rules:
    ///   - subjects: [{kind: User, group: {name: agents}}]
    ///     nonResourceRules: [{verbs: [get], nonResourceURLs: [/healthz]}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: FlowSchema
    /// metadata: {name: agents}
    /// spec:
    ///   priorityLevelConfiguration: {name: workload-low}
    ///   rules:
    ///   - subjects: [{kind: Group, group: {name: agents}}]
    ///     nonResourceRules: [{verbs: [get], nonResourceURLs: [/healthz]}]
    /// ```
    FLOW_SUBJECT_INVALID = "flow-subject-invalid", Error;

    /// ## What it does
    /// Refuses a PriorityLevelConfiguration whose fields do not go with its type, or with the type of
    /// its response; the type `Exempt` under another name than `exempt`; and queues of which a flow
    /// gets too many.
    ///
    /// ## Why
    /// The API server refuses the object. Which queues a flow gets is chosen by 60 bits of a hash.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: PriorityLevelConfiguration
    /// metadata: {name: agents}
    /// spec:
    ///   type: Limited
    ///   limited:
    ///     limitResponse: {type: Reject, queuing: {queues: 16}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: flowcontrol.apiserver.k8s.io/v1
    /// kind: PriorityLevelConfiguration
    /// metadata: {name: agents}
    /// spec:
    ///   type: Limited
    ///   limited:
    ///     limitResponse: {type: Queue, queuing: {queues: 16, handSize: 4}}
    /// ```
    PRIORITY_LEVEL_INVALID = "priority-level-invalid", Error;
}
