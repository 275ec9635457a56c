//! Prints the custom resource definitions of a system from the descriptions of its kinds.

use super::description::{Conversion, Kind, System, Version};
use super::plant::Plant;
use super::{file, structural};
use crate::kube::{GroupVersionKind, Object};
use crate::sorted::CompactSort as _;
use crate::tree::Node;

/// The custom resource definitions that a system installs, sorted by name.
pub fn crds(system: &System) -> Vec<Object> {
    let plant = Plant::of(system);
    let described = system.kinds.iter().map(|kind| print_definition(plant, kind, system));
    let files =
        system.files.iter().filter_map(|file| Some(wrap_object(plant, file::read(plant, file)?)));
    let mut objects: Vec<_> = described.chain(files).collect();
    objects.compact_sort_by(|a, b| a.name.cmp(&b.name));
    objects
}

/// One definition.
fn print_definition(plant: Plant, kind: &Kind, system: &System) -> Object {
    let name = format!("{}.{}", kind.plural, kind.group);
    let versions =
        system.versions.iter().map(|version| print_version(plant, kind, *version, system));
    let mut spec = vec![
        ("group", plant.text(kind.group)),
        ("names", print_names(plant, kind)),
        ("scope", plant.text("Namespaced")),
        ("versions", plant.list(versions)),
    ];
    // A single version needs no conversion webhook.
    spec.extend(system.conversion.map(|webhook| ("conversion", print_conversion(plant, webhook))));
    let root = plant.map([
        ("apiVersion", plant.text("apiextensions.k8s.io/v1")),
        ("kind", plant.text("CustomResourceDefinition")),
        ("metadata", plant.map([("name", plant.text(&name))])),
        ("spec", plant.map(spec)),
    ]);
    wrap_object(plant, root)
}

fn wrap_object(plant: Plant, root: Node) -> Object {
    Object {
        gvk: GroupVersionKind::new("apiextensions.k8s.io/v1", "CustomResourceDefinition").into(),
        name: root.text_at(&["metadata", "name"]).into(),
        namespace: "".into(),
        root,
        document: plant.span(),
    }
}

fn print_names(plant: Plant, kind: &Kind) -> Node {
    plant.map([
        ("kind", plant.text(kind.name)),
        ("listKind", plant.text(&format!("{}List", kind.name))),
        ("plural", plant.text(kind.plural)),
        ("shortNames", plant.texts([kind.short_name])),
        ("singular", plant.text(kind.singular)),
    ])
}

fn print_version(plant: Plant, kind: &Kind, version: Version, system: &System) -> Node {
    let Version { name, is_deprecated } = version;
    let schema = plant.map([("openAPIV3Schema", structural::root(plant, kind, name))]);
    let mut entries = vec![
        ("name", plant.text(name)),
        ("schema", schema),
        ("served", plant.bool(true)),
        ("storage", plant.bool(system.versions.first() == Some(&version))),
    ];
    entries.extend(print_subresources(plant, kind, name).map(|value| ("subresources", value)));
    if is_deprecated {
        entries.push(("deprecated", plant.bool(true)));
        entries.push(("deprecationWarning", plant.text(&deprecation(system, kind, name))));
    }
    if kind.columns_in.contains(name) {
        entries.push(("additionalPrinterColumns", print_columns(plant, kind)));
    }
    plant.map(entries)
}

/// The warning of the API server for each request in a deprecated version.
pub(super) fn deprecation(system: &System, kind: &Kind, version: &str) -> String {
    let Kind { group, name, .. } = kind;
    let current = system.current_version(name);
    format!("{group}/{version} {name} is deprecated; use {group}/{current} {name} instead")
}

fn print_columns(plant: Plant, kind: &Kind) -> Node {
    plant.list(kind.columns.iter().map(|column| {
        plant.map([
            ("jsonPath", plant.text(column.json_path)),
            ("name", plant.text(column.name)),
            ("type", plant.text(column.kind)),
        ])
    }))
}

fn print_subresources(plant: Plant, kind: &Kind, version: &str) -> Option<Node> {
    let mut entries = Vec::new();
    if kind.status.is_some() {
        entries.push(("status", plant.map::<&str>([])));
    }
    if kind.scales_in.contains(version) {
        let paths = [
            ("labelSelectorPath", plant.text(".status.selector")),
            ("specReplicasPath", plant.text(".spec.replicas")),
            ("statusReplicasPath", plant.text(".status.replicas")),
        ];
        entries.push(("scale", plant.map(paths)));
    }
    (!entries.is_empty()).then(|| plant.map(entries))
}

fn print_conversion(plant: Plant, webhook: &Conversion) -> Node {
    let service = plant.map([
        ("name", plant.text(webhook.service)),
        ("namespace", plant.text(webhook.namespace)),
        ("path", plant.text(webhook.path)),
    ]);
    let review_versions = plant.texts(webhook.review_versions.iter().copied());
    let call = plant.map([
        ("clientConfig", plant.map([("service", service)])),
        ("conversionReviewVersions", review_versions),
    ]);
    plant.map([("strategy", plant.text("Webhook")), ("webhook", call)])
}
