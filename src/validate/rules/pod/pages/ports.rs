//! What the rules of ports are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a `containerPort` or a `hostPort` outside of 1 to 65535. A `hostPort` of 0 means none.
    ///
    /// ## Why
    /// The API server refuses the Pod. 0 is no port to ask for: leave the entry out instead.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 70000}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 7000}]}
    /// ```
    PORT_OUT_OF_RANGE = "port-out-of-range", Error;

    /// ## What it does
    /// Refuses a port name that is no service name: at most 15 lower-case letters, digits and single
    /// dashes, with a letter among them and no dash at an end. The names of a Service's own ports may
    /// be longer, and are DNS labels.
    ///
    /// ## Why
    /// The API server refuses the object. Everything in quotes is a name: `targetPort: "8080"` is
    /// refused as well.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{name: http_api, containerPort: 80}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{name: http-api, containerPort: 80}]}
    /// ```
    PORT_NAME_INVALID = "port-name-invalid", Error;

    /// ## What it does
    /// Refuses two ports of one container with the same name. Ports of different containers may share
    /// one.
    ///
    /// ## Why
    /// The API server refuses the Pod: a Service or a probe that names the port would not know which
    /// is meant.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     ports: [{name: http, containerPort: 80}, {name: http, containerPort: 8080}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     ports: [{name: http, containerPort: 80}, {name: admin, containerPort: 8080}]
    /// ```
    PORT_NAME_DUPLICATE = "port-name-duplicate", Error;

    /// ## What it does
    /// Refuses a Pod whose containers want the same port of the node twice: the same number, protocol
    /// and address. With `hostNetwork` each `containerPort` of a Pod is a port of the node.
    ///
    /// ## Why
    /// The API server refuses the Pod. Init containers run one after the other, so only the ports of
    /// one init container are compared with each other.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 80, hostPort: 8080}]}
    ///   - {name: side, image: "python:3.13", ports: [{containerPort: 81, hostPort: 8080}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 80, hostPort: 8080}]}
    ///   - {name: side, image: "python:3.13", ports: [{containerPort: 81, hostPort: 8081}]}
    /// ```
    HOST_PORT_CONFLICT = "host-port-conflict", Error;

    /// ## What it does
    /// Refuses a `hostPort` that is not the `containerPort`, in a Pod with `hostNetwork: true`.
    ///
    /// ## Why
    /// The API server refuses the Pod: a program in the network of the node listens on the node's own
    /// port, and nothing maps it to another one.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostNetwork: true
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 80, hostPort: 8080}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   hostNetwork: true
    ///   containers:
    ///   - {name: main, image: "python:3.13", ports: [{containerPort: 80}]}
    /// ```
    HOST_PORT_DIFFERS = "host-port-differs", Error;
}
