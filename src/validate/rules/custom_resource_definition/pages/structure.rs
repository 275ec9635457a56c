//! What makes a schema structural, and defaults.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a default that the schema beside it would not take: another type, a value out of
    /// bounds, a field that the schema does not have, a required field that is absent.
    ///
    /// ## Why
    /// The API server puts the default into objects and checks them afterwards, so it refuses a
    /// definition with a default that could never pass.
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
    ///           spec: {type: object, properties: {a: {type: integer, minimum: 1, default: 0}}}
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
    ///           spec: {type: object, properties: {a: {type: integer, minimum: 1, default: 1}}}
    /// ```
    CRD_DEFAULT_INVALID = "crd-default-invalid", Error;

    /// ## What it does
    /// Refuses a schema that says more of the metadata of an object than that it is an object, and
    /// what its `name` and `generateName` are; a default in `apiVersion`, `kind` or `metadata`; a
    /// word on `metadata` inside of `allOf`, `anyOf`, `oneOf` or `not`; and an object embedded in
    /// metadata.
    ///
    /// ## Why
    /// Metadata is the same for all kinds, and the API server checks it itself.
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
    ///         properties: {metadata: {type: object, description: the name}}
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
    ///         properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 20}}}}
    /// ```
    CRD_METADATA_RESTRICTED = "crd-metadata-restricted", Error;

    /// ## What it does
    /// Refuses `type`, `description`, `default` and other keywords that describe a value inside of
    /// `allOf`, `anyOf`, `oneOf` or `not`, and fields that only they have.
    ///
    /// ## Why
    /// These four only narrow what is declared outside of them: otherwise the API server would not
    /// know which fields an object has. The one exception is an integer or a string: `anyOf: [{type:
    /// integer}, {type: string}]`.
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
    ///           spec: {type: object, properties: {a: {type: string, anyOf: [{type: string, minLength: 3}, {enum: [a]}]}}}
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
    ///           spec: {type: object, properties: {a: {type: string, anyOf: [{minLength: 3}, {enum: [a]}]}}}
    /// ```
    CRD_NOT_STRUCTURAL = "crd-not-structural", Error;
}
