//! What the rules for fields of any kind are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a field that the API server wants a text in, and that is empty or absent.
    /// Fields that the schema itself requires are reported as `field-missing` where they are absent.
    ///
    /// ## Why
    /// The schema takes an empty text, and many fields that it calls optional are not: a container
    /// without an image, a Secret volume without the name of the Secret. The API server refuses the
    /// object. An empty text is often what is left of a variable that was not set.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: ""}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13"}
    /// ```
    FIELD_EMPTY = "field-empty", Error;

    /// ## What it does
    /// Refuses a text outside the closed list that the API server has for the field, where the schema
    /// of Kubernetes does not have that list. Other lists are the subject of `enum-value-unknown`.
    ///
    /// ## Why
    /// The API server refuses the object. Upper and lower case count.
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
    ///     volumeMounts: [{name: work, mountPath: /work, readOnly: true, recursiveReadOnly: enabled}]
    ///   volumes: [{name: work, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /work, readOnly: true, recursiveReadOnly: Enabled}]
    ///   volumes: [{name: work, emptyDir: {}}]
    /// ```
    VALUE_UNSUPPORTED = "value-unsupported", Error;
}
