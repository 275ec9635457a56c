//! The Pods of a StatefulSet and their volume claims.

use crate::kube::Object;
use crate::kube::controllers::{
    Owner, claim_name, count, first_number, stateful_pod, volume_claim,
};
use crate::lower::Effects;
use crate::tree::{Map, Node};

/// Creates the Pods of a StatefulSet and their volume claims.
pub(super) fn create(set: &Object, effects: &mut Effects<'_>) {
    let owner = Owner::of(set, "apps/v1");
    let spec = set.root.get("spec");
    let fields = Map::of(spec);
    let claims = fields.get("volumeClaimTemplates").map_or(&[][..], Node::items);
    let match_labels = fields.get("selector").and_then(|it| it.get("matchLabels"));
    let selected = match_labels.map_or(&[][..], Node::entries);
    let prefix = format!("{}-", set.name);
    let copied = fields.get("template").into_iter().chain(claims);
    let replicas = effects.admit(set, count(fields.get("replicas")), copied);
    for number in (first_number(spec)..).take(replicas) {
        let (pod, pod_name) = stateful_pod(owner, fields, number);
        for template in claims {
            let name = claim_name(template, &pod_name);
            if effects.over().is_some() {
                return;
            }
            if !effects.is_in_input("", "PersistentVolumeClaim", &set.namespace, &name) {
                let claim = volume_claim(owner, template, &name, selected);
                effects.emit(set, "v1", "PersistentVolumeClaim", claim);
            }
        }
        if effects.over().is_some() {
            return;
        }
        effects.emit(set, "v1", "Pod", pod.into_node(owner, Some(&pod_name), Some(&prefix)));
    }
}
