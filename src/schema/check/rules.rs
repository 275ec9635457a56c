//! The rules of the walker.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports a value that the API server's decoder refuses because of its form: base64 that is none.
    ///
    /// ## Why
    /// Binary fields (`data` of a Secret, `binaryData` of a ConfigMap, `caBundle`) hold base64 with the
    /// standard alphabet and padding. The object is refused as a whole, without naming the field.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: token}
    /// data:
    ///   token: hunter2
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: token}
    /// stringData:
    ///   token: hunter2
    /// ```
    BASE64_INVALID = "base64-invalid", Error;

    /// ## What it does
    /// Reports text that is no point in time where one is expected.
    ///
    /// ## Why
    /// Times are written as in RFC 3339, with a zone: `2026-01-31T12:00:00Z`. A date alone, or a time
    /// without a zone, is refused.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: coordination.k8s.io/v1
    /// kind: Lease
    /// metadata: {name: leader}
    /// spec:
    ///   renewTime: 2026-01-31 12:00
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: coordination.k8s.io/v1
    /// kind: Lease
    /// metadata: {name: leader}
    /// spec:
    ///   renewTime: "2026-01-31T12:00:00.000000Z"
    /// ```
    DATE_TIME_INVALID = "date-time-invalid", Error;

    /// ## What it does
    /// Reports text that is none of the values that the field takes.
    ///
    /// ## Why
    /// The API server refuses every other value, also one that differs only in upper and lower case.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   restartPolicy: never
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   restartPolicy: Never
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    ENUM_VALUE_UNKNOWN = "enum-value-unknown", Error;

    /// ## What it does
    /// Reports a value of an enum that the target version of Kubernetes does not have.
    ///
    /// ## Why
    /// A server of that version refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// # kubernetes: 1.36
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: db}
    /// spec:
    ///   selector: {matchLabels: {app: db}}
    ///   updateStrategy: {type: Recreate}
    ///   template:
    ///     metadata: {labels: {app: db}}
    ///     spec:
    ///       containers: [{name: db, image: "postgres:18"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # kubernetes: 1.36
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata: {name: db}
    /// spec:
    ///   selector: {matchLabels: {app: db}}
    ///   updateStrategy: {type: RollingUpdate}
    ///   template:
    ///     metadata: {labels: {app: db}}
    ///     spec:
    ///       containers: [{name: db, image: "postgres:18"}]
    /// ```
    ENUM_VALUE_NOT_IN_VERSION = "enum-value-not-in-version", Error;

    /// ## What it does
    /// Reports an object without a field that it needs.
    ///
    /// ## Why
    /// The API server refuses the object. `null` counts as missing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - image: nginx:1.29
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    /// ```
    FIELD_MISSING = "field-missing", Error;

    /// ## What it does
    /// Reports a field that some version of Kubernetes has, but not the target.
    ///
    /// ## Why
    /// A server of the target version does not know the field: it refuses the object, or, when it is
    /// not asked to be strict, drops the field without a word.
    ///
    /// ## Example
    /// ```yaml
    /// # kubernetes: 1.33
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostnameOverride: web.example
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # kubernetes: 1.34
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostnameOverride: web.example
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    FIELD_NOT_IN_VERSION = "field-not-in-version", Error;

    /// ## What it does
    /// Reports an integer that its field cannot hold.
    ///
    /// ## Why
    /// Most integers of Kubernetes have 32 bits. A larger one fails to decode.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   priority: 3000000000
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   priority: 1000000
    ///   containers:
    ///     - {name: web, image: "nginx:1.29"}
    /// ```
    INTEGER_OUT_OF_RANGE = "integer-out-of-range", Error;

    /// ## What it does
    /// Reports an output that breaks a schema through a value that no author wrote.
    ///
    /// ## Why
    /// A built-in layer set the value, so the fault is in this compiler, and the output cannot be used.
    ///
    /// ## Example
    /// ```text
    /// None is known. Please report the input that shows this finding.
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Set the field yourself, in `podOverrides` for instance, until the fault is repaired.
    /// ```
    INTERNAL = "internal", Error;

    /// ## What it does
    /// Reports an item that is twice in a list of a custom resource whose items are unique.
    ///
    /// ## Why
    /// The definition declares the list a set, or names the fields that tell its items apart
    /// (`x-kubernetes-list-type`). The API server refuses repetitions, also where a Pod with the same
    /// list would be accepted.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: work}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - name: work
    ///           image: python:3.13
    ///           env:
    ///             - {name: MODE, value: a}
    ///             - {name: MODE, value: b}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: work}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - name: work
    ///           image: python:3.13
    ///           env:
    ///             - {name: MODE, value: b}
    /// ```
    LIST_ITEM_DUPLICATE = "list-item-duplicate", Error;

    /// ## What it does
    /// Reports `null` in a list of a custom resource whose items are not nullable.
    ///
    /// ## Why
    /// In an object the API server drops a `null`, or puts the default there. In a list it keeps it, and
    /// then refuses it as a value of the wrong type. For built-in kinds it is an empty value.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: work}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - {name: work, image: "python:3.13", args: [--fast, null]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: agents.x-k8s.io/v1beta1
    /// kind: Sandbox
    /// metadata: {name: work}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       automountServiceAccountToken: false
    ///       containers:
    ///         - {name: work, image: "python:3.13", args: [--fast]}
    /// ```
    NULL_NOT_ALLOWED = "null-not-allowed", Error;

    /// ## What it does
    /// Reports an amount that Kubernetes cannot read.
    ///
    /// ## Why
    /// An amount is a number and a unit without a space: `500m`, `2`, `512Mi`, `1G`. Units are
    /// case-sensitive and have no `B`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       resources: {limits: {memory: 1GB}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       resources: {limits: {memory: 1G}}
    /// ```
    QUANTITY_INVALID = "quantity-invalid", Error;

    /// ## What it does
    /// Reports a key that the object does not have.
    ///
    /// ## Why
    /// It is a misspelt key, or a key at the wrong level. A server that is not asked to be strict drops
    /// it without a word, and what it was to do does not happen.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       imagePullpolicy: Always
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       imagePullPolicy: Always
    /// ```
    UNKNOWN_FIELD = "unknown-field", Error;

    /// ## What it does
    /// Reports a value of another type than its field has.
    ///
    /// ## Why
    /// The decoder converts nothing: `"3"` is no integer, `80` is no text, one item is no list.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       env:
    ///         - {name: WORKERS, value: 4}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///     - name: web
    ///       image: nginx:1.29
    ///       env:
    ///         - {name: WORKERS, value: "4"}
    /// ```
    WRONG_TYPE = "wrong-type", Error;
}
