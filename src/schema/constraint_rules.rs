//! Rules about what the schema of a custom resource says beyond types.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an object inside of a custom resource that has no `apiVersion` or `kind`.
    ///
    /// ## Why
    /// The custom resource definition says that the field holds a whole object
    /// (`x-kubernetes-embedded-resource`). The API server refuses one that does not say what it is.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: wraps.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: wraps, singular: wrap, kind: Wrap, listKind: WrapList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Wrap
    /// metadata: {name: one}
    /// spec:
    ///   object: {kind: ConfigMap}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: wraps.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: wraps, singular: wrap, kind: Wrap, listKind: WrapList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Wrap
    /// metadata: {name: one}
    /// spec:
    ///   object: {apiVersion: v1, kind: ConfigMap}
    /// ```
    EMBEDDED_RESOURCE_INCOMPLETE = "embedded-resource-incomplete", Error;

    /// ## What it does
    /// Reports an object inside of a custom resource whose `apiVersion`, `kind`, name or namespace is of no
    /// form that one can have.
    ///
    /// ## Why
    /// The custom resource definition says that the field holds a whole object
    /// (`x-kubernetes-embedded-resource`). The API server refuses one that no server could have.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: wraps.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: wraps, singular: wrap, kind: Wrap, listKind: WrapList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Wrap
    /// metadata: {name: one}
    /// spec:
    ///   object: {apiVersion: v1, kind: Config Map}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: wraps.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: wraps, singular: wrap, kind: Wrap, listKind: WrapList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Wrap
    /// metadata: {name: one}
    /// spec:
    ///   object: {apiVersion: v1, kind: ConfigMap}
    /// ```
    EMBEDDED_RESOURCE_INVALID = "embedded-resource-invalid", Error;

    /// ## What it does
    /// Reports text of a custom resource that does not have the format its schema asks for: a date, an
    /// address, a range of addresses, a UUID.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: nets.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: nets, singular: net, kind: Net, listKind: NetList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {range: {type: string, format: cidr}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Net
    /// metadata: {name: one}
    /// spec: {range: 10.0.0.0}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: nets.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: nets, singular: net, kind: Net, listKind: NetList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {range: {type: string, format: cidr}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Net
    /// metadata: {name: one}
    /// spec: {range: 10.0.0.0/8}
    /// ```
    FORMAT_MISMATCH = "format-mismatch", Error;

    /// ## What it does
    /// Reports a number of a custom resource that is below the minimum or above the maximum of its
    /// schema, or not a multiple of what it asks for.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - {name: main, image: "python:3.13"}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: -1
    ///   sandboxTemplateRef: {name: python}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - {name: main, image: "python:3.13"}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ```
    NUMBER_OUT_OF_RANGE = "number-out-of-range", Error;

    /// ## What it does
    /// Reports text of a custom resource in which the pattern of its schema is not found.
    ///
    /// ## Why
    /// The API server refuses the object. Unless a pattern begins with `^` and ends with `$`, it may
    /// be found anywhere in the text.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: teams.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: teams, singular: team, kind: Team, listKind: TeamList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {mail: {type: string, pattern: "@"}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Team
    /// metadata: {name: one}
    /// spec: {mail: example.com}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: teams.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: teams, singular: team, kind: Team, listKind: TeamList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {mail: {type: string, pattern: "@"}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Team
    /// metadata: {name: one}
    /// spec: {mail: core@example.com}
    /// ```
    PATTERN_MISMATCH = "pattern-mismatch", Error;

    /// ## What it does
    /// Reports a value of a custom resource that keeps none of the alternatives of its schema
    /// (`anyOf`), not exactly one of them (`oneOf`), or what the schema rules out (`not`).
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: sources.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: sources, singular: source, kind: Source, listKind: SourceList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {url: {type: string}, path: {type: string}}, oneOf: [{required: [url]}, {required: [path]}]}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Source
    /// metadata: {name: one}
    /// spec: {url: "https://example.com", path: /data}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: sources.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: sources, singular: source, kind: Source, listKind: SourceList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {url: {type: string}, path: {type: string}}, oneOf: [{required: [url]}, {required: [path]}]}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Source
    /// metadata: {name: one}
    /// spec: {url: "https://example.com"}
    /// ```
    SCHEMA_ALTERNATIVE_UNMET = "schema-alternative-unmet", Error;

    /// ## What it does
    /// Reports text, a list or a map of a custom resource that is shorter or longer than its schema
    /// allows. The length of text is counted in characters, not in bytes.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: teams.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: teams, singular: team, kind: Team, listKind: TeamList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {title: {type: string, maxLength: 4}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Team
    /// metadata: {name: one}
    /// spec: {title: Compilers}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: teams.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: teams, singular: team, kind: Team, listKind: TeamList}
    ///   versions:
    ///     - name: v1
    ///       served: true
    ///       storage: true
    ///       schema:
    ///         openAPIV3Schema:
    ///           type: object
    ///           properties:
    ///             spec: {type: object, properties: {title: {type: string, maxLength: 4}}}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Team
    /// metadata: {name: one}
    /// spec: {title: Core}
    /// ```
    SIZE_OUT_OF_RANGE = "size-out-of-range", Error;
}
