//! `NodePool`: one provider of Nodepool, with its pools, labels and the nodes to compile.

use super::node_label::NodeLabel;
use crate::decode::{
    Anything, Choice, Field, Flag, Integer, Listed, Mapped, Quantity, Raw, Shaped, Text, choice,
    definition, kubernetes_types,
};
use crate::schema::Type;
use crate::tree::Node;

kubernetes_types! {
    /// `resources` of a container.
    Resources = "io.k8s.api.core.v1.Container"."resources";
}

choice! {
    /// The driver of the launcher, which determines the objects of a node.
    pub(crate) enum Driver {
        /// A Namespace for each node.
        Kubernetes = "kubernetes",
        /// A Project of OpenShift for each node.
        OpenShift = "openshift",
        /// A Pod for each node, in the existing Project with the name of its pool.
        OpenShiftPods = "openshiftpods",
    }
}

definition! {
    /// Maximum resources of the nodes of one pool, as the launcher counts them.
    pub(crate) struct Maxima in "NodePool maxima" {
        /// Maximum number of nodes. In a pool, 0 disables the pool. On the provider it is the default for each
        /// pool with the drivers `openshift` and `openshiftpods`, and ignored with `kubernetes`.
        "maxServers" optional servers: Integer,
        /// Maximum total of the CPU requests. Default for each pool, not a budget that pools share.
        "maxCores" optional cores: Quantity,
        /// Maximum total of the memory requests: `64Gi`. Default for each pool.
        "maxRam" optional ram: Quantity,
        /// Maximum total of other resources, by name: `nvidia.com/gpu`, `ephemeral-storage`, or any key of
        /// `extraResources`. Default for each pool, key by key.
        "maxResources" optional resources: Mapped<Quantity>,
    }
}

definition! {
    /// One provider of Nodepool, compiled to the objects that the launcher creates for its nodes.
    pub(crate) struct NodePoolSpec in "NodePool.spec" {
        flatten maxima: Maxima,
        /// Name of the provider, the value of the label `nodepool_provider_name`. Defaults to
        /// `metadata.name`.
        "provider" optional provider: Text,
        /// Driver of the launcher. `kubernetes`, the default, creates a Namespace for each node, `openshift` a
        /// Project. `openshiftpods` creates Pods in the existing Project with the name of the pool.
        "driver" optional driver: Choice<Driver>,
        /// Context of the launcher's kubeconfig. Read by the launcher only.
        "context" optional context: Text,
        /// Number of attempts to launch a node, at least 1. Defaults to 3. Read by the launcher only.
        "launchRetries" optional launch_retries: Integer,
        /// Maximum number of launches at a time; -1, the default, for any number. Read by the launcher only.
        "maxConcurrency" optional max_concurrency: Integer,
        /// Priority of the provider: the lowest number is tried first. Defaults to 100. Read by the launcher
        /// only.
        "priority" optional priority: Integer,
        /// Pools of the provider.
        "pools" required pools: Listed<Pool>,
        /// Nodes to compile. Defaults to one node of each label, with IDs that count from 0.
        "nodes" optional nodes: Listed<NodeInstance>,
        /// Whether each Namespace gets a ResourceQuota with the resources that the launcher counts
        /// for the node.
        "resourceQuota" optional resource_quota: Flag,
        /// Whether to print a ClusterRole with the permissions that the launcher needs for these pools.
        "launcherRole" optional launcher_role: Flag,
    }
}

definition! {
    /// A pool: nodes that share limits and defaults.
    pub(crate) struct Pool in "NodePool.spec.pools[]" {
        flatten maxima: Maxima,
        /// Name of the pool, and prefix of the name of each Namespace or Project. At most 52 characters. With
        /// the driver `openshiftpods`, the name of the Project.
        "name" required name: Text,
        /// Priority of the pool: the lowest number is tried first. Defaults to the provider's. Read by the
        /// launcher only.
        "priority" optional priority: Integer,
        /// Attributes of each node, for Zuul. Compiled to an annotation of the Namespace.
        "nodeAttributes" optional node_attributes: Mapped<Anything>,
        /// Requests and limits of labels that set none. A label's own request takes precedence over
        /// a default request, and is its limit if neither sets a limit.
        "defaultResources" optional default_resources: Shaped<Resources>,
        /// Default for `extraResources` of each label. The launcher ignores it.
        "defaultExtraResources" optional default_extra_resources: Mapped<Quantity>,
        /// Labels that the pool has nodes for.
        "labels" required labels: Listed<Raw<NodeLabel>>,
    }
}

definition! {
    /// One node to compile.
    pub(crate) struct NodeInstance in "NodePool.spec.nodes[]" {
        /// Name of the pool. Required if several pools have the label.
        "pool" optional pool: Text,
        /// Name of the label.
        "label" required label: Text,
        /// ID of the node: a sequence number of ZooKeeper. Defaults to the index in the list,
        /// starting at 0.
        "id" optional id: Integer,
        /// Request that the node is for; the source of the values of `dynamicLabels`. Defaults to
        /// `nodepool.request` of the Project.
        "request" optional request: Raw<NodeRequest>,
    }
}

definition! {
    /// A request for nodes, for dynamic labels.
    pub(crate) struct NodeRequest in "NodePool.spec.nodes[].request" {
        /// Id of the request: `100-0000000001`, priority and sequence number.
        "id" optional id: Text,
        /// Labels that the request is for. Defaults to the label of the node.
        "labels" optional labels: Listed<Text>,
        /// Name of the requestor.
        "requestor" optional requestor: Text,
        /// Data that the requestor keeps with the request, as any map.
        "requestorData" optional requestor_data: Mapped<Anything>,
        /// Priority among requests of the same priority.
        "relativePriority" optional relative_priority: Integer,
        /// Id of the event that the requestor handles.
        "eventId" optional event_id: Text,
        /// Time of the request, in seconds since 1970.
        "createdTime" optional created_time: Seconds,
        /// Name of the tenant.
        "tenantName" optional tenant_name: Text,
    }
}

impl NodePoolSpec {
    /// The driver of the launcher.
    pub(super) fn driver(&self) -> Driver {
        self.driver.as_ref().map_or(Driver::Kubernetes, |it| it.value)
    }
}

/// A time as a number of seconds.
#[derive(Clone, Debug)]
pub(crate) struct Seconds;

impl Field for Seconds {
    const TYPE: Type<'static> = Type::Number;

    fn read(node: Node) -> Option<Self> {
        node.as_number().map(|_| Self)
    }
}
