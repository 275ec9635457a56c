//! What the rules of volume claims are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a PersistentVolumeClaim, an ephemeral volume or an entry of `volumeClaimTemplates` without
    /// `accessModes`, or without `resources.requests.storage`.
    ///
    /// ## Why
    /// The schema asks for neither, but the API server does when the volume claim is made: the claim
    /// of a Sandbox is refused again and again, and the Pod waits for its volume.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", volumeMounts: [{name: work, mountPath: /work}]}
    ///   volumeClaimTemplates:
    ///   - metadata: {name: work}
    ///     spec: {resources: {requests: {storage: 1Gi}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", volumeMounts: [{name: work, mountPath: /work}]}
    ///   volumeClaimTemplates:
    ///   - metadata: {name: work}
    ///     spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
    /// ```
    VOLUME_CLAIM_INCOMPLETE = "volume-claim-incomplete", Error;

    /// ## What it does
    /// Refuses a volume claim with the access mode `ReadWriteOncePod` and another one.
    ///
    /// ## Why
    /// The API server refuses the claim: a volume is for one Pod alone or it is not.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolumeClaim
    /// metadata: {name: work}
    /// spec:
    ///   accessModes: [ReadWriteOncePod, ReadWriteOnce]
    ///   resources: {requests: {storage: 1Gi}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolumeClaim
    /// metadata: {name: work}
    /// spec:
    ///   accessModes: [ReadWriteOncePod]
    ///   resources: {requests: {storage: 1Gi}}
    /// ```
    ACCESS_MODE_CONFLICT = "access-mode-conflict", Error;

    /// ## What it does
    /// Refuses a `dataSource` or a `dataSourceRef` of a volume claim that names a core object other than
    /// a PersistentVolumeClaim, that has a group or a namespace that cannot be one, and two that differ.
    ///
    /// ## Why
    /// The API server refuses the claim. A `dataSource` alone of any other kind it drops without a word.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolumeClaim
    /// metadata: {name: work}
    /// spec:
    ///   accessModes: [ReadWriteOnce]
    ///   resources: {requests: {storage: 1Gi}}
    ///   dataSourceRef: {kind: VolumeSnapshot, name: yesterday}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: PersistentVolumeClaim
    /// metadata: {name: work}
    /// spec:
    ///   accessModes: [ReadWriteOnce]
    ///   resources: {requests: {storage: 1Gi}}
    ///   dataSourceRef: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: yesterday}
    /// ```
    VOLUME_CLAIM_SOURCE_INVALID = "volume-claim-source-invalid", Error;
}
