//! The objects of a node of the driver `openshift`: a Project, its ServiceAccount, and the role `admin` for it.
//!
//! The driver sends a ProjectRequest, which OpenShift turns into a Project. It cannot be applied again, so the
//! Project itself is printed.

use super::access::WORKER;
use super::lower::{NodeObjects, with_annotations};
use crate::kube::KindFacts;
use crate::lower::Lowering;
use crate::lower::account_subject;
use crate::tree::Node;

const PROJECT_GROUP: &str = "project.openshift.io";
const PROJECT_VERSION: &str = "project.openshift.io/v1";
const AUTHORIZATION_VERSION: &str = "authorization.openshift.io/v1";
const ROLE_BINDING: &str = "admin-0";
const ROLE: &str = "admin";

/// Projects are applied first, as Namespaces are.
pub(super) static KIND_FACTS: &[KindFacts] =
    &[KindFacts { apply_rank: Some(2), ..KindFacts::new(PROJECT_GROUP, "Project") }];

/// Emits the Project, the ServiceAccount and the RoleBinding of a node. OpenShift creates the token.
pub(super) fn lower(node: &NodeObjects<'_>, lowering: &mut Lowering<'_, '_>) {
    let origin = node.node.label.managed();
    let project = lowering
        .object(node.frame, PROJECT_VERSION, "Project")
        .cluster_scoped()
        .name(node.name_of_namespace())
        .labels(node.labels.own.clone())
        .owned_labels(node.labels.managed.clone(), "Nodepool");
    with_annotations(project, node.annotations()).emit();
    lowering
        .object(node.frame, "v1", "ServiceAccount")
        .namespace(Some(node.name_of_namespace()))
        .name(node.text(WORKER))
        .emit();
    let namespace = node.node.namespace();
    let mut role = Node::map(origin);
    role.set("name", node.text(ROLE));
    let user = node.text(format!("system:serviceaccount:{namespace}:{WORKER}"));
    lowering
        .object(node.frame, AUTHORIZATION_VERSION, "RoleBinding")
        .namespace(Some(node.name_of_namespace()))
        .name(node.text(ROLE_BINDING))
        .set("roleRef", role)
        .set("subjects", Node::list([account_subject(WORKER, &namespace, origin)], origin))
        .set("userNames", Node::list([user], origin))
        .emit();
}
