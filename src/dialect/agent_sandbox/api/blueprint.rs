//! The fields that Sandbox and SandboxTemplate share: the Pod, its volumes and its Service.

use crate::crd::description::{ApiVersions, Moved, Value, record};

/// The Pod. Only the schema of its spec is validated when the object is applied; a Pod that the API
/// server rejects leads to `Ready=False` later, and the controller retries forever.
pub(super) const POD_TEMPLATE: Value = Value::Record(&POD_TEMPLATE_FIELDS);

/// The volume claims, an atomic list whose entries are not merged by name.
pub(super) const VOLUME_CLAIM_TEMPLATES: Value =
    Value::AtomicList(&Value::Record(&VOLUME_CLAIM_TEMPLATE));

/// The name of the Pod, which cannot be set.
pub(super) const POD_NAME: Moved = Moved {
    path: "spec.podTemplate.metadata.name",
    versions: ApiVersions::All,
    instead: "leave `name` out: the Pod has the name of its Sandbox",
    replaced_by: None,
};

/// The namespace of the Pod, which cannot be set.
pub(super) const POD_NAMESPACE: Moved = Moved {
    path: "spec.podTemplate.metadata.namespace",
    versions: ApiVersions::All,
    instead: "leave `namespace` out: the Pod is in the namespace of its Sandbox",
    replaced_by: None,
};

record! {
    /// The Pod of a Sandbox. Its name is the name of the Sandbox.
    POD_TEMPLATE_FIELDS {
        /// Labels and annotations of the Pod.
        metadata: Value::Record(&POD_METADATA);
        /// The Pod's spec, of Kubernetes 1.37 (line 0.5: 1.36) whatever the version of the cluster.
        spec: Value::Builtin("io.k8s.api.core.v1.PodSpec"), required = true;
    }
}

record! {
    /// Labels and annotations; the Pod's name, namespace and finalizers cannot be set.
    POD_METADATA {
        /// Keys below `agents.x-k8s.io` are dropped silently.
        annotations: Value::TextMap;
        /// Keys below `agents.x-k8s.io` are dropped silently.
        labels: Value::TextMap;
    }
}

record! {
    /// A volume claim, created once per Sandbox and mounted as the volume with the same name.
    VOLUME_CLAIM_TEMPLATE {
        /// The name of the volume. The claim is named `<name>-<sandbox>`.
        metadata: Value::Record(&VOLUME_CLAIM_METADATA);
        /// The claim's spec. It is only used at creation: later changes do not affect an existing
        /// claim.
        spec: Value::Builtin("io.k8s.api.core.v1.PersistentVolumeClaimSpec"), required = true;
    }
}

record! {
    /// Name, labels and annotations of a volume claim.
    VOLUME_CLAIM_METADATA {
        /// Copied to the claim.
        annotations: Value::TextMap;
        /// Copied to the claim.
        labels: Value::TextMap;
        /// A DNS label, because it is the name of a volume. Optional in the schema, but required
        /// for a working claim.
        name: Value::Text;
    }
}
