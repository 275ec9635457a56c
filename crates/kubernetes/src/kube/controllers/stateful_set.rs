//! The Pods of a StatefulSet and their volume claims.

use super::{HASH, Owner, Pod};
use crate::sorted::SortedSet;
use crate::tree::{Entry, Map, Node};

/// The number of the first Pod.
pub fn start(spec: Option<&Node>) -> usize {
    let start = spec.and_then(|it| it.at(&["ordinals", "start"])).and_then(Node::as_i64);
    start.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

/// The Pod with a number, and its name.
pub fn pod(owner: Owner<'_>, spec: &Map, number: usize) -> (Pod, String) {
    let name = format!("{}-{number}", owner.name);
    let mut pod = Pod::of(spec.get("template"), owner);
    let whole = format!("{}-{HASH}", owner.name);
    let (revision, _) = whole.split_at(whole.floor_char_boundary(63));
    let labels = [
        ("statefulset.kubernetes.io/pod-name", name.as_str()),
        ("apps.kubernetes.io/pod-index", &number.to_string()),
        ("controller-revision-hash", revision.trim_end_matches(['-', '.'])),
    ];
    for (key, value) in labels {
        pod.label(key, value, owner);
    }
    pod.spec.set("hostname", owner.text(&name));
    pod.spec.set_some("subdomain", spec.get("serviceName").cloned());
    let claims = spec.get("volumeClaimTemplates").map_or(&[][..], Node::items);
    add_volumes(&mut pod.spec, claims, &name, owner);
    (pod, name)
}

fn template_name(claim: &Node) -> &str {
    claim.text_at(&["metadata", "name"])
}

/// The name of the claim of a Pod.
pub fn claim_name(template: &Node, pod: &str) -> String {
    format!("{}-{pod}", template_name(template))
}

/// A volume claim of a template; the `matchLabels` of the set are labels of it.
pub fn claim(owner: Owner<'_>, template: &Node, name: &str, selected: &[Entry]) -> Node {
    let (mut root, mut metadata) = owner.head("v1", "PersistentVolumeClaim", Some(name));
    let own = |key: &str| template.at(&["metadata", key]).cloned();
    let mut labels = own("labels").unwrap_or_else(|| Node::map(owner.origin()));
    labels.set_all(selected.iter().map(|entry| (entry.key.text().clone(), entry.value.clone())));
    if !labels.entries().is_empty() {
        metadata.set("labels", labels);
    }
    metadata.set_some("annotations", own("annotations"));
    root.set("metadata", metadata);
    root.set_some("spec", template.get("spec").cloned());
    root
}

/// Adds the volumes of the claims before the template's volumes. A volume of the template with the
/// same name is replaced.
fn add_volumes(spec: &mut Node, claims: &[Node], pod: &str, owner: Owner<'_>) {
    if claims.is_empty() {
        return;
    }
    let volume = |claim: &Node| {
        let name = owner.text(&claim_name(claim, pod));
        let source = owner.map([("claimName", name)]);
        owner.map([("name", owner.text(template_name(claim))), ("persistentVolumeClaim", source)])
    };
    let names: SortedSet<_> = claims.iter().map(template_name).collect();
    let is_own = |volume: &&Node| !names.contains(volume.text_at(&["name"]));
    let others = spec.items_at(&["volumes"]).iter().filter(is_own).cloned();
    let volumes = Node::list(claims.iter().map(volume).chain(others), owner.origin());
    spec.set("volumes", volumes);
}
