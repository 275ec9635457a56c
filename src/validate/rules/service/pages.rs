//! What the rules of Services are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses addresses of a Service that contradict each other: `clusterIPs` that does not begin
    /// with `clusterIP`, two addresses or families of the same family, an address of another family
    /// than `ipFamilies` says, two families where `ipFamilyPolicy` has one, and `None` beside an
    /// address.
    ///
    /// ## Why
    /// The API server refuses the Service. It fills the addresses in itself, so most manifests do
    /// best without them; they are often left over from an export.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80}]
    ///   clusterIP: 10.96.0.10
    ///   clusterIPs: [10.96.0.11]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80}]
    /// ```
    CLUSTER_IP_INVALID = "cluster-ip-invalid", Error;

    /// ## What it does
    /// Refuses a Service of type `ExternalName` without `externalName`, or with one that is no DNS
    /// name in lower case. A dot at the end is allowed.
    ///
    /// ## Why
    /// The API server refuses the Service. It becomes an alias in DNS, so the name has neither a
    /// scheme nor a port.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: ExternalName
    ///   externalName: https://db.example.com
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: ExternalName
    ///   externalName: db.example.com
    /// ```
    EXTERNAL_NAME_INVALID = "external-name-invalid", Error;

    /// ## What it does
    /// Warns of a `nodePort` that is not between 30000 and 32767.
    ///
    /// ## Why
    /// The API server refuses it, unless its administrator gave it another range with
    /// `--service-node-port-range`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: NodePort
    ///   ports: [{port: 80, nodePort: 8080}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: NodePort
    ///   ports: [{port: 80, nodePort: 30080}]
    /// ```
    NODE_PORT_OUTSIDE_RANGE = "node-port-outside-range", Warning;

    /// ## What it does
    /// Refuses a Service whose annotations `service.kubernetes.io/topology-mode` and
    /// `service.kubernetes.io/topology-aware-hints` differ.
    ///
    /// ## Why
    /// They are the new and the old name of one setting. The API server refuses a Service that
    /// gives it two values.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    ///   annotations:
    ///     service.kubernetes.io/topology-mode: Auto
    ///     service.kubernetes.io/topology-aware-hints: Disabled
    /// spec:
    ///   ports: [{port: 80}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    ///   annotations:
    ///     service.kubernetes.io/topology-mode: Auto
    /// spec:
    ///   ports: [{port: 80}]
    /// ```
    SERVICE_ANNOTATIONS_DIFFER = "service-annotations-differ", Error;

    /// ## What it does
    /// Refuses a field that Services of this type do not have: `nodePort` with `ClusterIP`, an
    /// address with `ExternalName`, `clusterIP: None` with `NodePort` and `LoadBalancer`,
    /// `externalTrafficPolicy` where no traffic comes from outside, and the settings of load
    /// balancers with any other type.
    ///
    /// ## Why
    /// The API server refuses the Service. `type` is `ClusterIP` where it is not written.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports: [{port: 80, nodePort: 30080}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   type: NodePort
    ///   ports: [{port: 80, nodePort: 30080}]
    /// ```
    SERVICE_FIELD_OF_OTHER_TYPE = "service-field-of-other-type", Error;

    /// ## What it does
    /// Refuses two ports of a Service with the same name, with the same number and protocol, or
    /// with the same port of the nodes.
    ///
    /// ## Why
    /// The API server refuses the Service. TCP and UDP may share a number.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports:
    ///   - {name: http, port: 80}
    ///   - {name: metrics, port: 80, targetPort: 9090}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports:
    ///   - {name: http, port: 80}
    ///   - {name: metrics, port: 9090}
    /// ```
    SERVICE_PORT_DUPLICATE = "service-port-duplicate", Error;

    /// ## What it does
    /// Refuses a port without a name in a Service with several ports.
    ///
    /// ## Why
    /// The API server refuses the Service: endpoints and Ingresses tell its ports apart by their
    /// names.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports:
    ///   - {port: 80}
    ///   - {port: 9090}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports:
    ///   - {name: http, port: 80}
    ///   - {name: metrics, port: 9090}
    /// ```
    SERVICE_PORT_UNNAMED = "service-port-unnamed", Error;

    /// ## What it does
    /// Refuses a Service without ports.
    ///
    /// ## Why
    /// The API server refuses it. Only Services with `clusterIP: None` and those of type
    /// `ExternalName` do without: they are names in DNS.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   selector: {app: web}
    ///   ports: [{port: 80}]
    /// ```
    SERVICE_PORTS_MISSING = "service-ports-missing", Error;
}
