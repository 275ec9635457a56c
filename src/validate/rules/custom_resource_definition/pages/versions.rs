//! Versions and what each of them has.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a printer column whose path has no dot in front.
    ///
    /// ## Why
    /// The API server refuses it. Nothing else of the path is looked at: a column whose path leads
    /// nowhere stays empty.
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
    ///     additionalPrinterColumns: [{name: Size, type: integer, jsonPath: spec.size}]
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///     additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_COLUMN_INVALID = "crd-column-invalid", Error;

    /// ## What it does
    /// Refuses a `deprecationWarning` of a version that is not deprecated, and one that is empty,
    /// longer than 256 bytes, or not to be printed.
    ///
    /// ## Why
    /// The API server sends the warning with each answer, in a header.
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
    ///     deprecationWarning: use v2
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///     deprecated: true
    ///     deprecationWarning: use v2
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_DEPRECATION_WARNING_INVALID = "crd-deprecation-warning-invalid", Error;

    /// ## What it does
    /// Refuses paths of the subresource `scale` that do not begin with `.spec.`, or with `.status.`,
    /// as each of them must.
    ///
    /// ## Why
    /// Autoscalers write the wanted number to `specReplicasPath` and read the current one from
    /// `statusReplicasPath`. The API server refuses paths that lead elsewhere.
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
    ///     subresources: {scale: {specReplicasPath: spec.size, statusReplicasPath: .status.size}}
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///     subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_SCALE_PATH_INVALID = "crd-scale-path-invalid", Error;

    /// ## What it does
    /// Refuses a version without a schema.
    ///
    /// ## Why
    /// In `apiextensions.k8s.io/v1` each version has a schema: the API server drops what it does not
    /// name.
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
    ///   - {name: v1, served: true, storage: true}
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
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_SCHEMA_MISSING = "crd-schema-missing", Error;

    /// ## What it does
    /// Refuses a selectable field that the schema does not have, that is metadata, that is no string,
    /// integer or boolean, or that is listed twice; and more than eight of them.
    ///
    /// ## Why
    /// The API server compares the value of the field with what is asked for, and refuses a
    /// definition where it could not.
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
    ///     selectableFields: [{jsonPath: .spec.color}]
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///     selectableFields: [{jsonPath: .spec.size}]
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_SELECTABLE_FIELD_INVALID = "crd-selectable-field-invalid", Error;

    /// ## What it does
    /// Refuses a definition in which no version, or more than one, has `storage: true`.
    ///
    /// ## Why
    /// Objects are stored in one version, and converted from it to the others.
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
    ///   - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
    ///   - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
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
    ///   - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
    ///   - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
    /// ```
    CRD_STORAGE_VERSION_NOT_ONE = "crd-storage-version-not-one", Error;

    /// ## What it does
    /// Refuses `spec.preserveUnknownFields: true`.
    ///
    /// ## Why
    /// It is a leftover of `apiextensions.k8s.io/v1beta1`. In `v1` the API server drops the fields
    /// that the schema does not have, save where the schema itself says otherwise.
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
    ///   preserveUnknownFields: true
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///           spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
    /// ```
    CRD_UNKNOWN_FIELDS_PRESERVED = "crd-unknown-fields-preserved", Error;

    /// ## What it does
    /// Refuses a name of a version that is not lower-case letters, digits and dashes, a letter first,
    /// and two versions of one name.
    ///
    /// ## Why
    /// The name is the second half of `apiVersion`, and a part of the address of every object.
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
    ///   - name: v1.0
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object, properties: {size: {type: integer}}}
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
    ///           spec: {type: object, properties: {size: {type: integer}}}
    /// ```
    CRD_VERSION_NAME_INVALID = "crd-version-name-invalid", Error;
}
