//! What a Sandbox and a SandboxTemplate share: the Pod, its volumes and its Service.

use crate::crd::description::{ApiVersions, Moved, Value, record};

/// The Pod. Only the shape of its spec is checked when the object is applied; a Pod that the API
/// server refuses shows up as `Ready=False` later, and is tried again for ever.
pub(super) const POD_TEMPLATE: Value = Value::Record(&POD_TEMPLATE_FIELDS);

/// Claims of storage, one list that is one value: entries are not merged by name.
pub(super) const VOLUME_CLAIM_TEMPLATES: Value =
    Value::AtomicList(&Value::Record(&VOLUME_CLAIM_TEMPLATE));

/// The Pod's name can not be chosen.
pub(super) const POD_NAME: Moved = Moved {
    path: "spec.podTemplate.metadata.name",
    versions: ApiVersions::All,
    instead: "leave `name` out: the Pod has the name of its Sandbox",
    replaced_by: None,
};

/// Nor can its namespace.
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
        /// The Pod's spec, as of Kubernetes 1.36 whatever the version of the cluster.
        spec: Value::Builtin("io.k8s.api.core.v1.PodSpec"), required = true;
    }
}

record! {
    /// Labels and annotations; a Pod's name, namespace and finalizers can not be chosen.
    POD_METADATA {
        /// Keys below `agents.x-k8s.io` are dropped silently.
        annotations: Value::TextMap;
        /// Keys below `agents.x-k8s.io` are dropped silently.
        labels: Value::TextMap;
    }
}

record! {
    /// A claim of storage, made once per Sandbox and mounted as the volume of the same name.
    VOLUME_CLAIM_TEMPLATE {
        /// Its name is the volume's name. The claim is called `<name>-<sandbox>`.
        metadata: Value::Record(&VOLUME_CLAIM_METADATA);
        /// The claim's spec. It is used once: later changes do not reach an existing claim.
        spec: Value::Builtin("io.k8s.api.core.v1.PersistentVolumeClaimSpec"), required = true;
    }
}

record! {
    /// Name, labels and annotations of a claim of storage.
    VOLUME_CLAIM_METADATA {
        /// Copied to the claim.
        annotations: Value::TextMap;
        /// Copied to the claim.
        labels: Value::TextMap;
        /// A DNS label, as it is a volume's name. Optional here, yet nothing works without it.
        name: Value::Text;
    }
}
