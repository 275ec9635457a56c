//! What the rules of Pod Security's labels are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a label of Pod Security admission whose value is no level, or no version.
    ///
    /// ## Why
    /// The API server refuses the Namespace. Levels are `privileged`, `baseline` and `restricted`;
    /// versions are `latest` and those of Kubernetes, written like `v1.36`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Namespace
    /// metadata:
    ///   name: shop
    ///   labels: {pod-security.kubernetes.io/enforce: strict}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Namespace
    /// metadata:
    ///   name: shop
    ///   labels: {pod-security.kubernetes.io/enforce: restricted}
    /// ```
    LABEL_INVALID = "pod-security-label-invalid", Error;

    /// ## What it does
    /// Reports a label that begins like those of Pod Security admission and is none of them.
    ///
    /// ## Why
    /// It holds no Pod to anything, and nobody says so: the API server takes any label.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Namespace
    /// metadata:
    ///   name: shop
    ///   labels: {pod-security.kubernetes.io/enforced: restricted}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Namespace
    /// metadata:
    ///   name: shop
    ///   labels: {pod-security.kubernetes.io/enforce: restricted}
    /// ```
    LABEL_UNKNOWN = "pod-security-label-unknown", Warning;
}
