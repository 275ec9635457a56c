//! What the rules of revisions are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a ControllerRevision whose `data` is no map.
    ///
    /// ## Why
    /// It holds a part of the object that it is a revision of. The API server refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: ControllerRevision
    /// metadata: {name: web-1}
    /// revision: 1
    /// data: [replicas]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: ControllerRevision
    /// metadata: {name: web-1}
    /// revision: 1
    /// data: {spec: {replicas: 1}}
    /// ```
    REVISION_DATA_INVALID = "revision-data-invalid", Error;

    /// ## What it does
    /// Refuses the annotations `deprecated.deployment.rollback.revision` of a Deployment and
    /// `deprecated.daemonset.template.generation` of a DaemonSet where they are no whole number; that
    /// of a Deployment is not negative either.
    ///
    /// ## Why
    /// They stand for fields of older versions, and the API server reads them. It refuses the object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   annotations: {deprecated.deployment.rollback.revision: latest}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ```
    REVISION_ANNOTATION_INVALID = "revision-annotation-invalid", Error;
}
