//! `StatefulSets`, their Pods and volume claims.

use super::pod::{Owner, Pod, count};
use crate::kube::Object;
use crate::lower::Effects;
use crate::tree::Node;

/// Creates the Pods of a StatefulSet and their volume claims.
pub(super) fn create(set: &Object, effects: &mut Effects<'_>) {
    let owner = Owner::of(set, "apps/v1");
    let spec = set.root.get("spec");
    let field = |key: &str| spec.and_then(|it| it.get(key));
    let start = spec.and_then(|it| it.at(&["ordinals", "start"])).and_then(Node::as_i64);
    let start = start.and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
    let claims = field("volumeClaimTemplates").map_or(&[][..], Node::items);
    let selector = spec.and_then(|it| it.at(&["selector", "matchLabels"]));
    let replicas = effects.admit(set, count(field("replicas")), field("template"));
    for ordinal in (start..).take(replicas) {
        let name = format!("{}-{ordinal}", set.name);
        for claim in claims {
            add_claim(owner, claim, &claim_name(claim, &name), selector, effects);
        }
        let mut pod = Pod::of(field("template"), owner);
        let revision = format!("{}-placeholder", set.name);
        let revision = revision.get(..revision.floor_char_boundary(63)).unwrap_or_default();
        let labels = [
            ("statefulset.kubernetes.io/pod-name", name.as_str()),
            ("apps.kubernetes.io/pod-index", &ordinal.to_string()),
            ("controller-revision-hash", revision.trim_end_matches(['-', '.'])),
        ];
        for (key, value) in labels {
            pod.labels.set(key, owner.text(value));
        }
        pod.spec.set("hostname", owner.text(&name));
        pod.spec.set_some("subdomain", field("serviceName").cloned());
        add_volumes(&mut pod.spec, claims, &name, owner);
        pod.emit(owner, &name, None, effects);
    }
}

fn template_name(claim: &Node) -> &str {
    claim.str_at(&["metadata", "name"]).unwrap_or("")
}

fn claim_name(claim: &Node, pod: &str) -> String {
    format!("{}-{pod}", template_name(claim))
}

fn add_claim(
    owner: Owner<'_>,
    template: &Node,
    name: &str,
    selector: Option<&Node>,
    effects: &mut Effects<'_>,
) {
    let namespace = owner.source.namespace.as_str();
    if effects.is_in_input("", "PersistentVolumeClaim", namespace, name) {
        return;
    }
    let (mut root, mut metadata) = owner.head("v1", "PersistentVolumeClaim", name);
    let own = |key: &str| template.at(&["metadata", key]).cloned();
    let mut labels = own("labels").unwrap_or_else(|| Node::map(owner.origin()));
    for entry in selector.map_or(&[][..], Node::entries) {
        labels.set(entry.key.clone(), entry.value.clone());
    }
    if !labels.entries().is_empty() {
        metadata.set("labels", labels);
    }
    metadata.set_some("annotations", own("annotations"));
    root.set("metadata", metadata);
    root.set_some("spec", template.get("spec").cloned());
    effects.emit(owner.source, "v1", "PersistentVolumeClaim", root);
}

/// Adds the volumes of the claims before the template's volumes. A volume of the template with the
/// same name is replaced.
fn add_volumes(spec: &mut Node, claims: &[Node], pod: &str, owner: Owner<'_>) {
    if claims.is_empty() {
        return;
    }
    let mut volumes = Vec::new();
    for claim in claims {
        let mut source = Node::map(owner.origin());
        source.set("claimName", owner.text(&claim_name(claim, pod)));
        let mut volume = Node::map(owner.origin());
        volume.set("name", owner.text(template_name(claim)));
        volume.set("persistentVolumeClaim", source);
        volumes.push(volume);
    }
    let is_claimed = |it: &&Node| {
        let name = it.str_at(&["name"]).unwrap_or("");
        claims.iter().any(|claim| template_name(claim) == name)
    };
    let others = spec.get("volumes").map_or(&[][..], Node::items).iter();
    volumes.extend(others.filter(|it| !is_claimed(it)).cloned());
    spec.set("volumes", Node::list(volumes, owner.origin()));
}
