//! What the rules of this family say.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses an object that breaks a rule of its custom resource definition
    /// (`x-kubernetes-validations`).
    ///
    /// Refuses also a default in the definition that breaks one.
    ///
    /// The definition must be in the input, or named by `--crd`. Rules about updates (`oldSelf`) do not
    /// hold for new objects, unless they say `optionalOldSelf: true`.
    ///
    /// ## Why
    /// The API server refuses the object. A rule that has no value for an object counts as broken: it
    /// reads a field that is absent, or an index that a list does not have.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}, high: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.low <= self.high, message: low must not be above high}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Range
    /// metadata: {name: a, namespace: default}
    /// spec: {low: 5, high: 3}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}, high: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.low <= self.high, message: low must not be above high}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Range
    /// metadata: {name: a, namespace: default}
    /// spec: {low: 3, high: 5}
    /// ```
    CEL_RULE_BROKEN = "cel-rule-broken", Error;

    /// ## What it does
    /// Refuses texts beside the expression of a rule that the API server does not take: a blank rule or
    /// message, a message of several lines, a rule of several lines without a message, a
    /// `fieldPath` that leads to no field, `optionalOldSelf` without `oldSelf`.
    ///
    /// ## Why
    /// The API server refuses the whole definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.low > 0, fieldPath: low}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.low > 0, fieldPath: .low}
    /// ```
    CEL_RULE_FIELD_INVALID = "cel-rule-field-invalid", Error;

    /// ## What it does
    /// Refuses a rule of a custom resource definition whose expression does not compile: its syntax, a
    /// name that is not declared, types that do not go together, a value that is no bool (of a
    /// `messageExpression`: no string), a constant without a value, a function that the target version
    /// does not have, `oldSelf` where there is none.
    ///
    /// ## Why
    /// The API server compiles every rule against the schema that it stands in, and refuses the whole
    /// definition where one does not compile. A rule sees declared fields alone: none of a value whose
    /// type is not declared, and of `metadata` only `name` and `generateName`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.lwo > 0}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: ranges.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Range, plural: ranges}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {low: {type: integer}}
    ///               x-kubernetes-validations:
    ///                 - {rule: self.low > 0}
    /// ```
    CEL_RULE_INVALID = "cel-rule-invalid", Error;

    /// ## What it does
    /// Tells that a rule of a custom resource definition is not checked, in the definition or on an
    /// object.
    ///
    /// ## Why
    /// It needs what is not known here: time zones by their names, numbers in scientific form, objects of
    /// types of protocol buffers, durations in words; or it is longer or deeper than what is looked at.
    /// The API server may refuse what passes here.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: events.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Event, plural: events}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {start: {type: string, format: date-time}}
    ///               x-kubernetes-validations:
    ///                 - {rule: "self.start.getHours('Europe/Berlin') < 12"}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Event
    /// metadata: {name: a, namespace: default}
    /// spec: {start: "2026-01-01T08:00:00Z"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: events.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Event, plural: events}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {start: {type: string, format: date-time}}
    ///               x-kubernetes-validations:
    ///                 - {rule: "self.start.getHours('+01:00') < 12"}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Event
    /// metadata: {name: a, namespace: default}
    /// spec: {start: "2026-01-01T08:00:00Z"}
    /// ```
    CEL_RULE_NOT_CHECKED = "cel-rule-not-checked", Warning;

    /// ## What it does
    /// Refuses a rule of a custom resource definition that may take longer than the API server allows,
    /// and a version whose rules may do so together.
    ///
    /// ## Why
    /// The API server estimates what a rule costs for the largest object that the schema takes, times the
    /// number of places that the rule can hold for, and refuses the definition above its limit. A list, a
    /// map or a text without a bound counts as large as a whole request of 3 MiB.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: groups.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Group, plural: groups}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties: {names: {type: array, items: {type: string}}}
    ///               x-kubernetes-validations:
    ///                 - {rule: "self.names.all(a, self.names.exists_one(b, a == b))"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: groups.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {kind: Group, plural: groups}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec:
    ///               type: object
    ///               properties:
    ///                 names: {type: array, maxItems: 50, items: {type: string, maxLength: 63}}
    ///               x-kubernetes-validations:
    ///                 - {rule: "self.names.all(a, self.names.exists_one(b, a == b))"}
    /// ```
    CEL_RULE_TOO_EXPENSIVE = "cel-rule-too-expensive", Error;
}
