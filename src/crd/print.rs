//! From the description of agent-sandbox to its custom resource definitions.

use super::plant::Plant;
use super::structural;
use crate::dialect::agent_sandbox::api::{self, ApiVersion, CONVERSION, ControllerLine, Kind};
use crate::kube::{GroupVersionKind, Object};
use crate::tree::Node;

/// The custom resource definitions of agent-sandbox, as its releases of this line install them,
/// sorted by name.
///
/// ```
/// let crds = sandboxc::crds(sandboxc::ControllerLine::V1_0);
/// assert_eq!(crds[0].name, "sandboxclaims.extensions.agents.x-k8s.io");
/// ```
#[must_use]
pub fn crds(line: ControllerLine) -> Vec<Object> {
    let plant = Plant::new("agent-sandbox");
    let mut objects: Vec<_> =
        api::KINDS.into_iter().map(|kind| definition(plant, kind, line)).collect();
    objects.sort_by(|a, b| a.name.cmp(&b.name));
    objects
}

/// One definition.
fn definition(plant: Plant, kind: &Kind, line: ControllerLine) -> Object {
    let name = format!("{}.{}", kind.plural, kind.group);
    let versions = line.versions().iter().map(|version| self::version(plant, kind, *version));
    let mut spec = vec![
        ("group", plant.text(kind.group)),
        ("names", names(plant, kind)),
        ("scope", plant.text("Namespaced")),
        ("versions", plant.list(versions)),
    ];
    // With one version there is nothing to convert, and no webhook that could.
    if line.versions().len() > 1 {
        spec.push(("conversion", conversion(plant)));
    }
    let root = plant.map([
        ("apiVersion", plant.text("apiextensions.k8s.io/v1")),
        ("kind", plant.text("CustomResourceDefinition")),
        ("metadata", plant.map([("name", plant.text(&name))])),
        ("spec", plant.map(spec)),
    ]);
    Object {
        gvk: GroupVersionKind::new("apiextensions.k8s.io/v1", "CustomResourceDefinition").into(),
        name: name.into(),
        namespace: "".into(),
        root,
        document: plant.span(),
        outline_of: None,
    }
}

fn names(plant: Plant, kind: &Kind) -> Node {
    plant.map([
        ("kind", plant.text(kind.name)),
        ("listKind", plant.text(&format!("{}List", kind.name))),
        ("plural", plant.text(kind.plural)),
        ("shortNames", plant.texts([kind.short_name])),
        ("singular", plant.text(kind.singular)),
    ])
}

fn version(plant: Plant, kind: &Kind, version: ApiVersion) -> Node {
    let schema = plant.map([("openAPIV3Schema", structural::root(plant, kind, version))]);
    let mut entries = vec![
        ("name", plant.text(version.as_str())),
        ("schema", schema),
        ("served", plant.bool(true)),
        ("storage", plant.bool(version == ApiVersion::V1Beta1)),
    ];
    entries.extend(subresources(plant, kind, version).map(|it| ("subresources", it)));
    if version.is_deprecated() {
        entries.push(("deprecated", plant.bool(true)));
        entries.push(("deprecationWarning", plant.text(&deprecation(kind))));
    }
    if kind.columns_in.contains(version) {
        entries.push(("additionalPrinterColumns", columns(plant, kind)));
    }
    plant.map(entries)
}

/// What the API server answers to each request in the deprecated version.
pub(super) fn deprecation(kind: &Kind) -> String {
    format!(
        "{group}/v1alpha1 {name} is deprecated; use {group}/v1beta1 {name} instead",
        group = kind.group,
        name = kind.name,
    )
}

fn columns(plant: Plant, kind: &Kind) -> Node {
    plant.list(kind.columns.iter().map(|column| {
        plant.map([
            ("jsonPath", plant.text(column.json_path)),
            ("name", plant.text(column.name)),
            ("type", plant.text(column.kind)),
        ])
    }))
}

fn subresources(plant: Plant, kind: &Kind, version: ApiVersion) -> Option<Node> {
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

fn conversion(plant: Plant) -> Node {
    let service = plant.map([
        ("name", plant.text(CONVERSION.service)),
        ("namespace", plant.text(CONVERSION.namespace)),
        ("path", plant.text(CONVERSION.path)),
    ]);
    let review_versions = plant.texts(CONVERSION.review_versions.iter().copied());
    let webhook = plant.map([
        ("clientConfig", plant.map([("service", service)])),
        ("conversionReviewVersions", review_versions),
    ]);
    plant.map([("strategy", plant.text("Webhook")), ("webhook", webhook)])
}
