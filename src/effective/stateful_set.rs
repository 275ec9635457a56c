//! The Pods of a StatefulSet and their volume claims.

use crate::kube::Object;
use crate::kube::controllers::{
    Owner, claim_name, count, first_number, stateful_pod, volume_claim,
};
use crate::lower::Effects;
use crate::tree::Node;

/// Creates the Pods of a StatefulSet and their volume claims.
pub(super) fn create(set: &Object, effects: &mut Effects<'_>) {
    let owner = Owner::of(set, "apps/v1");
    let spec = set.root.get("spec");
    let field = |key: &str| spec.and_then(|it| it.get(key));
    let claims = field("volumeClaimTemplates").map_or(&[][..], Node::items);
    let prefix = format!("{}-", set.name);
    let copied = field("template").into_iter().chain(claims);
    let replicas = effects.admit(set, count(field("replicas")), copied);
    for number in (first_number(spec)..).take(replicas) {
        let (pod, pod_name) = stateful_pod(owner, spec, number);
        for template in claims {
            let name = claim_name(template, &pod_name);
            if !effects.is_in_input("", "PersistentVolumeClaim", &set.namespace, &name) {
                let claim = volume_claim(owner, template, &name, spec);
                effects.emit(set, "v1", "PersistentVolumeClaim", claim);
            }
        }
        effects.emit(set, "v1", "Pod", pod.into_node(owner, Some(&pod_name), Some(&prefix)));
    }
}
