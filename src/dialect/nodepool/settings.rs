//! Settings that all providers share: the global part of a `nodepool.yaml`.

use super::node_pool::NodeRequest;
use crate::decode::{Integer, Listed, Mapped, Quantity, Raw, Text, definition};
use crate::sorted::SortedMap;

definition! {
    /// Settings that all NodePools share.
    pub(crate) struct NodepoolSettings in "Project.spec.nodepool" {
        /// Labels that requests can name. Without the list any label of a pool counts as declared.
        "labels" optional labels: Listed<DeclaredLabel>,
        /// Limits for all nodes of one tenant.
        "tenantResourceLimits" optional tenant_resource_limits: Listed<TenantLimits>,
        /// ServiceAccount of the launcher, to which each ClusterRole of `launcherRole` is bound.
        "launcherServiceAccount" optional launcher_service_account: LauncherAccount,
        /// Request of nodes that set none: the source of the values of `dynamicLabels`.
        "request" optional request: Raw<NodeRequest>,
    }
}

definition! {
    /// The ServiceAccount of the launcher.
    pub(crate) struct LauncherAccount in "Project.spec.nodepool.launcherServiceAccount" {
        /// Name of the ServiceAccount.
        "name" required name: Text,
        /// Its namespace.
        "namespace" required namespace: Text,
    }
}

definition! {
    /// A label that requests can name.
    pub(crate) struct DeclaredLabel in "Project.spec.nodepool.labels[]" {
        /// Name of the label.
        "name" required name: Text,
        /// Number of nodes that the launcher keeps ready. Defaults to 0.
        "minReady" optional min_ready: Integer,
        /// Age in seconds at which a ready node is replaced; 0, the default, for never.
        "maxReadyAge" optional max_ready_age: Integer,
    }
}

definition! {
    /// Limits for all nodes of one tenant.
    pub(crate) struct TenantLimits in "Project.spec.nodepool.tenantResourceLimits[]" {
        /// Name of the tenant.
        "tenantName" required tenant_name: Text,
        /// Maximum number of nodes.
        "maxServers" optional servers: Integer,
        /// Maximum total of the CPU requests.
        "maxCores" optional cores: Quantity,
        /// Maximum total of the memory requests.
        "maxRam" optional ram: Quantity,
        /// Maximum total of other resources, by name.
        "maxResources" optional resources: Mapped<Quantity>,
    }
}

impl NodepoolSettings {
    /// The declared labels by name.
    pub(super) fn declared(&self) -> SortedMap<&str, &DeclaredLabel> {
        let labels = self.labels.iter().flat_map(|it| &it.items);
        // The first of two declarations takes effect.
        labels.rev().map(|label| (label.name.as_str(), label)).collect()
    }
}

impl DeclaredLabel {
    /// The number of nodes that are kept ready. The launcher treats a negative number as 0.
    pub(super) fn ready(&self) -> i128 {
        self.min_ready.as_ref().map_or(0, Integer::as_i64).max(0).into()
    }
}
