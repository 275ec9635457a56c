//! The rules about exceptions themselves.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Points at an exception for a finding that is an error.
    ///
    /// ## Why
    /// An error says that the API server refuses the object, or that nothing can be made of the
    /// definition. No comment changes that, so the error stands and the exception does nothing. What
    /// can be allowed are warnings and notes, and what a Pod Security level forbids.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// datas: {} # sandboxc: allow unknown-field because another tool reads it
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: web
    ///   annotations: {example.com/datas: "{}"}
    /// ```
    EXCEPTION_FOR_ERROR = "exception-for-error", Warning;

    /// ## What it does
    /// Points at a comment that begins with `sandboxc:` and cannot be read.
    ///
    /// ## Why
    /// It looks like an exception, and allows nothing.
    ///
    /// ## Example
    /// ```yaml
    /// # sandboxc: ignore api-version-deprecated
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # sandboxc: allow api-version-deprecated because an old client reads it
    /// apiVersion: v1
    /// kind: Endpoints
    /// metadata: {name: web}
    /// ```
    EXCEPTION_MALFORMED = "exception-malformed", Warning;

    /// ## What it does
    /// Points at an exception for a rule that does not exist.
    ///
    /// ## Why
    /// It allows nothing: the name is misspelt, or the rule was renamed.
    ///
    /// ## Example
    /// ```yaml
    /// # sandboxc: allow api-version-depricated because an old client reads it
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # sandboxc: allow api-version-deprecated because an old client reads it
    /// apiVersion: v1
    /// kind: Endpoints
    /// metadata: {name: web}
    /// ```
    EXCEPTION_RULE_UNKNOWN = "exception-rule-unknown", Warning;

    /// ## What it does
    /// Points at an exception that allows nothing, because nothing is found where it holds.
    ///
    /// ## Why
    /// What it was written for is gone or has moved. Left where it is, it would hide the next finding
    /// of the rule. It is said only of a run without errors, for with errors not every rule came to
    /// look.
    ///
    /// ## Example
    /// ```yaml
    /// # sandboxc: allow api-version-deprecated because the cluster is old
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// ```
    EXCEPTION_UNUSED = "exception-unused", Warning;

    /// ## What it does
    /// Points at an exception that does not say why.
    ///
    /// ## Why
    /// Whoever reads it later cannot tell whether it still has a point. So it does not hold.
    ///
    /// ## Example
    /// ```yaml
    /// # sandboxc: allow api-version-deprecated
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # sandboxc: allow api-version-deprecated because an old client reads it
    /// apiVersion: v1
    /// kind: Endpoints
    /// metadata: {name: web}
    /// ```
    EXCEPTION_WITHOUT_REASON = "exception-without-reason", Warning;
}
