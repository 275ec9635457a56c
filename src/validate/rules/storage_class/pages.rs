//! What the rules of storage classes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses parameters of a storage class, or of a class of volume attributes, that have no name,
    /// are more than 512, or take more than 262,144 bytes. A class of volume attributes needs at least
    /// one.
    ///
    /// ## Why
    /// The API server refuses the class.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: StorageClass
    /// metadata: {name: fast}
    /// provisioner: csi.example.com
    /// parameters: {"": ssd}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: StorageClass
    /// metadata: {name: fast}
    /// provisioner: csi.example.com
    /// parameters: {type: ssd}
    /// ```
    CLASS_PARAMETERS_INVALID = "class-parameters-invalid", Error;

    /// ## What it does
    /// Refuses `allowedTopologies` of a storage class with a term that is empty or stands twice, a
    /// label key that no label has or that stands twice in a term, and a list of values that is empty
    /// or repeats one.
    ///
    /// ## Why
    /// The API server refuses the class.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: StorageClass
    /// metadata: {name: fast}
    /// provisioner: csi.example.com
    /// allowedTopologies:
    /// - matchLabelExpressions:
    ///   - {key: topology.kubernetes.io/zone, values: [a, a]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: storage.k8s.io/v1
    /// kind: StorageClass
    /// metadata: {name: fast}
    /// provisioner: csi.example.com
    /// allowedTopologies:
    /// - matchLabelExpressions:
    ///   - {key: topology.kubernetes.io/zone, values: [a, b]}
    /// ```
    TOPOLOGY_INVALID = "topology-invalid", Error;
}
