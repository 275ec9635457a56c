//! `Blueprint`: what claims and pools need to know of a template, indexed once per template.
//!
//! A template may have thousands of claims; each of them asks only by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::kube::{Object, PodSpec};
use crate::tree::{Entry, Node};

/// The contents of a SandboxTemplate, by name.
#[derive(Default)]
pub(super) struct Blueprint<'o> {
    /// Init and regular containers: the possible targets of variables.
    pub(super) containers: BTreeMap<&'o str, Variables<'o>>,
    /// The first regular container: the target where a variable names none.
    pub(super) first_container: Option<&'o str>,
    /// The labels of the pod template.
    pub(super) labels: BTreeMap<&'o str, &'o Entry>,
    /// The annotations of the pod template.
    pub(super) annotations: BTreeMap<&'o str, &'o Entry>,
    /// The names of the volume claim templates, with the node that is the name.
    pub(super) volume_claims: BTreeMap<&'o str, &'o Node>,
    /// The longest of these names.
    pub(super) longest_volume_claim: Option<&'o str>,
    /// Whether one of them asks for a certain volume.
    pub(super) names_volume: bool,
    /// The names of the pod template's own volumes.
    pub(super) volumes: BTreeMap<&'o str, &'o Node>,
    /// The volumes that some container mounts, or uses as a device.
    pub(super) mounted: BTreeSet<&'o str>,
    /// Those of them that are neither volumes nor volume claims.
    pub(super) unmet: Vec<&'o str>,
}

/// The environment of one container.
#[derive(Default)]
pub(super) struct Variables<'o> {
    /// The entries of `env` by name.
    pub(super) env: BTreeMap<&'o str, &'o Node>,
    /// `envFrom`, where it has entries.
    pub(super) env_from: Option<&'o Entry>,
}

impl<'o> Blueprint<'o> {
    /// Reads a SandboxTemplate or a Sandbox.
    pub(super) fn new(object: &'o Object) -> Self {
        let list = object.root.at(&["spec", "volumeClaimTemplates"]);
        let volume_claims = names(list, &["metadata"]);
        let longest_volume_claim = volume_claims.keys().copied().max_by_key(|name| name.len());
        let mut blueprint = Self {
            names_volume: list.map_or(&[][..], Node::items).iter().any(names_volume),
            volume_claims,
            longest_volume_claim,
            ..Self::default()
        };
        let Some(pod) = PodSpec::of(object) else { return blueprint };
        let metadata = |field| pod.template.at(&["metadata", field]);
        blueprint.labels = entries(metadata("labels"));
        blueprint.annotations = entries(metadata("annotations"));
        blueprint.volumes = names(pod.spec.get("volumes"), &[]);
        for container in pod.containers() {
            for field in ["volumeMounts", "volumeDevices"] {
                let mounts = container.node.get(field).map_or(&[][..], Node::items);
                blueprint.mounted.extend(mounts.iter().filter_map(|it| it.str_at(&["name"])));
            }
            let Some(name) = container.node.str_at(&["name"]) else { continue };
            match container.list {
                "ephemeralContainers" => continue,
                "containers" if container.index == 0 => blueprint.first_container = Some(name),
                _ => {}
            }
            blueprint.containers.entry(name).or_insert_with(|| Variables::new(container.node));
        }
        let has = |name: &str| {
            blueprint.volumes.contains_key(name) || blueprint.volume_claims.contains_key(name)
        };
        blueprint.unmet = blueprint.mounted.iter().copied().filter(|it| !has(it)).collect();
        blueprint
    }
}

impl<'o> Variables<'o> {
    fn new(container: &'o Node) -> Self {
        let env = container.get("env").map_or(&[][..], Node::items);
        Self {
            env: env.iter().filter_map(|it| Some((it.str_at(&["name"])?, it))).collect(),
            env_from: container.entry("envFrom").filter(|entry| !entry.value.items().is_empty()),
        }
    }
}

fn names_volume(claim: &Node) -> bool {
    claim.str_at(&["spec", "volumeName"]).is_some_and(|name| !name.is_empty())
}

/// The entries of a map by key.
pub(super) fn entries(map: Option<&Node>) -> BTreeMap<&str, &Entry> {
    let entries = map.map_or(&[][..], Node::entries);
    entries.iter().map(|entry| (entry.key.as_str(), entry)).collect()
}

/// The names of the items of a list, each with its first node; `within` leads to the name's parent.
pub(super) fn names<'o>(list: Option<&'o Node>, within: &[&str]) -> BTreeMap<&'o str, &'o Node> {
    let mut names = BTreeMap::new();
    for item in list.map_or(&[][..], Node::items) {
        let name = item.at(within).and_then(|it| it.get("name"));
        if let Some((text, name)) = name.and_then(|it| Some((it.as_str()?, it))) {
            names.entry(text).or_insert(name);
        }
    }
    names
}
