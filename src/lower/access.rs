//! Parts of generated Roles and role bindings.

use k8s_openapi::api::rbac::v1::{PolicyRule as KubernetesRule, RoleRef, Subject};

use crate::tree::{Node, Origin};

const GROUP: &str = "rbac.authorization.k8s.io";

/// A rule of a Role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PolicyRule<'r> {
    /// API groups; the core group is the empty string.
    pub(crate) api_groups: &'r [&'r str],
    /// Resources and subresources: `pods`, `pods/log`.
    pub(crate) resources: &'r [&'r str],
    /// Verbs: `get`, `list`.
    pub(crate) verbs: &'r [&'r str],
}

/// The list `rules` of a Role or a ClusterRole.
pub(crate) fn policy_rules(rules: &[PolicyRule<'_>], origin: Origin) -> Node {
    let owned = |list: &[&str]| list.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let typed = rules.iter().map(|rule| KubernetesRule {
        api_groups: Some(owned(rule.api_groups)),
        resources: Some(owned(rule.resources)),
        verbs: owned(rule.verbs),
        ..KubernetesRule::default()
    });
    Node::list(typed.map(|rule| Node::built_in(&rule, origin)), origin)
}

/// `roleRef` of a binding to a `Role` or a `ClusterRole`.
pub(crate) fn role_ref(kind: &str, name: &str, origin: Origin) -> Node {
    let reference =
        RoleRef { api_group: Some(GROUP.to_owned()), kind: kind.to_owned(), name: name.to_owned() };
    Node::built_in(&reference, origin)
}

/// A ServiceAccount among `subjects` of a binding.
pub(crate) fn account_subject(name: &str, namespace: &str, origin: Origin) -> Node {
    let subject = Subject {
        kind: "ServiceAccount".to_owned(),
        name: name.to_owned(),
        namespace: Some(namespace.to_owned()),
        ..Subject::default()
    };
    Node::built_in(&subject, origin)
}
