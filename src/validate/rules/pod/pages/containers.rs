//! What the rules of containers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a Pod with an empty list of containers. Init containers do not count.
    ///
    /// ## Why
    /// The API server refuses it: a Pod ends with its last container, so it needs one.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: []
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    CONTAINERS_EMPTY = "containers-empty", Error;

    /// ## What it does
    /// Refuses a container whose name is no DNS label: at most 63 lower-case letters, digits and
    /// dashes, with a letter or a digit at both ends.
    ///
    /// ## Why
    /// The API server refuses the Pod. Unlike names of objects, a container's name has no dots.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: My_App, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: my-app, image: "python:3.13"}]
    /// ```
    CONTAINER_NAME_INVALID = "container-name-invalid", Error;

    /// ## What it does
    /// Refuses two containers of one Pod with the same name. Init containers and containers share
    /// their names.
    ///
    /// ## Why
    /// The API server refuses the Pod: logs, probes and patches find a container by its name.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   initContainers: [{name: main, image: "python:3.13"}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   initContainers: [{name: setup, image: "python:3.13"}]
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    CONTAINER_NAME_DUPLICATE = "container-name-duplicate", Error;

    /// ## What it does
    /// Refuses an image with white space before or behind it. In the template of a built-in workload
    /// it is a warning: the API server takes the workload.
    ///
    /// ## Why
    /// The API server refuses the Pod. It is the only thing that it checks in an image, so other
    /// typing errors show when the image is pulled.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13 "}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    IMAGE_WITH_SPACE = "image-with-space", Error;

    /// ## What it does
    /// Refuses `ephemeralContainers` in a Pod or a template.
    ///
    /// ## Why
    /// The API server refuses them: an ephemeral container is added to a running Pod, to look into
    /// it, and is no part of what a Pod starts with.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   ephemeralContainers: [{name: look, image: "busybox:1.37"}]
    /// ```
    ///
    /// ## Use instead
    /// Add it while the Pod runs: `kubectl debug web --image=busybox:1.37`.
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    EPHEMERAL_CONTAINERS_ON_CREATE = "ephemeral-containers-on-create", Error;
}
