//! What the rules of storage drivers are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses `tokenRequests` of a CSIDriver that ask twice for the same audience, and
    /// `serviceAccountTokenInSecrets` without them.
    ///
    /// ## Why
    /// The API server refuses the driver. An audience that is not written is that of the API server.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSIDriver
    /// metadata: {name: csi.example.com}
    /// spec:
    ///   tokenRequests: [{audience: vault}, {audience: vault, expirationSeconds: 3600}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSIDriver
    /// metadata: {name: csi.example.com}
    /// spec:
    ///   tokenRequests: [{audience: vault, expirationSeconds: 3600}]
    /// ```
    DRIVER_TOKENS_INVALID = "driver-tokens-invalid", Error;

    /// ## What it does
    /// Refuses a name in a CSINode or a VolumeAttachment that no storage driver can have.
    ///
    /// ## Why
    /// The API server refuses the object. Names of drivers are DNS names of at most 63 characters.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSINode
    /// metadata: {name: worker-1}
    /// spec:
    ///   drivers: [{name: example/csi, nodeID: worker-1}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSINode
    /// metadata: {name: worker-1}
    /// spec:
    ///   drivers: [{name: csi.example.com, nodeID: worker-1}]
    /// ```
    DRIVER_NAME_INVALID = "driver-name-invalid", Error;

    /// ## What it does
    /// Refuses a CSINode that has a driver or a label key of a driver twice, or a `nodeID` of more than
    /// 256 bytes.
    ///
    /// ## Why
    /// The API server refuses the CSINode.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSINode
    /// metadata: {name: worker-1}
    /// spec:
    ///   drivers:
    ///   - {name: csi.example.com, nodeID: worker-1}
    ///   - {name: csi.example.com, nodeID: worker-1}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: CSINode
    /// metadata: {name: worker-1}
    /// spec:
    ///   drivers:
    ///   - {name: csi.example.com, nodeID: worker-1}
    /// ```
    CSI_NODE_INVALID = "csi-node-invalid", Error;

    /// ## What it does
    /// Refuses a VolumeAttachment whose source names no volume, or two.
    ///
    /// ## Why
    /// The API server refuses the attachment.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: VolumeAttachment
    /// metadata: {name: data}
    /// spec:
    ///   attacher: csi.example.com
    ///   nodeName: worker-1
    ///   source: {}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: VolumeAttachment
    /// metadata: {name: data}
    /// spec:
    ///   attacher: csi.example.com
    ///   nodeName: worker-1
    ///   source: {persistentVolumeName: data}
    /// ```
    VOLUME_ATTACHMENT_INVALID = "volume-attachment-invalid", Error;
}
