//! The metadata that the API server sets when an object is created.

use serde_json::json;

use super::Conversion;
use super::encoding::writes_zero_times;
use crate::kube::{Object, meeting_namespace};
use crate::tree::Node;
use crate::validate::policies::matching::Resource;

/// The identifier of a new object, which only a cluster knows.
pub(super) const UID: &str = "00000000-0000-4000-8000-000000000000";
/// The time of creation, which only a cluster knows.
const CREATED: &str = "2026-01-01T00:00:00Z";
/// What the API server appends to `generateName`.
const SUFFIX: &str = "xxxxx";

/// The kinds whose generation is counted, by group.
const GENERATIONS: [(&str, &[&str]); 12] = [
    ("", &["Pod", "PodTemplate", "ReplicationController"]),
    (
        "admissionregistration.k8s.io",
        &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    ),
    ("apiextensions.k8s.io", &["CustomResourceDefinition"]),
    ("apps", &["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
    ("autoscaling", &["HorizontalPodAutoscaler"]),
    ("batch", &["CronJob", "Job"]),
    ("discovery.k8s.io", &["EndpointSlice"]),
    ("flowcontrol.apiserver.k8s.io", &["FlowSchema", "PriorityLevelConfiguration"]),
    ("networking.k8s.io", &["Ingress", "IngressClass", "NetworkPolicy"]),
    ("policy", &["PodDisruptionBudget"]),
    ("resource.k8s.io", &["DeviceClass", "ResourceSlice"]),
    ("scheduling.k8s.io", &["PriorityClass"]),
];

/// Sets the metadata of a new object.
pub(super) fn fill(
    conversion: Conversion,
    root: &mut Node,
    object: &Object,
    resource: &Resource<'_>,
    is_custom: bool,
) {
    let origin = conversion.origin;
    let Some(metadata) = root.get_mut("metadata") else { return };
    if object.name.is_empty()
        && let Some(prefix) = metadata.str_at(&["generateName"])
    {
        let name = format!("{prefix}{SUFFIX}");
        metadata.set("name", Node::string(name, origin));
    }
    if let Some(map) = metadata.as_map_mut() {
        for field in
            ["deletionGracePeriodSeconds", "deletionTimestamp", "managedFields", "selfLink"]
        {
            map.remove(field);
        }
    }
    metadata.set("uid", Node::string(UID, origin));
    let is_counted = |text: &(&str, &[&str])| {
        text.0 == object.gvk.group && text.1.contains(&object.gvk.kind.as_str())
    };
    if is_custom || GENERATIONS.iter().any(is_counted) {
        metadata.set("generation", Node::int(1, origin));
    }
    metadata.set("creationTimestamp", Node::string(CREATED, origin));
    if resource.is_namespaced {
        let namespace = meeting_namespace(&object.namespace);
        metadata.set("namespace", Node::string(namespace, origin));
    } else if let Some(map) = metadata.as_map_mut() {
        map.remove("namespace");
    }
}

impl Conversion {
    /// The metadata of a template has no time of creation, which older versions write.
    pub(super) fn template(self, node: &mut Node) {
        if writes_zero_times(self.target)
            && let Some(map) = node.get_mut("metadata")
        {
            map.set("creationTimestamp", Node::from_json(json!(null), self.origin));
        }
    }
}
