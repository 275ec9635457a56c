//! What the rules for amounts of resources are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses the name of a resource that a container cannot have: `cpu`, `memory`,
    /// `ephemeral-storage`, `hugepages-<size>` and names of vendors with a `/` are the ones it can. A
    /// whole Pod has the first two and huge pages. A ResourceQuota and a LimitRange have names of their
    /// own, such as `requests.cpu` and `persistentvolumeclaims`, and names with a `/`.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", resources: {limits: {gpu: 1}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", resources: {limits: {nvidia.com/gpu: 1}}}]
    /// ```
    RESOURCE_NAME_INVALID = "resource-name-invalid", Error;

    /// ## What it does
    /// Refuses a negative amount, a fraction of a resource that there are only whole ones of, and a
    /// volume claim that asks for no storage.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", resources: {limits: {nvidia.com/gpu: 500m}}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13", resources: {limits: {nvidia.com/gpu: 1}}}]
    /// ```
    RESOURCE_AMOUNT_INVALID = "resource-amount-invalid", Error;

    /// ## What it does
    /// Refuses huge pages without CPU or memory, of a size that is no size, and in an amount that is
    /// no multiple of the size.
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
    ///   - {name: main, image: "python:3.13", resources: {limits: {hugepages-2Mi: 3Mi, cpu: 1}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - {name: main, image: "python:3.13", resources: {limits: {hugepages-2Mi: 4Mi, cpu: 1}}}
    /// ```
    HUGE_PAGES_INVALID = "huge-pages-invalid", Error;
}
