//! What the rules of mounts are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses two mounts of one container at the same path. The texts are compared: `/data` and
    /// `/data/` differ.
    ///
    /// ## Why
    /// The API server refuses the Pod: one mount would hide the other.
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
    ///     volumeMounts: [{name: work, mountPath: /data}, {name: cache, mountPath: /data}]
    ///   volumes: [{name: work, emptyDir: {}}, {name: cache, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /data}, {name: cache, mountPath: /cache}]
    ///   volumes: [{name: work, emptyDir: {}}, {name: cache, emptyDir: {}}]
    /// ```
    MOUNT_PATH_DUPLICATE = "mount-path-duplicate", Error;

    /// ## What it does
    /// Refuses a `subPath` or a `subPathExpr` that is absolute or has a step `..`, and a mount with
    /// both of them.
    ///
    /// ## Why
    /// The API server refuses the Pod: the path is one inside the volume, and must not lead out of
    /// it.
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
    ///     volumeMounts: [{name: work, mountPath: /data, subPath: ../secrets}]
    ///   volumes: [{name: work, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /data, subPath: data}]
    ///   volumes: [{name: work, emptyDir: {}}]
    /// ```
    MOUNT_SUB_PATH_INVALID = "mount-sub-path-invalid", Error;

    /// ## What it does
    /// Refuses `mountPropagation: Bidirectional` in a container that is not privileged.
    ///
    /// ## Why
    /// The API server refuses the Pod: what the container mounts there would appear on the node.
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
    ///     volumeMounts: [{name: work, mountPath: /data, mountPropagation: Bidirectional}]
    ///   volumes: [{name: work, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /data, mountPropagation: HostToContainer}]
    ///   volumes: [{name: work, emptyDir: {}}]
    /// ```
    MOUNT_PROPAGATION_UNPRIVILEGED = "mount-propagation-unprivileged", Error;

    /// ## What it does
    /// Refuses `recursiveReadOnly: Enabled` or `IfPossible` in a mount that is not `readOnly`, or
    /// that propagates mounts.
    ///
    /// ## Why
    /// The API server refuses the Pod: the field says how far a read-only mount reaches, and mounts
    /// that appear later would escape it.
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
    ///     volumeMounts: [{name: work, mountPath: /data, recursiveReadOnly: Enabled}]
    ///   volumes: [{name: work, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /data, readOnly: true, recursiveReadOnly: Enabled}]
    ///   volumes: [{name: work, emptyDir: {}}]
    /// ```
    RECURSIVE_READ_ONLY_CONFLICT = "recursive-read-only-conflict", Error;

    /// ## What it does
    /// Refuses a volume that one container has both as a mount and as a device, and one path for
    /// both.
    ///
    /// ## Why
    /// The API server refuses the Pod: a volume is a file system or a raw disk.
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
    ///     volumeMounts: [{name: work, mountPath: /data}]
    ///     volumeDevices: [{name: work, devicePath: /dev/xvda}]
    ///   volumes: [{name: work, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]
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
    ///     volumeDevices: [{name: work, devicePath: /dev/xvda}]
    ///   volumes: [{name: work, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]
    /// ```
    MOUNT_BESIDE_DEVICE = "mount-beside-device", Error;

    /// ## What it does
    /// Refuses a device whose volume is neither a `persistentVolumeClaim` nor `ephemeral`, whose path
    /// has a step `..`, or that stands twice in a container. From Kubernetes 1.34 on it refuses
    /// devices in a Pod with `hostUsers: false`.
    ///
    /// ## Why
    /// The API server refuses the Pod: only a disk can be given as a device, once.
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
    ///     volumeDevices: [{name: work, devicePath: /dev/xvda}]
    ///   volumes: [{name: work, emptyDir: {}}]
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
    ///     volumeMounts: [{name: work, mountPath: /data}]
    ///   volumes: [{name: work, emptyDir: {}}]
    /// ```
    VOLUME_DEVICE_INVALID = "volume-device-invalid", Error;
}
