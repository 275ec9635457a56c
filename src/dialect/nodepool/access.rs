//! The permissions of the worker's account in the Namespace of a node, and of the launcher in the
//! cluster.

use super::node_label::NodeType;
use crate::lower::PolicyRule;

/// The ServiceAccount whose token Zuul gets.
pub(super) const WORKER: &str = "zuul-worker";
pub(super) const ROLE_BINDING: &str = "zuul-role";

const ALL_VERBS: &[&str] = &["create", "delete", "get", "list", "patch", "update", "watch"];
const CORE: &[&str] = &[""];
const BATCH: &[&str] = &["batch"];
const APPS: &[&str] = &["apps"];
const RBAC: &[&str] = &["rbac.authorization.k8s.io"];

const fn allow(
    api_groups: &'static [&'static str],
    resources: &'static [&'static str],
    verbs: &'static [&'static str],
) -> PolicyRule<'static> {
    PolicyRule { api_groups, resources, verbs }
}

/// The rules for a Pod: run commands in it, read its logs.
///
/// The driver writes `pods/logs`, which does not exist, so its workers cannot read logs.
const OF_POD: &[PolicyRule<'static>] = &[
    allow(CORE, &["pods"], &["get", "list"]),
    allow(CORE, &["pods/exec"], ALL_VERBS),
    allow(CORE, &["pods/log"], ALL_VERBS),
    allow(CORE, &["pods/portforward"], ALL_VERBS),
];

/// The rules for a whole Namespace.
///
/// The driver lists Jobs, Deployments and ReplicaSets in the core group, which does not have them,
/// and `crontabs`, which no Kubernetes group has. Here each is in its group, and CronJobs replace
/// `crontabs`.
const OF_NAMESPACE: &[PolicyRule<'static>] = &[
    allow(
        CORE,
        &[
            "pods",
            "pods/exec",
            "pods/log",
            "pods/portforward",
            "services",
            "endpoints",
            "configmaps",
            "secrets",
        ],
        ALL_VERBS,
    ),
    allow(BATCH, &["cronjobs", "jobs"], ALL_VERBS),
    allow(APPS, &["deployments", "replicasets"], ALL_VERBS),
];

impl NodeType {
    /// Name of the Role in the Namespace of a node.
    pub(super) const fn role_name(self) -> &'static str {
        match self {
            Self::Pod => "zuul-restricted",
            Self::Namespace | Self::Project => "zuul",
        }
    }

    /// Rules of that Role.
    pub(super) const fn role_rules(self) -> &'static [PolicyRule<'static>] {
        match self {
            Self::Pod => OF_POD,
            Self::Namespace | Self::Project => OF_NAMESPACE,
        }
    }
}

/// The permissions of the launcher that do not depend on labels.
const OF_LAUNCHER: &[PolicyRule<'static>] = &[
    allow(CORE, &["namespaces"], &["create", "delete", "get", "list"]),
    allow(CORE, &["serviceaccounts"], &["create"]),
    allow(CORE, &["secrets"], &["create", "get"]),
    allow(RBAC, &["rolebindings", "roles"], &["create"]),
];
const OF_PODS: PolicyRule<'static> = allow(CORE, &["pods"], &["create", "get"]);

/// The rules of a ClusterRole for the launcher of these types of nodes. It has each permission that
/// it grants, because the API server does not allow creating a Role with more.
pub(super) fn launcher_rules(types: &[NodeType]) -> Vec<PolicyRule<'static>> {
    let mut rules = OF_LAUNCHER.to_vec();
    if types.contains(&NodeType::Pod) {
        rules.push(OF_PODS);
    }
    for node_type in [NodeType::Pod, NodeType::Namespace] {
        if types.contains(&node_type) {
            rules.extend_from_slice(node_type.role_rules());
        }
    }
    let all = rules.clone();
    let mut position = 0;
    rules.retain(|rule| {
        position += 1;
        // Keep the first of two equal rules.
        let covers = |(at, other): (usize, &PolicyRule<'_>)| {
            at + 1 != position && includes(other, rule) && (at < position || !includes(rule, other))
        };
        !all.iter().enumerate().any(covers)
    });
    rules
}

/// Whether one rule includes all permissions of the other.
fn includes(one: &PolicyRule<'_>, other: &PolicyRule<'_>) -> bool {
    let has = |all: &[&str], some: &[&str]| some.iter().all(|name| all.contains(name));
    has(one.api_groups, other.api_groups)
        && has(one.resources, other.resources)
        && has(one.verbs, other.verbs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The resources that exist in each group, including subresources.
    const KNOWN: &[(&str, &[&str])] = &[
        (
            "",
            &[
                "namespaces",
                "serviceaccounts",
                "secrets",
                "pods",
                "pods/exec",
                "pods/log",
                "pods/portforward",
                "services",
                "endpoints",
                "configmaps",
            ],
        ),
        ("batch", &["cronjobs", "jobs"]),
        ("apps", &["deployments", "replicasets"]),
        ("rbac.authorization.k8s.io", &["rolebindings", "roles"]),
    ];

    #[test]
    fn each_rule_names_resources_of_its_group() {
        let types = [NodeType::Pod, NodeType::Namespace];
        let all = types.iter().flat_map(|it| it.role_rules()).copied();
        for rule in all.chain(launcher_rules(&types)) {
            for group in rule.api_groups {
                let known = KNOWN.iter().find(|(name, _)| name == group).expect("a known group").1;
                for resource in rule.resources {
                    assert!(known.contains(resource), "{group}/{resource}");
                }
            }
        }
    }

    fn permits(rules: &[PolicyRule<'_>], group: &str, resource: &str, verb: &str) -> bool {
        rules.iter().any(|rule| {
            rule.api_groups.contains(&group)
                && rule.resources.contains(&resource)
                && rule.verbs.contains(&verb)
        })
    }

    /// The API server rejects a Role with a permission that its creator does not have.
    #[test]
    fn the_launcher_has_what_it_grants() {
        for types in
            [&[NodeType::Pod][..], &[NodeType::Namespace], &[NodeType::Pod, NodeType::Namespace]]
        {
            let own = launcher_rules(types);
            for granted in types.iter().flat_map(|it| it.role_rules()) {
                for resource in granted.resources {
                    for verb in granted.verbs {
                        let group = granted.api_groups[0];
                        assert!(permits(&own, group, resource, verb), "{group}/{resource} {verb}");
                    }
                }
            }
        }
        assert!(!permits(
            &launcher_rules(&[NodeType::Namespace]),
            "batch",
            "jobs",
            "deletecollection"
        ));
        assert!(!permits(&launcher_rules(&[NodeType::Pod]), "apps", "deployments", "create"));
    }
}
