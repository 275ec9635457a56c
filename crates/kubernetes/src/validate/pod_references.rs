//! The fields of a PodSpec that reference other objects.

use crate::kube::PodSpec;
use crate::tree::{Node, items};

/// The kind of the referenced object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    ConfigMap,
    Secret,
    PersistentVolumeClaim,
    ServiceAccount,
    RuntimeClass,
    PriorityClass,
}

/// The use of the referenced object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// The environment of a container.
    Environment,
    /// A volume.
    Volume,
    /// `imagePullSecrets`.
    ImagePull,
    /// Another field of the Pod.
    Pod,
}

/// One reference.
pub struct Reference<'o, 'p> {
    /// The kind of the referenced object.
    pub target: Target,
    /// The use of the referenced object.
    pub usage: Use,
    /// The node of the name.
    pub name: &'o Node,
    /// The key of the object's data, if the reference requires one.
    pub key: Option<&'o Node>,
    /// Whether the reference is optional.
    pub is_optional: bool,
    /// The path of the reference, from the object's root.
    pub path: &'p dyn Fn() -> String,
}

impl Target {
    /// The group and the kind.
    pub const fn group_kind(self) -> (&'static str, &'static str) {
        match self {
            Self::ConfigMap => ("", "ConfigMap"),
            Self::Secret => ("", "Secret"),
            Self::PersistentVolumeClaim => ("", "PersistentVolumeClaim"),
            Self::ServiceAccount => ("", "ServiceAccount"),
            Self::RuntimeClass => ("node.k8s.io", "RuntimeClass"),
            Self::PriorityClass => ("scheduling.k8s.io", "PriorityClass"),
        }
    }

    /// Whether its objects are cluster-scoped.
    pub const fn is_cluster_scoped(self) -> bool {
        matches!(self, Self::RuntimeClass | Self::PriorityClass)
    }

    /// Whether every cluster has an object of this name.
    pub fn is_built_in(self, name: &str) -> bool {
        match self {
            Self::ConfigMap => {
                // The second is in `kube-system`, where extension API servers read it.
                matches!(name, "kube-root-ca.crt" | "extension-apiserver-authentication")
            }
            Self::ServiceAccount => name == "default",
            Self::PriorityClass => {
                matches!(name, "system-cluster-critical" | "system-node-critical")
            }
            Self::Secret | Self::PersistentVolumeClaim | Self::RuntimeClass => false,
        }
    }
}

type Found<'f, 'o> = &'f mut dyn FnMut(Reference<'o, '_>);

/// Calls `found` with each reference of a PodSpec.
pub fn visit<'o>(pod: &PodSpec<'o>, found: Found<'_, 'o>) {
    visit_fields(pod, found);
    for (index, item) in items(pod.spec, "imagePullSecrets").iter().enumerate() {
        let path = || format!("{}.imagePullSecrets[{index}].name", pod.path());
        let usage = (Target::Secret, Use::ImagePull);
        named(usage, item, "name", &path, found);
    }
    for (index, volume) in pod.read_volumes() {
        let path = || format!("{}.volumes[{index}]", pod.path());
        visit_volume(volume, &path, found);
    }
    for container in pod.containers() {
        let path = || format!("{}.{}", pod.path(), container.path());
        visit_environment(container.node, &path, found);
    }
}

/// One reference: the field `field` of `node`, with the node's own `key` and `optional`.
fn named<'o>(
    (target, usage): (Target, Use),
    node: &'o Node,
    field: &str,
    path: &dyn Fn() -> String,
    found: Found<'_, 'o>,
) {
    let Some(name) = node.get(field) else { return };
    let is_optional = node.get("optional").and_then(Node::as_bool) == Some(true);
    found(Reference { target, usage, name, key: node.get("key"), is_optional, path });
    if usage != Use::Volume {
        return;
    }
    for (index, item) in items(node, "items").iter().enumerate() {
        let path = || format!("{}.items[{index}].key", path());
        if let Some(key) = item.get("key") {
            found(Reference { target, usage, name, key: Some(key), is_optional, path: &path });
        }
    }
}

fn visit_fields<'o>(pod: &PodSpec<'o>, found: Found<'_, 'o>) {
    let account = ["serviceAccountName", "serviceAccount"]
        .into_iter()
        .find(|field| pod.spec.get(field).is_some());
    let fields = [
        (Target::ServiceAccount, account.unwrap_or("serviceAccountName")),
        (Target::RuntimeClass, "runtimeClassName"),
        (Target::PriorityClass, "priorityClassName"),
    ];
    for (target, field) in fields {
        let Some(name) = pod.spec.get(field) else { continue };
        let path = || format!("{}.{field}", pod.path());
        let (usage, key, is_optional) = (Use::Pod, None, false);
        found(Reference { target, usage, name, key, is_optional, path: &path });
    }
}

fn visit_volume<'o>(volume: &'o Node, path: &dyn Fn() -> String, found: Found<'_, 'o>) {
    let config_map = (Target::ConfigMap, Use::Volume);
    let secret = (Target::Secret, Use::Volume);
    for entry in volume.entries() {
        let (source, node) = (entry.key.as_str(), &entry.value);
        let path = || format!("{}.{source}", path());
        match source {
            "configMap" => named(config_map, node, "name", &path, found),
            "secret" | "azureFile" => named(secret, node, "secretName", &path, found),
            "persistentVolumeClaim" => {
                let claim = (Target::PersistentVolumeClaim, Use::Volume);
                named(claim, node, "claimName", &path, found);
            }
            "projected" => visit_projected(node, &path, found),
            _ => {
                for field in ["secretRef", "nodePublishSecretRef"] {
                    let path = || format!("{}.{field}", path());
                    if let Some(reference) = node.get(field) {
                        named(secret, reference, "name", &path, found);
                    }
                }
            }
        }
    }
}

fn visit_projected<'o>(projected: &'o Node, path: &dyn Fn() -> String, found: Found<'_, 'o>) {
    for (index, source) in items(projected, "sources").iter().enumerate() {
        for (field, target) in [("configMap", Target::ConfigMap), ("secret", Target::Secret)] {
            let path = || format!("{}.sources[{index}].{field}", path());
            if let Some(node) = source.get(field) {
                named((target, Use::Volume), node, "name", &path, found);
            }
        }
    }
}

fn visit_environment<'o>(container: &'o Node, path: &dyn Fn() -> String, found: Found<'_, 'o>) {
    for (index, variable) in items(container, "env").iter().enumerate() {
        let fields = [("configMapKeyRef", Target::ConfigMap), ("secretKeyRef", Target::Secret)];
        for (field, target) in fields {
            let path = || format!("{}.env[{index}].valueFrom.{field}", path());
            if let Some(node) = variable.at(&["valueFrom", field]) {
                named((target, Use::Environment), node, "name", &path, found);
            }
        }
    }
    for (index, source) in items(container, "envFrom").iter().enumerate() {
        for (field, target) in [("configMapRef", Target::ConfigMap), ("secretRef", Target::Secret)]
        {
            let path = || format!("{}.envFrom[{index}].{field}", path());
            if let Some(node) = source.get(field) {
                named((target, Use::Environment), node, "name", &path, found);
            }
        }
    }
}
