//! What the rules of volumes are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a volume whose name is no DNS label: at most 63 lower-case letters, digits and dashes,
    /// with a letter or a digit at both ends.
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
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work.data, emptyDir: {}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work-data, emptyDir: {}}]
    /// ```
    VOLUME_NAME_INVALID = "volume-name-invalid", Error;

    /// ## What it does
    /// Refuses two volumes of a Pod with the same name.
    ///
    /// ## Why
    /// The API server refuses the Pod: a mount would not know which is meant.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, emptyDir: {}}, {name: work, hostPath: {path: /work}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, emptyDir: {}}, {name: host, hostPath: {path: /work}}]
    /// ```
    VOLUME_NAME_DUPLICATE = "volume-name-duplicate", Error;

    /// ## What it does
    /// Refuses a volume with two sources. One without any is an `emptyDir`.
    ///
    /// ## Why
    /// The API server refuses the Pod. It often happens when an override adds a source beside the one
    /// that is there.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, emptyDir: {}, hostPath: {path: /work}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, hostPath: {path: /work}}]
    /// ```
    VOLUME_SOURCE_CONFLICT = "volume-source-conflict", Error;

    /// ## What it does
    /// Refuses a path in a volume that leads out of it: names of files that are absolute, have a step
    /// `..` or start with `..`; a `hostPath` with a step `..`; a path of an NFS server that does not
    /// start with `/`.
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
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: host, hostPath: {path: /var/../etc}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: host, hostPath: {path: /etc}}]
    /// ```
    VOLUME_PATH_INVALID = "volume-path-invalid", Error;

    /// ## What it does
    /// Refuses a mode of files outside of 0 to 0777.
    ///
    /// ## Why
    /// The API server refuses the Pod. YAML as Kubernetes reads it takes `0644` as octal and `644` as
    /// the number 644, which is the mode `1204`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: a, configMap: {name: a, optional: true, defaultMode: 644}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: a, configMap: {name: a, optional: true, defaultMode: 420}}]
    /// ```
    FILE_MODE_INVALID = "file-mode-invalid", Error;

    /// ## What it does
    /// Refuses what a source of a volume cannot have: a negative `sizeLimit`, a partition or a `lun`
    /// outside of 0 to 255, no monitors, a CSI driver whose name is none, and an ephemeral volume
    /// without a template or with metadata other than labels and annotations.
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
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, emptyDir: {sizeLimit: "-1"}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: work, emptyDir: {sizeLimit: 1Gi}}]
    /// ```
    VOLUME_SOURCE_INVALID = "volume-source-invalid", Error;

    /// ## What it does
    /// Refuses a file of a `downwardAPI` volume with both `fieldRef` and `resourceFieldRef`, or with
    /// neither.
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
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: about, downwardAPI: {items: [{path: labels}]}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: about, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}]
    /// ```
    DOWNWARD_FILE_INVALID = "downward-file-invalid", Error;

    /// ## What it does
    /// Refuses two files of one path in a `projected` volume, and an entry of `sources` with two
    /// members.
    ///
    /// ## Why
    /// The API server refuses the Pod: one file would hide the other.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes:
    ///   - name: all
    ///     projected:
    ///       sources:
    ///       - configMap: {name: a, optional: true, items: [{key: a, path: file}]}
    ///       - secret: {name: a, optional: true, items: [{key: a, path: file}]}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes:
    ///   - name: all
    ///     projected:
    ///       sources:
    ///       - configMap: {name: a, optional: true, items: [{key: a, path: file}]}
    ///       - secret: {name: a, optional: true, items: [{key: a, path: secret}]}
    /// ```
    PROJECTION_CONFLICT = "projection-conflict", Error;

    /// ## What it does
    /// Refuses a projected service account token that lives less than 10 minutes or more than
    /// 4294967296 seconds.
    ///
    /// ## Why
    /// The API server refuses the Pod: the kubelet renews the token, and needs the time to.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: token, projected: {sources: [{serviceAccountToken: {path: token, expirationSeconds: 60}}]}}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes: [{name: token, projected: {sources: [{serviceAccountToken: {path: token, expirationSeconds: 600}}]}}]
    /// ```
    TOKEN_LIFETIME_INVALID = "token-lifetime-invalid", Error;

    /// ## What it does
    /// Refuses a Pod in which one volume names the claim that another, ephemeral one makes, and an
    /// ephemeral volume whose claim cannot have its name. The claim is called after the Pod and the
    /// volume.
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
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes:
    ///   - {name: work, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
    ///   - {name: again, persistentVolumeClaim: {claimName: web-work}}
    /// ---
    /// apiVersion: v1
    /// kind: PersistentVolumeClaim
    /// metadata: {name: web-work}
    /// spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    ///   volumes:
    ///   - {name: work, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
    /// ```
    VOLUME_CLAIM_OF_EPHEMERAL = "volume-claim-of-ephemeral", Error;
}
