//! Deployments and ReplicaSets.

use crate::kube::Object;
use crate::kube::controllers::{Owner, Pod, count, replica_set};
use crate::lower::Effects;
use crate::tree::Node;

/// Creates the ReplicaSet of a Deployment and its Pods.
pub(super) fn create_replica_set(deployment: &Object, effects: &mut Effects<'_>) {
    let made = replica_set(deployment);
    effects.emit(deployment, "apps/v1", "ReplicaSet", made.clone());
    add_pods(Owner::made(deployment, &made), &made, effects);
}

/// Creates the Pods of a ReplicaSet in the input.
pub(super) fn create_pods(source: &Object, replica_set: &Node, effects: &mut Effects<'_>) {
    add_pods(Owner::of(source, "apps/v1"), replica_set, effects);
}

fn add_pods(owner: Owner<'_>, replica_set: &Node, effects: &mut Effects<'_>) {
    let prefix = format!("{}-", owner.name);
    let replicas = count(replica_set.at(&["spec", "replicas"]));
    let template = replica_set.at(&["spec", "template"]);
    for number in 1..=effects.admit(owner.source, replicas, template) {
        if effects.over().is_some() {
            return;
        }
        let name = effects.generated_name(&prefix, number);
        let pod = Pod::of(template, owner).into_node(owner, Some(&name), Some(&prefix));
        effects.emit(owner.source, "v1", "Pod", pod);
    }
}
