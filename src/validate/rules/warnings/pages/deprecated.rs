//! What the rules of deprecated annotations and fields are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an annotation that nothing reads any more, or that a field took the place of.
    ///
    /// ## Why
    /// The API server stores any annotation. One that has no effect looks as if the Pod were
    /// protected, placed or mounted in a way that it is not.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web
    ///   annotations: {seccomp.security.alpha.kubernetes.io/pod: runtime/default}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   securityContext: {seccompProfile: {type: RuntimeDefault}}
    ///   containers: [{name: web, image: nginx:1.29}]
    /// ```
    ANNOTATION_DEPRECATED = "annotation-deprecated", Warning;

    /// ## What it does
    /// Reports a field, or a value of a field, that Kubernetes has deprecated.
    ///
    /// ## Why
    /// It still works, and a later version need not have it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   trafficDistribution: PreferClose
    ///   ports: [{port: 80}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   trafficDistribution: PreferSameZone
    ///   ports: [{port: 80}]
    /// ```
    FIELD_DEPRECATED = "field-deprecated", Warning;
}
