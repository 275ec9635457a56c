//! What the rule of tolerations is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a toleration without a key and without `operator: Exists`, one with `Exists` and a
    /// value, one with `tolerationSeconds` and another effect than `NoExecute`, and keys and values
    /// that no taint has.
    ///
    /// ## Why
    /// The API server refuses the object. `Lt` and `Gt` stand in the schema and are turned off.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   tolerations: [{key: gpu, operator: Exists, value: "true"}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   tolerations: [{key: gpu, operator: Equal, value: "true"}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    TOLERATION_INVALID = "toleration-invalid", Error;
}
