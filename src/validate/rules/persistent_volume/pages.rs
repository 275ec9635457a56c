//! What the rules of persistent volumes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a persistent volume without access modes, without a capacity of storage or with one of
    /// something else, without a source, a local one without its nodes, and one with `nodeAffinity`
    /// that names none.
    ///
    /// ## Why
    /// The API server refuses the volume. The schema asks for none of them.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolume
    /// metadata: {name: data}
    /// spec:
    ///   capacity: {storage: 10Gi}
    ///   nfs: {server: nfs.example.com, path: /exports}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolume
    /// metadata: {name: data}
    /// spec:
    ///   capacity: {storage: 10Gi}
    ///   accessModes: [ReadWriteMany]
    ///   nfs: {server: nfs.example.com, path: /exports}
    /// ```
    PERSISTENT_VOLUME_INCOMPLETE = "persistent-volume-incomplete", Error;

    /// ## What it does
    /// Refuses a persistent volume with two sources, and a source that the API server does not take: a
    /// path with `..`, a relative path on a server, a driver whose name is no DNS name.
    ///
    /// ## Why
    /// The API server refuses the volume.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolume
    /// metadata: {name: data}
    /// spec:
    ///   capacity: {storage: 10Gi}
    ///   accessModes: [ReadWriteMany]
    ///   nfs: {server: nfs.example.com, path: exports}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolume
    /// metadata: {name: data}
    /// spec:
    ///   capacity: {storage: 10Gi}
    ///   accessModes: [ReadWriteMany]
    ///   nfs: {server: nfs.example.com, path: /exports}
    /// ```
    PERSISTENT_VOLUME_SOURCE_INVALID = "persistent-volume-source-invalid", Error;
}
