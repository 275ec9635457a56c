//! What the rules of Ingresses are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a backend of an Ingress that names nothing, both a Service and another object, no port
    /// of its Service, or a port by name and number.
    ///
    /// ## Why
    /// The API server refuses the Ingress.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: web.example.com
    ///     http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http, number: 80}}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: web.example.com
    ///     http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ```
    INGRESS_BACKEND_INVALID = "ingress-backend-invalid", Error;

    /// ## What it does
    /// Refuses an Ingress whose annotation `kubernetes.io/ingress.class` differs from its
    /// `ingressClassName`.
    ///
    /// ## Why
    /// The API server refuses a new Ingress with two classes. The annotation is the older way to say
    /// it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata:
    ///   name: web
    ///   annotations: {kubernetes.io/ingress.class: nginx}
    /// spec:
    ///   ingressClassName: traefik
    ///   defaultBackend: {service: {name: web, port: {number: 80}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   ingressClassName: nginx
    ///   defaultBackend: {service: {name: web, port: {number: 80}}}
    /// ```
    INGRESS_CLASS_CONFLICT = "ingress-class-conflict", Error;

    /// ## What it does
    /// Refuses a host of an Ingress that is no DNS name in lower case. The first label may be `*`,
    /// which stands for one label.
    ///
    /// ## Why
    /// The API server refuses the Ingress. A scheme, a port and a path are no part of the host, and a
    /// rule takes no IP address.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: https://web.example.com
    ///     http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: web.example.com
    ///     http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ```
    INGRESS_HOST_INVALID = "ingress-host-invalid", Error;

    /// ## What it does
    /// Refuses a path of an Ingress that does not start with `/`. With `pathType: Exact` or `Prefix`
    /// it also refuses a missing path, and one with `//`, `/./`, `/../` or an escaped `/`.
    ///
    /// ## Why
    /// The API server refuses the Ingress: such a path matches no request, or another one than it
    /// seems to.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: web.example.com
    ///     http:
    ///       paths: [{path: api, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - host: web.example.com
    ///     http:
    ///       paths: [{path: /api, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ```
    INGRESS_PATH_INVALID = "ingress-path-invalid", Error;

    /// ## What it does
    /// Refuses an Ingress with neither rules nor a default backend, and a rule with an empty list of
    /// paths.
    ///
    /// ## Why
    /// The API server refuses it: there is nothing to send requests to.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   ingressClassName: nginx
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   ingressClassName: nginx
    ///   defaultBackend: {service: {name: web, port: {number: 80}}}
    /// ```
    INGRESS_WITHOUT_BACKEND = "ingress-without-backend", Error;
}
