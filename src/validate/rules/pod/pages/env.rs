//! What the rules of environment variables are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the name of an environment variable, or a prefix in `envFrom`, with a character that
    /// is not printable ASCII, or with `=`.
    ///
    /// ## Why
    /// The API server refuses the Pod. Other characters are allowed since Kubernetes 1.32, dots,
    /// blanks and a digit at the start among them, though a shell cannot read such variables.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", env: [{name: "MODE=", value: test}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", env: [{name: MODE, value: test}]}
    /// ```
    ENV_NAME_INVALID = "env-name-invalid", Error;

    /// ## What it does
    /// Refuses `valueFrom` or an entry of `envFrom` that does not say where the value comes from, and
    /// a `fileKeyRef` whose volume is no `emptyDir` of the Pod.
    ///
    /// ## Why
    /// The API server refuses the Pod. Before Kubernetes 1.35 it does not know `fileKeyRef`, so that
    /// one alone counts as none.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", env: [{name: MODE, valueFrom: {}}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", env: [{name: MODE, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}
    /// ```
    ENV_SOURCE_MISSING = "env-source-missing", Error;

    /// ## What it does
    /// Refuses an environment variable with two sources, or with a `value` and a source, and an entry
    /// of `envFrom` with two.
    ///
    /// ## Why
    /// The API server refuses the Pod: nothing says which one counts. An empty `value` is no value.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: POD, value: web, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
    /// ```
    ENV_SOURCE_CONFLICT = "env-source-conflict", Error;

    /// ## What it does
    /// Refuses a `fieldPath` that the API server does not let a container read. Variables and files
    /// have different lists: labels and annotations as a whole are for files, the node and the
    /// addresses for variables.
    ///
    /// ## Why
    /// The API server refuses the Pod. It knows a short list of fields, and the rest of the Pod stays
    /// closed.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: LABELS, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: APP, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}]
    /// ```
    FIELD_PATH_UNSUPPORTED = "field-path-unsupported", Error;

    /// ## What it does
    /// Refuses a `resourceFieldRef` to something other than a request or a limit of CPU, memory,
    /// ephemeral storage or huge pages, and a divisor that is not allowed for it: `1m` or `1` for
    /// CPU, 1 of any unit from `1` up for the others.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: CPU, valueFrom: {resourceFieldRef: {resource: cpu}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
    /// ```
    RESOURCE_FIELD_UNSUPPORTED = "resource-field-unsupported", Error;
}
