//! Names, groups and conversion.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a definition in a group of Kubernetes (`k8s.io`, `kubernetes.io` and what lies below
    /// them) without the annotation `api-approved.kubernetes.io`, which has the address of the
    /// approval, or a reason that begins with `unapproved`.
    ///
    /// ## Why
    /// These groups belong to the Kubernetes community. The API server refuses a definition in them
    /// that nobody has approved.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.k8s.io}
    /// spec:
    ///   group: example.k8s.io
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
    CRD_APPROVAL_MISSING = "crd-approval-missing", Error;

    /// ## What it does
    /// Refuses a conversion that the API server cannot do: a webhook without an address, with two, or
    /// with one that is not `https`, a path that is not of the form of one, reviews in no version
    /// that API servers send, and a webhook beside `strategy: None`.
    ///
    /// ## Why
    /// The API server calls the webhook whenever an object is read in another version than the stored
    /// one, and refuses a definition whose webhook it could not call.
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
    ///   conversion:
    ///     strategy: Webhook
    ///     webhook: {clientConfig: {url: "http://convert.example.com"}, conversionReviewVersions: [v1]}
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
    ///   conversion:
    ///     strategy: Webhook
    ///     webhook: {clientConfig: {url: "https://convert.example.com"}, conversionReviewVersions: [v1]}
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
    CRD_CONVERSION_INVALID = "crd-conversion-invalid", Error;

    /// ## What it does
    /// Refuses a group that is no domain, or a domain without a dot.
    ///
    /// ## Why
    /// Groups are told apart by the domain of their owner. Those without a dot are the built-in ones
    /// of Kubernetes.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example}
    /// spec:
    ///   group: example
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
    CRD_GROUP_INVALID = "crd-group-invalid", Error;

    /// ## What it does
    /// Refuses a definition whose name is not the plural of its kind, a dot and its group.
    ///
    /// ## Why
    /// The API server refuses any other name, so that no two definitions describe one kind of object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: thing.example.com}
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
    CRD_NAME_MISMATCH = "crd-name-mismatch", Error;

    /// ## What it does
    /// Refuses a plural, singular, short name or category that is not lower-case letters, digits and
    /// dashes, a letter first; a kind that is not the same with capitals allowed; and a `listKind`
    /// that is the kind itself.
    ///
    /// ## Why
    /// The names become parts of addresses. Where `singular` and `listKind` are not given, they
    /// follow from the kind.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: things.example.com}
    /// spec:
    ///   group: example.com
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing, shortNames: [TH]}
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
    ///   names: {plural: things, kind: Thing, shortNames: [th]}
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
    CRD_NAMES_INVALID = "crd-names-invalid", Error;
}
