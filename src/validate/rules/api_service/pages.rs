//! What the rule of registered APIs is documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses an APIService whose name is not its version and its group with a dot between them, one
    /// with a certificate or `insecureSkipTLSVerify` and no Service, and one with both of them.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiregistration.k8s.io/v1
    /// kind: APIService
    /// metadata: {name: metrics}
    /// spec:
    ///   group: metrics.k8s.io
    ///   version: v1beta1
    ///   groupPriorityMinimum: 100
    ///   versionPriority: 100
    ///   service: {namespace: kube-system, name: metrics-server}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apiregistration.k8s.io/v1
    /// kind: APIService
    /// metadata: {name: v1beta1.metrics.k8s.io}
    /// spec:
    ///   group: metrics.k8s.io
    ///   version: v1beta1
    ///   groupPriorityMinimum: 100
    ///   versionPriority: 100
    ///   service: {namespace: kube-system, name: metrics-server}
    /// ```
    API_SERVICE_INVALID = "api-service-invalid", Error;
}
