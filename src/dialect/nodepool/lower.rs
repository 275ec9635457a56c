//! Lowers a NodePool to the objects of its nodes.

use super::access::{ROLE_BINDING, WORKER, launcher_rules};
use super::check::find_name_fault;
use super::model::{self, LabelModel};
use super::node_label::NodeType;
use super::node_labels::{NodeLabels, UNRESOLVED};
use super::node_pool::{Driver, NodePoolSpec};
use super::nodes::{PlannedNode, planned_nodes};
use super::resource_quota::hard_limits;
use super::settings::{LauncherAccount, NodepoolSettings};
use super::{openshift, pod};
use crate::decode::{Flag, Text};
use crate::diag::Reported;
use crate::lower::{Definition, Draft, Frame, Lowering};
use crate::lower::{account_subject, policy_rules, role_ref};
use crate::tree::Node;

const RBAC: &str = "rbac.authorization.k8s.io/v1";
const SERVICE_ACCOUNT_NAME: &str = "kubernetes.io/service-account.name";
const SERVICE_ACCOUNT_TOKEN: &str = "kubernetes.io/service-account-token";
const QUOTA: &str = "nodepool";
const PYTHON_PATH: &str = "nodepool.sandboxc.dev/python-path";
const SHELL_TYPE: &str = "nodepool.sandboxc.dev/shell-type";
const NODE_ATTRIBUTES: &str = "nodepool.sandboxc.dev/node-attributes";
/// The default of `pythonPath`: Ansible detects the path of Python.
const AUTO: &str = "auto";

/// Emits Namespace, ServiceAccount, Secret, Role, RoleBinding and Pod of each node.
pub(super) fn lower(
    definition: Definition<NodePoolSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let pools = model::pools(&definition.spec);
    // The API server would reject each object because of the reported name.
    if let Some(reported) = find_name_fault(&definition, &pools) {
        return Err(reported);
    }
    let (frame, spec) = (Frame::new(definition.metadata, definition.document), &definition.spec);
    let provider = spec.provider.clone().map_or_else(|| frame.name(), Text::into_node);
    let settings = lowering.setup.settings::<NodepoolSettings>();
    let request = settings.and_then(|settings| settings.request.as_ref()).map(|it| &it.node);
    let has_quota = is_set(spec.resource_quota.as_ref());
    // Invalid nodes were reported with the other faults of the definition.
    let nodes = planned_nodes(spec, &pools, request);
    let driver = spec.driver();
    if !lowering.announce(nodes.len().saturating_mul(driver.least_objects())) {
        return Ok(());
    }
    for node in nodes.into_iter().flatten() {
        let labels = NodeLabels::of(&node, provider.clone());
        let node = NodeObjects { node, frame: &frame, labels };
        match driver {
            Driver::Kubernetes => {
                node.namespace(lowering);
                node.account(lowering);
            }
            Driver::OpenShift => openshift::lower(&node, lowering),
            Driver::OpenShiftPods => {}
        }
        if has_quota {
            node.quota(lowering);
        }
        if node.node.label.node_type().is_pod() {
            pod::lower(&node, lowering);
        }
    }
    if is_set(spec.launcher_role.as_ref()) {
        let labels = pools.iter().flat_map(|it| &it.labels);
        let types: Vec<_> = labels.map(LabelModel::node_type).collect();
        let account = settings.and_then(|settings| settings.launcher_service_account.as_ref());
        launcher_role(&types, account, &frame, lowering);
    }
    Ok(())
}

/// Emits the ClusterRole of the launcher, and a binding to its ServiceAccount if that is
/// configured.
fn launcher_role(
    types: &[NodeType],
    account: Option<&LauncherAccount>,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) {
    let name = frame.name_with(|name| format!("{name}-launcher"));
    lowering
        .object(frame, RBAC, "ClusterRole")
        .cluster_scoped()
        .name(name.clone())
        .set("rules", policy_rules(&launcher_rules(types), frame.managed()))
        .emit();
    let Some(account) = account else { return };
    let mut subject = account_subject("", "", frame.managed());
    subject.set("name", account.name.clone().into_node());
    subject.set("namespace", account.namespace.clone().into_node());
    let role = role_ref("ClusterRole", name.as_str().unwrap_or_default(), frame.managed());
    lowering
        .object(frame, RBAC, "ClusterRoleBinding")
        .cluster_scoped()
        .name(name)
        .set("roleRef", role)
        .set("subjects", frame.list([subject]))
        .emit();
}

