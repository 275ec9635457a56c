//! `extends`: a definition and its ancestors, merged as trees before they are read.

use super::template::TemplateSpec;
use crate::decode::{Field, Record};
use crate::diag::{Reported, Sink};
use crate::lower::{self, Definition, Instance, Lowering};
use crate::merge::{self, Row, Strategy};
use crate::sorted::SortedMap;
use crate::tree::{Entry, Map, Node, Path, Value, items};
use crate::workload::PodFields;

/// The fields of a Template that are only about itself.
const OWN: [&str; 2] = ["abstract", "extends"];

const CX: merge::MergeContext<'static> = merge::MergeContext { rows: ROWS, path: Path::root() };

const fn row(
    object: &'static str,
    field: &'static str,
    strategy: Strategy<'static>,
) -> Row<'static> {
    Row { object, field, strategy, reason: "a definition replaces what it inherits" }
}

static ROWS: &[Row<'static>] = &[
    row("Template.spec", "volumeClaims", Strategy::ByKey(&["name"])),
    row("Template.spec.network", "egress", Strategy::Replace),
    row("Template.spec.network", "ingress", Strategy::Replace),
    row("io.k8s.api.core.v1.PersistentVolumeClaimSpec", "dataSourceRef", Strategy::Replace),
    row("io.k8s.api.core.v1.PersistentVolumeClaimSpec", "resources", Strategy::Replace),
    row("volumeClaims[] with its mount", "accessModes", Strategy::Replace),
];

/// Reads a definition whose fields are merged over those of its ancestors, except for those of the
/// Pod. These are layers, the farthest first: the `podOverrides` of an ancestor are below the fields of
/// the definition.
///
/// # Errors
/// If a definition that it extends does not exist, or extends it.
pub(super) fn read<S: Record + Field>(
    mut instance: Instance,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(Definition<S>, Vec<PodFields>), Reported> {
    let ancestors = lowering.instances.ancestors("Template", &instance, lowering.sink)?;
    let own = instance.root.as_map_mut().and_then(|map| map.remove("spec"));
    let mut pods = Vec::with_capacity(ancestors.len() + 1);
    let mut merged: Option<Node> = None;
    let inherited = ancestors.into_iter().map(|spec| without_own(spec.clone()));
    for spec in inherited.chain(own.map(|entry| entry.value)) {
        let (pod, others) = split(spec);
        pods.extend(PodFields::read(pod));
        merged = Some(match merged {
            Some(below) => merge(below, &others),
            None => others,
        });
    }
    instance.root.set_some("spec", merged);
    Ok((lower::read(instance, lowering.sink)?, pods))
}

fn without_own(mut spec: Node) -> Node {
    if let Some(map) = spec.as_map_mut() {
        map.retain(|entry| !OWN.contains(&entry.key.as_str()));
    }
    spec
}

/// The fields of the Pod, and the others.
fn split(spec: Node) -> (Node, Node) {
    let origin = spec.origin();
    let is_of_pod = |entry: &Entry| PodFields::OBJECT.property(&entry.key).is_some();
    let (pod, others): (Vec<_>, Vec<_>) = spec.into_entries().into_iter().partition(is_of_pod);
    let map = |entries: Vec<Entry>| Node::new(Value::Map(Map::from_iter(entries)), origin);
    (map(pod), map(others))
}

fn merge(mut below: Node, own: &Node) -> Node {
    drop_replaced(&mut below, own);
    merge::overlay(&CX, below, own, TemplateSpec::TYPE, None, &mut Sink::unused())
}

/// Removes the fields of inherited volume claims that fields with other names replace: a claim has
/// either a mount or a device, and `spec` only takes precedence over the fields next to it.
fn drop_replaced(below: &mut Node, own: &Node) {
    let Some(Value::List(inherited)) = below.get_mut("volumeClaims").map(|it| &mut it.value) else {
        return;
    };
    let named = inherited.iter_mut().filter_map(|claim| {
        let name = claim.str_at(&["name"])?.to_owned();
        Some((name, claim))
    });
    let mut named: SortedMap<_, _> = named.collect();
    for claim in items(own, "volumeClaims") {
        let inherited = claim.str_at(&["name"]).and_then(|name| named.get_mut(name));
        let Some(inherited) = inherited.and_then(|it| it.as_map_mut()) else { continue };
        let has = |field: &str| claim.get(field).is_some();
        if has("mountPath") || has("devicePath") {
            inherited.retain(|entry| !["mountPath", "devicePath"].contains(&entry.key.as_str()));
        }
        if has("devicePath") {
            inherited.retain(|entry| !["subPath", "readOnly"].contains(&entry.key.as_str()));
        }
        let Some(spec) = inherited.get_mut("spec").and_then(Node::as_map_mut) else { continue };
        spec.retain(|entry| match entry.key.as_str() {
            "resources" => !has("size"),
            field @ ("accessModes" | "storageClassName" | "volumeMode") => !has(field),
            _ => true,
        });
    }
}
