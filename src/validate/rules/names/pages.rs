//! What the rule for names of other objects is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the name of a ConfigMap, a Secret, a service account, a class or another object that a
    /// field names, where it is no DNS subdomain: lower-case letters, digits, `-` and `.`. Names of
    /// roles are free, without `/` and `%`.
    ///
    /// ## Why
    /// The API server refuses the object: no other can have such a name.
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
    ///     envFrom: [{configMapRef: {name: My_Settings, optional: true}}]
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
    ///     envFrom: [{configMapRef: {name: my-settings, optional: true}}]
    /// ```
    REFERENCE_NAME_INVALID = "reference-name-invalid", Error;
}
