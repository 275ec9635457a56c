//! `Blueprint`: the facts about a template that the checks of claims and pools use, indexed once
//! per template.
//!
//! A template can have thousands of claims, whose checks only look names up.

use super::named::Named;
use crate::kube::{Container, Object, PodSpec};
use crate::tree::{Entry, Node, items};

/// The contents of a SandboxTemplate, by name.
#[derive(Default)]
pub(super) struct Blueprint<'o> {
    /// Init and regular containers: the possible targets of variables.
    pub(super) containers: Named<'o, Variables<'o>>,
    /// The first regular container, the default target of a variable.
    pub(super) first_container: Option<&'o str>,
    /// The labels of the pod template.
    pub(super) labels: Named<'o, &'o Entry>,
    /// The annotations of the pod template.
    pub(super) annotations: Named<'o, &'o Entry>,
    /// The names of the volume claim templates, with the nodes of the names.
    pub(super) volume_claims: Named<'o, &'o Node>,
    /// The longest of these names.
    pub(super) longest_volume_claim: Option<&'o str>,
    /// Whether one of them names a particular volume.
    pub(super) names_volume: bool,
    /// The names of the pod template's own volumes.
    pub(super) volumes: Named<'o, &'o Node>,
    /// The volumes that some container mounts, or uses as a device.
    pub(super) mounted: Named<'o, ()>,
    /// Mounted names that are neither volumes nor volume claims.
    pub(super) unmet: Box<[&'o str]>,
}

/// The environment of one container.
#[derive(Default)]
pub(super) struct Variables<'o> {
    /// The entries of `env` by name.
    pub(super) env: Named<'o, &'o Node>,
    /// `envFrom`, if it has entries.
    pub(super) env_from: Option<&'o Entry>,
}

impl<'o> Blueprint<'o> {
    /// Reads a SandboxTemplate or a Sandbox.
    pub(super) fn new(object: &'o Object) -> Self {
        let templates = volume_claim_templates(object);
        let volume_claims = volume_claim_names(templates);
        let longest_volume_claim = volume_claims.names().max_by_key(|name| name.len());
        let mut blueprint = Self {
            names_volume: templates.iter().any(names_volume),
            volume_claims,
            longest_volume_claim,
            ..Self::default()
        };
        let Some(pod) = PodSpec::of(object) else { return blueprint };
        let metadata = |field| pod.template.at(&["metadata", field]);
        blueprint.labels = entries_by_key(metadata("labels"));
        blueprint.annotations = entries_by_key(metadata("annotations"));
        let volumes = items(pod.spec, "volumes").iter().filter_map(|volume| volume.get("name"));
        blueprint.volumes = volumes.filter_map(|name| Some((name.as_str()?, name))).collect();
        let (mut containers, mut mounted) = (Vec::new(), Vec::new());
        for container in pod.containers() {
            for field in ["volumeMounts", "volumeDevices"] {
                let mounts = items(container.node, field).iter();
                mounted.extend(mounts.filter_map(|mount| Some((mount.str_at(&["name"])?, ()))));
            }
            let Some(name) = container.node.str_at(&["name"]) else { continue };
            match container.list {
                "ephemeralContainers" => continue,
                "containers" if container.index == 0 => blueprint.first_container = Some(name),
                _ => {}
            }
            containers.push((name, container.node));
        }
        let variables = |(name, container)| (name, Variables::new(container));
        blueprint.containers = containers.into_iter().map(variables).collect();
        blueprint.mounted = mounted.into_iter().collect();
        let has = |name: &&str| {
            blueprint.volumes.contains(name) || blueprint.volume_claims.contains(name)
        };
        blueprint.unmet = blueprint.mounted.names().filter(|name| !has(name)).collect();
        blueprint
    }
}

impl<'o> Variables<'o> {
    fn new(container: &'o Node) -> Self {
        // Of two variables with the same name the last one applies.
        let env = items(container, "env").iter().rev();
        Self {
            env: env.filter_map(|variable| Some((variable.str_at(&["name"])?, variable))).collect(),
            env_from: container.entry("envFrom").filter(|entry| !entry.value.items().is_empty()),
        }
    }
}

fn names_volume(claim: &Node) -> bool {
    claim.str_at(&["spec", "volumeName"]).is_some_and(|name| !name.is_empty())
}

/// The entries of a map by key.
pub(super) fn entries_by_key(map: Option<&Node>) -> Named<'_, &Entry> {
    let entries = map.map_or(&[][..], Node::entries);
    entries.iter().rev().map(|entry| (entry.key.as_str(), entry)).collect()
}

/// The items of `volumeClaimTemplates` of an object.
pub(super) fn volume_claim_templates(object: &Object) -> &[Node] {
    object.root.at(&["spec", "volumeClaimTemplates"]).map_or(&[], Node::items)
}

/// The names of volume claim templates, each with its first node.
pub(super) fn volume_claim_names(templates: &[Node]) -> Named<'_, &Node> {
    let names = templates.iter().filter_map(|template| template.at(&["metadata", "name"]));
    names.filter_map(|name| Some((name.as_str()?, name))).collect()
}

/// The containers that run as long as the Pod: regular ones, and sidecars.
pub(super) fn running_containers<'o>(
    pod: &PodSpec<'o>,
) -> impl Iterator<Item = Container<'o>> + use<'o> {
    pod.containers().filter(|container| match container.list {
        "containers" => true,
        "initContainers" => container.node.str_at(&["restartPolicy"]) == Some("Always"),
        _ => false,
    })
}
