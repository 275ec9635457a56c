//! Warnings of the API server, after `WarningsOnCreate` of the strategies in Kubernetes'
//! `pkg/registry`. Clients print these warnings, but most authors do not see them.

mod addresses;
mod annotations;
mod bytes;
mod containers;
mod jobs;
mod names;
mod node_labels;
mod pods;
mod services;
mod storage;
mod virtual_paths;
mod volumes;

use super::judge::{Judge, filled_text, items, shown};
use crate::diag::declare_rules;
use crate::tree::Node;

declare_rules! {
    ADDRESS_NOT_CANONICAL = "address-not-canonical", Warning;
    AFFINITY_VALUE_INVALID = "affinity-value-invalid", Warning;
    ANNOTATION_DEPRECATED = "annotation-deprecated", Warning;
    BYTES_FRACTIONAL = "bytes-fractional", Warning;
    ENV_REPEATED = "env-repeated", Warning;
    FIELD_DEPRECATED = "field-deprecated", Warning;
    FIELD_WITHOUT_EFFECT = "field-without-effect", Warning;
    JOB_INDEXES_TOO_MANY = "job-indexes-too-many", Warning;
    LABEL_SELECTOR_MISSING = "label-selector-missing", Warning, follows = [Misplaced];
    LIST_ITEM_REPEATED = "list-item-repeated", Warning;
    NAME_NOT_A_HOST_NAME = "name-not-a-host-name", Warning;
    NODE_LABEL_DEPRECATED = "node-label-deprecated", Warning;
    NUMBER_NEGATIVE = "number-negative", Warning;
    PORT_REPEATED = "port-repeated", Warning;
    QUOTA_REQUESTS_ABOVE_LIMITS = "quota-requests-above-limits", Warning;
    VOLUME_PATHS_OVERLAP = "volume-paths-overlap", Warning;
    VOLUME_SOURCE_DEAD = "volume-source-dead", Warning;
}

/// Checks an object of any kind.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let nothing = Node::map(object.root.origin());
    let spec = object.root.get("spec").unwrap_or(&nothing);
    annotations::check(judge);
    match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("", "Pod" | "ReplicationController") | ("apps", "Deployment" | "ReplicaSet") => {
            names::check(judge);
        }
        ("batch", "Job") => {
            // For an indexed Job it is an error, which another rule reports.
            if spec.str_at(&["completionMode"]) != Some("Indexed") {
                names::check(judge);
            }
            jobs::check(judge, spec);
        }
        ("batch", "CronJob") => {
            names::check(judge);
            let spec = spec.at(&["jobTemplate", "spec"]).unwrap_or(&nothing);
            jobs::check(judge, spec);
        }
        ("apps", "StatefulSet") => storage::check_claim_templates(judge, spec),
        ("", "PersistentVolumeClaim") => bytes::check_claim(judge, spec),
        ("", "PersistentVolume") => storage::check_volume(judge, spec),
        ("", "Service") => services::check(judge, spec),
        ("", "ResourceQuota") => bytes::check_quota(judge, spec),
        ("", "Node") => addresses::check_node(judge, spec),
        ("", "Endpoints") => addresses::check_endpoints(judge),
        ("discovery.k8s.io", "EndpointSlice") => services::check_endpoint_slice(judge),
        ("networking.k8s.io", "NetworkPolicy") => addresses::check_policy(judge, spec),
        ("node.k8s.io", "RuntimeClass") => node_labels::check_runtime_class(judge),
        ("storage.k8s.io", "StorageClass") => node_labels::check_storage_class(judge),
        ("storage.k8s.io", "CSIStorageCapacity") => node_labels::check_storage_capacity(judge),
        _ => {}
    }
    if let Some(pod) = judge.pod {
        pods::check(judge, &pod);
    }
}
