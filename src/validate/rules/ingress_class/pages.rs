//! What the rules of ingress classes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the `controller` of an ingress class that is not of the form `example.com/controller`,
    /// or longer than 250 characters.
    ///
    /// ## Why
    /// The API server refuses the class. Controllers look for the classes with their own name.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: IngressClass
    /// metadata: {name: edge}
    /// spec:
    ///   controller: nginx
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: IngressClass
    /// metadata: {name: edge}
    /// spec:
    ///   controller: k8s.io/ingress-nginx
    /// ```
    CONTROLLER_NAME_INVALID = "controller-name-invalid", Error;

    /// ## What it does
    /// Refuses `parameters` of an ingress class with `scope: Namespace` and no namespace, or with a
    /// namespace and another scope. The scope is `Cluster` where it is not written.
    ///
    /// ## Why
    /// The API server refuses the class.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: IngressClass
    /// metadata: {name: edge}
    /// spec:
    ///   controller: example.com/edge
    ///   parameters: {apiGroup: example.com, kind: Edge, name: main, namespace: edge}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: IngressClass
    /// metadata: {name: edge}
    /// spec:
    ///   controller: example.com/edge
    ///   parameters: {apiGroup: example.com, kind: Edge, name: main, scope: Namespace, namespace: edge}
    /// ```
    INGRESS_CLASS_PARAMETERS_INVALID = "ingress-class-parameters-invalid", Error;
}
