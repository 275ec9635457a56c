//! What the rules for references between objects are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Warns of a binding to a Role that is neither in the input, in its namespace, nor declared under
    /// `external`. A cluster role is looked for where the input has others; those that every cluster
    /// has are known. Nothing is said of an object that is alone in its namespace of the input.
    ///
    /// ## Why
    /// The API server takes the binding, and it grants nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: RoleBinding
    /// metadata: {name: read}
    /// roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: raeder}
    /// subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]
    /// ---
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: Role
    /// metadata: {name: reader}
    /// rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: RoleBinding
    /// metadata: {name: read}
    /// roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
    /// subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]
    /// ---
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: Role
    /// metadata: {name: reader}
    /// rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    /// ```
    ROLE_NOT_FOUND = "role-not-found", Warning;

    /// ## What it does
    /// Warns of a HorizontalPodAutoscaler for a Deployment, a StatefulSet, a replica set or a
    /// replication controller that is neither in the input, in its namespace, nor declared under
    /// `external`. Nothing is said of an object that is alone in its namespace of the input.
    ///
    /// ## Why
    /// The API server takes the autoscaler, and it scales nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: wep}
    ///   maxReplicas: 5
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: main, image: "nginx:1.29"}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata: {name: web}
    /// spec:
    ///   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    ///   maxReplicas: 5
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec: {containers: [{name: main, image: "nginx:1.29"}]}
    /// ```
    SCALE_TARGET_NOT_FOUND = "scale-target-not-found", Warning;

    /// ## What it does
    /// Warns of an Ingress that sends requests to a Service that is neither in the input, in its
    /// namespace, nor declared under `external`. Nothing is said of an object that is alone in its
    /// namespace of the input.
    ///
    /// ## Why
    /// The API server takes the Ingress, and requests are answered with an error. An Ingress cannot
    /// name a Service of another namespace.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: wep, port: {number: 80}}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, targetPort: 8080}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, targetPort: 8080}]
    /// ```
    SERVICE_NOT_FOUND = "service-not-found", Warning;

    /// ## What it does
    /// Warns of an Ingress that names a port that the Service in the input does not have.
    ///
    /// ## Why
    /// The API server takes the Ingress, and requests are answered with an error. The number is `port`
    /// of the Service; `targetPort`, behind it, is the business of the Service alone.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 8080}}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, targetPort: 8080}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: Ingress
    /// metadata: {name: web}
    /// spec:
    ///   rules:
    ///   - http:
    ///       paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, targetPort: 8080}]
    /// ```
    SERVICE_PORT_NOT_FOUND = "service-port-not-found", Warning;
}
