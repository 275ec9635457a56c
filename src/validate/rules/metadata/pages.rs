//! What the rules for metadata are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a finalizer that the API server does not take: one that is no name with an optional
    /// domain, one without a domain that is not `kubernetes`, `orphan` or `foregroundDeletion`, and
    /// `orphan` together with `foregroundDeletion`.
    ///
    /// ## Why
    /// The API server refuses the object. An object with a finalizer is deleted only after its
    /// controller has removed the finalizer, so the name has to say whose it is. Custom resources and
    /// a few built-in kinds take a name without a domain.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: settings
    ///   finalizers: [cleanup]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: settings
    ///   finalizers: [example.com/cleanup]
    /// ```
    FINALIZER_INVALID = "finalizer-invalid", Error;

    /// ## What it does
    /// Refuses an owner that the API server does not take: one whose `apiVersion` names no version,
    /// an Event, and a second owner with `controller: true`.
    ///
    /// ## Why
    /// The API server refuses the object. It is deleted with its owners, so they have to be found;
    /// Events are deleted after an hour.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: settings
    ///   ownerReferences:
    ///   - {apiVersion: apps/v1, kind: Deployment, name: web, uid: "1", controller: true}
    ///   - {apiVersion: apps/v1, kind: Deployment, name: api, uid: "2", controller: true}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: settings
    ///   ownerReferences:
    ///   - {apiVersion: apps/v1, kind: Deployment, name: web, uid: "1", controller: true}
    ///   - {apiVersion: apps/v1, kind: Deployment, name: api, uid: "2"}
    /// ```
    OWNER_REFERENCE_INVALID = "owner-reference-invalid", Error;

    /// ## What it does
    /// Warns of an object with a `resourceVersion`.
    ///
    /// ## Why
    /// The cluster counts it up with each change. The API server refuses to create an object that has
    /// one, and refuses to change one that has changed since; a dry run refuses only the second. It is
    /// left over where a manifest was exported from a cluster.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings, resourceVersion: "4711"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    RESOURCE_VERSION_SET = "resource-version-set", Warning;
}
