//! Deployments and ReplicaSets.

use super::pod::{Owner, Pod, count};
use crate::kube::Object;
use crate::lower::Effects;
use crate::tree::{Node, Number};

const HASH: &str = "pod-template-hash";
/// Replaces the hash of a Pod template, which depends on the defaults of the API server.
const PLACEHOLDER: &str = "placeholder";
/// Annotations of a Deployment that are not copied to its ReplicaSets.
const NOT_COPIED: &[&str] = &[
    "kubectl.kubernetes.io/last-applied-configuration",
    "deployment.kubernetes.io/revision",
    "deployment.kubernetes.io/revision-history",
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deprecated.deployment.rollback.to",
];

/// Creates the ReplicaSet of a Deployment and its Pods.
pub(super) fn create_replica_set(deployment: &Object, effects: &mut Effects<'_>) {
    let owner = Owner::of(deployment, "apps/v1");
    let origin = owner.origin();
    let own = deployment.root.get("spec");
    let field = |key: &str| own.and_then(|it| it.get(key)).cloned();
    let name = format!("{}-{PLACEHOLDER}", deployment.name);
    let hash = || owner.text(PLACEHOLDER);

    let mut template = field("template").unwrap_or_else(|| Node::map(origin));
    let mut template_metadata =
        template.get("metadata").cloned().unwrap_or_else(|| Node::map(origin));
    let mut labels = template_metadata.get("labels").cloned().unwrap_or_else(|| Node::map(origin));
    labels.set(HASH, hash());
    template_metadata.set("labels", labels.clone());
    template.set("metadata", template_metadata);
    let mut selector = field("selector").unwrap_or_else(|| Node::map(origin));
    let mut matched = selector.get("matchLabels").cloned().unwrap_or_else(|| Node::map(origin));
    matched.set(HASH, hash());
    selector.set("matchLabels", matched);
    let replicas = count(own.and_then(|it| it.get("replicas")));

    let (mut root, mut metadata) = owner.head("apps/v1", "ReplicaSet", &name);
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
    let pods_of = root.clone();
    effects.emit(deployment, "apps/v1", "ReplicaSet", root);
    let owner = Owner { kind: "ReplicaSet", name: &name, ..owner };
    add_pods(owner, &pods_of, effects);
}

/// The annotations of a ReplicaSet: those copied from the Deployment, and those of its rollout.
fn annotations(deployment: &Object, replicas: usize, owner: Owner<'_>) -> Node {
    let mut annotations = Node::map(owner.origin());
    let own = deployment.root.at(&["metadata", "annotations"]).map_or(&[][..], Node::entries);
    for entry in own.iter().filter(|it| !NOT_COPIED.contains(&it.key.as_str())) {
        annotations.set(entry.key.clone(), entry.value.clone());
    }
    let surge = deployment.root.at(&["spec", "strategy", "rollingUpdate", "maxSurge"]);
    let is_recreated = deployment.root.str_at(&["spec", "strategy", "type"]) == Some("Recreate");
    let most = if is_recreated { replicas } else { replicas + surge_of(surge, replicas) };
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
fn surge_of(surge: Option<&Node>, replicas: usize) -> usize {
    let share = |percent: usize| (replicas * percent).div_ceil(100);
    match surge {
        None => share(25),
        Some(node) => match (node.as_number(), node.as_str()) {
            (Some(Number::Int(number)), _) => usize::try_from(number).unwrap_or(0),
            (_, Some(text)) => {
                let percent = text.trim_end_matches('%').parse().ok();
                percent.filter(|it| *it <= 1000).map_or(0, share)
            }
            _ => 0,
        },
    }
}

/// Creates the Pods of a ReplicaSet in the input.
pub(super) fn create_pods(source: &Object, replica_set: &Node, effects: &mut Effects<'_>) {
    add_pods(Owner::of(source, "apps/v1"), replica_set, effects);
}

fn add_pods(owner: Owner<'_>, replica_set: &Node, effects: &mut Effects<'_>) {
    let prefix = format!("{}-", owner.name);
    let replicas = count(replica_set.at(&["spec", "replicas"]));
    let template = replica_set.at(&["spec", "template"]);
    let replicas = effects.admit(owner.source, replicas, template);
    for number in 1..=replicas {
        let pod = Pod::of(template, owner);
        let name = effects.generated_name(&prefix, number);
        pod.emit(owner, &name, Some(&prefix), effects);
    }
}