impl Driver {
    /// The minimum number of objects of a node.
    const fn least_objects(self) -> usize {
        match self {
            Self::Kubernetes => 5,
            Self::OpenShift => 3,
            Self::OpenShiftPods => 1,
        }
    }
}

fn is_set(flag: Option<&Flag>) -> bool {
    flag.is_some_and(Flag::is_set)
}

/// Adds annotations of the managed layer, if there are any.
pub(super) fn with_annotations(draft: Draft<'_>, annotations: Node) -> Draft<'_> {
    if annotations.entries().is_empty() { draft } else { draft.annotations(annotations) }
}

/// The objects of one node.
pub(super) struct NodeObjects<'n> {
    pub(super) node: PlannedNode<'n>,
    pub(super) frame: &'n Frame,
    pub(super) labels: NodeLabels,
}

impl NodeObjects<'_> {
    /// A generated string for the node.
    pub(super) fn text(&self, text: impl Into<lean_string::LeanStr>) -> Node {
        Node::string(text, self.node.label.managed())
    }

    /// Name of the Namespace.
    pub(super) fn name_of_namespace(&self) -> Node {
        self.text(self.node.namespace())
    }

    fn namespace(&self, lowering: &mut Lowering<'_, '_>) {
        let namespace = lowering
            .object(self.frame, "v1", "Namespace")
            .cluster_scoped()
            .name(self.name_of_namespace())
            .labels(self.labels.own.clone())
            .owned_labels(self.labels.managed.clone(), "Nodepool");
        with_annotations(namespace, self.annotations()).emit();
    }

    /// Annotations for settings that Zuul only reads from ZooKeeper, and for dynamic labels whose
    /// request is unknown.
    pub(super) fn annotations(&self) -> Node {
        let label = &self.node.label.label;
        let mut annotations = Node::map(self.node.label.managed());
        let python_path = label.python_path.clone().filter(|path| path.as_str() != AUTO);
        annotations.set_some(PYTHON_PATH, python_path.map(Text::into_node));
        annotations.set_some(SHELL_TYPE, label.shell_type.clone().map(Text::into_node));
        if let Some(attributes) = &self.node.pool.pool.node_attributes {
            let members = attributes.entries.iter();
            let members = members.map(|(key, value)| (key.to_string(), value.node.to_json()));
            let json = serde_json::Value::Object(members.collect());
            annotations.set(NODE_ATTRIBUTES, self.text(json.to_string()));
        }
        annotations.set_some(UNRESOLVED, self.labels.unresolved.clone());
        annotations
    }

    fn account(&self, lowering: &mut Lowering<'_, '_>) {
        let origin = self.node.label.managed();
        let namespace = self.node.namespace();
        let node_type = self.node.label.node_type();
        let account = self.text(WORKER);
        let mut annotations = Node::map(origin);
        annotations.set(SERVICE_ACCOUNT_NAME, account.clone());
        lowering
            .object(self.frame, "v1", "ServiceAccount")
            .namespace(Some(self.name_of_namespace()))
            .name(account.clone())
            .emit();
        lowering
            .object(self.frame, "v1", "Secret")
            .namespace(Some(self.name_of_namespace()))
            .name(account)
            .annotations(annotations)
            .set("type", self.text(SERVICE_ACCOUNT_TOKEN))
            .emit();
        lowering
            .object(self.frame, RBAC, "Role")
            .namespace(Some(self.name_of_namespace()))
            .name(self.text(node_type.role_name()))
            .set("rules", policy_rules(node_type.role_rules(), origin))
            .emit();
        lowering
            .object(self.frame, RBAC, "RoleBinding")
            .namespace(Some(self.name_of_namespace()))
            .name(self.text(ROLE_BINDING))
            .set("roleRef", role_ref("Role", node_type.role_name(), origin))
            .set("subjects", Node::list([account_subject(WORKER, &namespace, origin)], origin))
            .emit();
    }

    fn quota(&self, lowering: &mut Lowering<'_, '_>) {
        let Some(hard) = hard_limits(self.node.label) else { return };
        let mut spec = Node::map(self.node.label.managed());
        spec.set("hard", hard);
        lowering
            .object(self.frame, "v1", "ResourceQuota")
            .namespace(Some(self.name_of_namespace()))
            .name(self.text(QUOTA))
            .set("spec", spec)
            .emit();
    }
}
