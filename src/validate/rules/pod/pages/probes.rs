//! What the rules of probes and hooks are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a probe or a lifecycle hook that does nothing: without a handler, or with `exec` and
    /// no command.
    ///
    /// ## Why
    /// The API server refuses the Pod.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", livenessProbe: {periodSeconds: 5}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}}
    /// ```
    HANDLER_MISSING = "handler-missing", Error;

    /// ## What it does
    /// Refuses a probe or a lifecycle hook with two handlers.
    ///
    /// ## Why
    /// The API server refuses the Pod: a probe does one thing. It often happens when an override adds
    /// a handler beside the one that is there.
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
    ///     livenessProbe: {exec: {command: ["true"]}, tcpSocket: {port: 80}}
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
    ///     livenessProbe: {tcpSocket: {port: 80}}
    /// ```
    HANDLER_CONFLICT = "handler-conflict", Error;

    /// ## What it does
    /// Refuses the port of a probe or a hook that is neither a number from 1 to 65535 nor the name of
    /// a port.
    ///
    /// ## Why
    /// The API server refuses the Pod. A number in quotes is a name, and a name needs a letter.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", livenessProbe: {tcpSocket: {port: "80"}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", livenessProbe: {tcpSocket: {port: 80}}}
    /// ```
    HANDLER_PORT_INVALID = "handler-port-invalid", Error;

    /// ## What it does
    /// Warns of a probe or a hook that names a port which its container does not have.
    ///
    /// ## Why
    /// The API server takes the Pod. The kubelet looks for the name among the `ports` of the container,
    /// finds none, and counts each attempt as failed: the container is restarted, or never ready.
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
    ///     ports: [{name: http, containerPort: 8080}]
    ///     readinessProbe: {tcpSocket: {port: htpp}}
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
    ///     ports: [{name: http, containerPort: 8080}]
    ///     readinessProbe: {tcpSocket: {port: http}}
    /// ```
    HANDLER_PORT_NOT_FOUND = "handler-port-not-found", Warning;

    /// ## What it does
    /// Refuses the name of an HTTP header with something other than letters, digits and dashes.
    ///
    /// ## Why
    /// The API server refuses the Pod.
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
    ///     livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: "X Probe", value: a}]}}
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
    ///     livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: X-Probe, value: a}]}}
    /// ```
    HTTP_HEADER_INVALID = "http-header-invalid", Error;

    /// ## What it does
    /// Refuses probes and lifecycle hooks of an init container, unless it has `restartPolicy:
    /// Always`.
    ///
    /// ## Why
    /// The API server refuses the Pod: an init container runs to its end before the next one starts.
    /// With `restartPolicy: Always` it runs beside the others, and can be probed.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   initContainers:
    ///   - {name: setup, image: "python:3.13", readinessProbe: {tcpSocket: {port: 80}}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   initContainers:
    ///   - {name: setup, image: "python:3.13", restartPolicy: Always, readinessProbe: {tcpSocket: {port: 80}}}
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    INIT_CONTAINER_PROBED = "init-container-probed", Error;

    /// ## What it does
    /// Refuses negative numbers in a probe, a `successThreshold` other than 1 of a liveness or
    /// startup probe, a grace period of 0 or less, and a grace period of a readiness probe.
    ///
    /// ## Why
    /// The API server refuses the Pod. 0 is filled in with the default, except for the grace period.
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
    ///     livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}
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
    ///     livenessProbe: {tcpSocket: {port: 80}, successThreshold: 1}
    /// ```
    PROBE_NUMBER_INVALID = "probe-number-invalid", Error;

    /// ## What it does
    /// Refuses a hook that sleeps longer than the Pod's `terminationGracePeriodSeconds`, which is 30
    /// where it is not set, or a negative time.
    ///
    /// ## Why
    /// The API server refuses the Pod: it would be killed while it sleeps.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", lifecycle: {preStop: {sleep: {seconds: 60}}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   terminationGracePeriodSeconds: 90
    ///   containers:
    ///   - {name: main, image: "python:3.13", lifecycle: {preStop: {sleep: {seconds: 60}}}}
    /// ```
    PRE_STOP_SLEEP_TOO_LONG = "pre-stop-sleep-too-long", Error;
}
