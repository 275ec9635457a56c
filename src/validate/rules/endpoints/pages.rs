//! What the rules of endpoints are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a subset of Endpoints, or an endpoint of an EndpointSlice, without an address.
    ///
    /// ## Why
    /// The API server refuses the object. A Service without endpoints has Endpoints without subsets.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: []}]
    /// ports: [{port: 5432}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.7]}]
    /// ports: [{port: 5432}]
    /// ```
    ENDPOINT_WITHOUT_ADDRESS = "endpoint-without-address", Error;

    /// ## What it does
    /// Refuses an address of an EndpointSlice that is not of its `addressType`: one of the other
    /// family, one of IPv6 that is not in its canonical form, a host name without a domain.
    ///
    /// ## Why
    /// The API server refuses the slice. Whoever reads it takes all its addresses for the same kind.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: ["2001:db8::7"]}]
    /// ports: [{port: 5432}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv6
    /// endpoints: [{addresses: ["2001:db8::7"]}]
    /// ports: [{port: 5432}]
    /// ```
    ENDPOINT_ADDRESS_INVALID = "endpoint-address-invalid", Error;

    /// ## What it does
    /// Refuses ports of Endpoints of which one has no name although there are several, and ports of an
    /// EndpointSlice with the same name, or two without one.
    ///
    /// ## Why
    /// The API server refuses the object: ports of endpoints and of Services belong together by name.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.7]}]
    /// ports: [{port: 5432}, {port: 9187}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.7]}]
    /// ports: [{name: sql, port: 5432}, {name: metrics, port: 9187}]
    /// ```
    ENDPOINT_PORT_INVALID = "endpoint-port-invalid", Error;

    /// ## What it does
    /// Refuses `hints` of an endpoint that name a zone which no label of a node can have, or a zone or
    /// a node twice.
    ///
    /// ## Why
    /// The API server refuses the slice.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.7], hints: {forZones: [{name: a}, {name: a}]}}]
    /// ports: [{port: 5432}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.7], hints: {forZones: [{name: a}, {name: b}]}}]
    /// ports: [{port: 5432}]
    /// ```
    ENDPOINT_HINT_INVALID = "endpoint-hint-invalid", Error;

    /// ## What it does
    /// Refuses an EndpointSlice with more than 1,000 endpoints or 20,000 ports, an endpoint with more
    /// than 100 addresses, and more than 8 zones or nodes in its hints.
    ///
    /// ## Why
    /// The API server refuses the slice. A Service can have any number of slices.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints:
    /// - addresses: [10.0.0.7]
    ///   hints:
    ///     forZones: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}]
    /// ports: [{port: 5432}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
    /// addressType: IPv4
    /// endpoints:
    /// - addresses: [10.0.0.7]
    ///   hints:
    ///     forZones: [{name: a}]
    /// ports: [{port: 5432}]
    /// ```
    ENDPOINTS_TOO_MANY = "endpoints-too-many", Error;
}
