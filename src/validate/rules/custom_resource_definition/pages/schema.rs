//! Keywords of schemas.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a keyword of a schema where it makes no sense: `x-kubernetes-list-type` on what is no
    /// array, `x-kubernetes-map-type` on what is no object, `x-kubernetes-list-map-keys` without the
    /// list type `map`, `x-kubernetes-embedded-resource` on what is no object or says nothing of its
    /// fields, and what contradicts `x-kubernetes-int-or-string`. The root of a schema is an object,
    /// `apiVersion` and `kind` are strings, `metadata` is an object.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: object, x-kubernetes-list-type: set}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: array, items: {type: string}, x-kubernetes-list-type: set}}}
    /// ```
    CRD_KEYWORD_MISPLACED = "crd-keyword-misplaced", Error;

    /// ## What it does
    /// Refuses keywords of JSON Schema that definitions cannot have: `$ref`, `id`, `definitions`,
    /// `dependencies`, `patternProperties`, `additionalItems`, a list of schemas under `items`,
    /// `uniqueItems: true`, `additionalProperties` beside `properties` or at the root, `nullable` at
    /// the root, and `x-kubernetes-preserve-unknown-fields: false`. At the root of a version with the
    /// subresource `status`, only few keywords may stand.
    ///
    /// ## Why
    /// The API server refuses them: they would make pruning ambiguous, or checks slow.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: array, items: {type: string}, uniqueItems: true}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: array, items: {type: string}, x-kubernetes-list-type: set}}}
    /// ```
    CRD_KEYWORD_UNSUPPORTED = "crd-keyword-unsupported", Error;

    /// ## What it does
    /// Refuses a list of the type `map` whose keys are not those of its items, or may be absent,
    /// null, lists or objects; and items of a set that may be null, or that are themselves compared
    /// field by field.
    ///
    /// ## Why
    /// The items are told apart by these keys, and those of a set by their whole value. The API
    /// server refuses a definition where that cannot be done.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, properties: {id: {type: string}}}}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}}}}}}
    /// ```
    CRD_LIST_TYPE_INVALID = "crd-list-type-invalid", Error;

    /// ## What it does
    /// Refuses a `pattern` that is no regular expression as Go reads it (RE2).
    ///
    /// ## Why
    /// The API server compiles the pattern, and refuses the definition where it cannot. Lookahead,
    /// lookbehind, back references and possessive quantifiers do not exist there.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: string, pattern: '(?!a)b'}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: string, pattern: '^[^a]b'}}}
    /// ```
    CRD_PATTERN_INVALID = "crd-pattern-invalid", Error;

    /// ## What it does
    /// Refuses a schema without `type` at the root, of a field or of items, unless it has
    /// `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`; and an array without
    /// `items`.
    ///
    /// ## Why
    /// A structural schema says of each field what it is, so that the API server knows which fields
    /// to keep.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {description: the size}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {a: {type: integer, description: the size}}}
    /// ```
    CRD_TYPE_MISSING = "crd-type-missing", Error;
}
