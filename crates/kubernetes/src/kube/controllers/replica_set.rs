//! The ReplicaSet of a Deployment.

use super::{HASH, Owner, count};
use crate::kube::{LAST_APPLIED, Object};
use crate::tree::{Node, Number};

const LABEL: &str = "pod-template-hash";
/// Annotations of a Deployment that are not copied to its ReplicaSets.
const NOT_COPIED: &[&str] = &[
    LAST_APPLIED,
    "deployment.kubernetes.io/revision",
    "deployment.kubernetes.io/revision-history",
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deprecated.deployment.rollback.to",
];

/// The ReplicaSet of a Deployment.
pub fn replica_set(deployment: &Object) -> Node {
    let owner = Owner::of(deployment, "apps/v1");
    let origin = owner.origin();
    let own = deployment.root.get("spec");
    let field = |key: &str| own.and_then(|it| it.get(key)).cloned();
    let name = format!("{}-{HASH}", deployment.name);
    let hash = || owner.text(HASH);
    let field_or_map =
        |node: &Node, key: &str| node.get(key).cloned().unwrap_or_else(|| Node::map(origin));

    let mut template = field("template").unwrap_or_else(|| Node::map(origin));
    let mut template_metadata = field_or_map(&template, "metadata");
    let mut labels = field_or_map(&template_metadata, "labels");
    labels.set(LABEL, hash());
    template_metadata.set("labels", labels.clone());
    template.set("metadata", template_metadata);
    let mut selector = field("selector").unwrap_or_else(|| Node::map(origin));
    let mut matched = field_or_map(&selector, "matchLabels");
    matched.set(LABEL, hash());
    selector.set("matchLabels", matched);
    let replicas = count(own.and_then(|it| it.get("replicas")));

    let (mut root, mut metadata) = owner.head("apps/v1", "ReplicaSet", Some(&name));
    metadata.set("labels", labels);
    metadata.set("annotations", annotations(deployment, replicas, owner));
    metadata.set("ownerReferences", owner.reference());
    root.set("metadata", metadata);
    let mut spec = Node::map(origin);
    spec.set("replicas", Node::int(i64::try_from(replicas).unwrap_or(i64::MAX), origin));
    spec.set_some("minReadySeconds", field("minReadySeconds"));
    spec.set("selector", selector);
    spec.set("template", template);
    root.set("spec", spec);
    root
}

/// The annotations of a ReplicaSet: those copied from the Deployment, and those of its rollout.
fn annotations(deployment: &Object, replicas: usize, owner: Owner<'_>) -> Node {
    let mut annotations = Node::map(owner.origin());
    let own = deployment.root.entries_at(&["metadata", "annotations"]);
    let copied = own.iter().filter(|entry| !NOT_COPIED.contains(&entry.key.as_str()));
    annotations.set_all(copied.map(|entry| (entry.key.text().clone(), entry.value.clone())));
    let written = deployment.root.at(&["spec", "strategy", "rollingUpdate", "maxSurge"]);
    let is_recreated = deployment.root.str_at(&["spec", "strategy", "type"]) == Some("Recreate");
    let surge = if is_recreated { 0 } else { count_surge(written, replicas) };
    let most = replicas.saturating_add(surge);
    let values = [
        ("deployment.kubernetes.io/desired-replicas", replicas.to_string()),
        ("deployment.kubernetes.io/max-replicas", most.to_string()),
        ("deployment.kubernetes.io/revision", "1".to_owned()),
    ];
    for (key, value) in values {
        annotations.set(key, owner.text(&value));
    }
    annotations
}

/// `maxSurge` as a number of Pods. A percentage is rounded up. Defaults to 25%.
fn count_surge(surge: Option<&Node>, replicas: usize) -> usize {
    let share = |percent: usize| replicas.saturating_mul(percent).div_ceil(100);
    match surge {
        None => share(25),
        Some(node) => match (node.as_number(), node.as_str()) {
            (Some(Number::Int(number)), _) => usize::try_from(number).unwrap_or(0),
            (_, Some(text)) => {
                let percent = text.trim_end_matches('%').parse().ok();
                percent.filter(|percent| *percent <= 1000).map_or(0, share)
            }
            _ => 0,
        },
    }
}
