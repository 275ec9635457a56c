//! What the rules of volumes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports two files of one volume that lie at the same path, or one inside the other.
    ///
    /// ## Why
    /// The later file takes the place of the earlier one, or the volume cannot be mounted, because a
    /// file stands where a folder should be.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29, volumeMounts: [{name: config, mountPath: /etc/web}]}]
    ///   volumes:
    ///     - name: config
    ///       configMap:
    ///         name: web
    ///         optional: true
    ///         items: [{key: a, path: settings}, {key: b, path: settings/extra}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29, volumeMounts: [{name: config, mountPath: /etc/web}]}]
    ///   volumes:
    ///     - name: config
    ///       configMap:
    ///         name: web
    ///         optional: true
    ///         items: [{key: a, path: settings/base}, {key: b, path: settings/extra}]
    /// ```
    VOLUME_PATHS_OVERLAP = "volume-paths-overlap", Warning;

    /// ## What it does
    /// Reports a volume whose source Kubernetes no longer mounts, such as `rbd`, `glusterfs` or
    /// `gitRepo`.
    ///
    /// ## Why
    /// The API server takes the object. A Pod with such a volume never starts.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: web, image: nginx:1.29, volumeMounts: [{name: pages, mountPath: /pages}]}]
    ///   volumes:
    ///     - {name: pages, gitRepo: {repository: "https://example.com/pages.git"}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   initContainers:
    ///     - name: clone
    ///       image: alpine/git:v2.49.1
    ///       args: [clone, "https://example.com/pages.git", /pages]
    ///       volumeMounts: [{name: pages, mountPath: /pages}]
    ///   containers: [{name: web, image: nginx:1.29, volumeMounts: [{name: pages, mountPath: /pages}]}]
    ///   volumes:
    ///     - {name: pages, emptyDir: {}}
    /// ```
    VOLUME_SOURCE_DEAD = "volume-source-dead", Warning;
}
