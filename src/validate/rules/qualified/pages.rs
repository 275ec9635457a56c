//! What the rule for names with a domain is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a text that has to be a name with an optional domain, and is not: `appProtocol` and
    /// `loadBalancerClass` of a Service, `provisioner` of a storage class.
    ///
    /// ## Why
    /// The API server refuses the object. The name has at most 63 letters, digits, `-`, `_` and `.`;
    /// a DNS subdomain and `/` may stand in front of it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, appProtocol: "HTTP 2"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, appProtocol: kubernetes.io/h2c}]
    /// ```
    QUALIFIED_NAME_INVALID = "qualified-name-invalid", Error;
}
