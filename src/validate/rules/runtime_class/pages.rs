//! What the rule of runtime classes is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `handler` of a RuntimeClass that is no DNS label: at most 63 lower-case letters, digits
    /// and dashes.
    ///
    /// ## Why
    /// The API server refuses the RuntimeClass. The handler is the name of a runtime in the settings of
    /// containerd or CRI-O.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: io.containerd.runsc.v1
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: node.k8s.io/v1
    /// kind: RuntimeClass
    /// metadata: {name: gvisor}
    /// handler: runsc
    /// ```
    RUNTIME_HANDLER_INVALID = "runtime-handler-invalid", Error;
}
