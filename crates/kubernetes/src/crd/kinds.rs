//! `CustomKinds`: the custom resources known in a run, from the systems and from the input.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use super::description::{self, DefinitionFile, Newer, System, Version};
use super::expressions::Expressions;
use super::plant::Plant;
use super::{file, print, read, structural};
use crate::kube::{GroupVersionKind, Object};
use crate::schema::{Arena, Type};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileRole, Span, Workspace};
use crate::tree::Node;

/// The kinds of custom resources, by group and kind.
#[derive(Debug, Default)]
pub struct CustomKinds<'s> {
    groups: SortedMap<&'s str, SortedMap<&'s str, Arc<CustomKind<'s>>>>,
    systems: Vec<&'static System>,
    described: SortedMap<(&'static str, &'static str), &'static description::Kind>,
}

/// A kind of custom resource.
#[derive(Debug)]
pub struct CustomKind<'s> {
    /// The name of its resource: `widgets`.
    pub plural: &'s str,
    /// Whether its objects are namespaced.
    pub is_namespaced: bool,
    /// Its versions, in the order of its definition.
    pub versions: Vec<CustomVersion<'s>>,
    /// The positions of the served ones: a definition can have as many as there are objects.
    by_name: SortedMap<&'s str, usize>,
    /// The versions that other definitions of the input declare differently. Directories often contain several releases,
    /// and which of them is installed is unknown.
    alternatives: Vec<CustomVersion<'s>>,
    /// Whether a webhook converts objects between the versions.
    pub is_converted_by_webhook: bool,
    /// The span of the definition in the input, or `None` for a kind that a system installs.
    pub definition: Option<Span>,
    /// The system that installs it, if the input does not define it.
    pub system: Option<&'static System>,
}

/// A version of a kind of custom resource.
#[derive(Debug)]
pub struct CustomVersion<'s> {
    /// `v1`.
    pub name: &'s str,
    /// Whether the API server serves the version.
    pub is_served: bool,
    /// The warning of the API server for each object, if the version is deprecated.
    pub deprecation: Option<&'s str>,
    /// The type of the whole object.
    pub root: Type<'s>,
    /// Its validation rules.
    pub expressions: Option<Expressions>,
    /// Those of a system's description, which only apply to updates: read when they are needed.
    of_updates: OnceLock<Option<Expressions>>,
    /// The paths that the subresource `scale` reads, if the version has it.
    pub scale: Option<ScalePaths<'s>>,
}

/// Where the subresource `scale` finds the replica counts: `.spec.replicas`.
#[derive(Debug)]
pub struct ScalePaths<'s> {
    /// The desired number.
    pub spec: &'s str,
    /// The actual number; `None` if the API server drops the status of a new object.
    pub status: Option<&'s str>,
}

impl<'s> CustomKinds<'s> {
    /// The definitions among `objects`, and the kinds of `systems` that `objects` need. A definition in
    /// the input is what will be installed, and replaces the one of a system. Of several definitions of a
    /// kind the one with the newest served version counts; the versions of the others are added, or are alternatives.
    pub fn new(
        arena: &'s Arena<'s>,
        systems: impl IntoIterator<Item = &'static System>,
        objects: &[Object],
        texts: &Workspace,
    ) -> Self {
        let systems: Vec<_> = systems.into_iter().collect();
        let mut kinds = Self { systems, ..Self::default() };
        let used = used_versions(objects);
        for system in kinds.systems.clone() {
            for kind in system.kinds {
                kinds.described.insert((kind.group, kind.name), kind);
                if let Some(versions) = used.get(&(kind.group, kind.name)) {
                    kinds.add(kind.group, kind.name, described_kind(system, kind, versions));
                }
            }
            for file in system.files {
                if used.contains_key(&(file.group, file.kind)) {
                    kinds.add(file.group, file.kind, kind_of_file(system, file));
                }
            }
        }
        let definitions = objects
            .iter()
            .filter(|object| object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition"))
            .filter_map(|object| Some((defines(object)?, object)));
        let mut by_kind: SortedMap<_, Vec<&Object>> = SortedMap::new();
        for (kind, object) in definitions {
            by_kind.entry(kind).or_default().push(object);
        }
        for ((group, kind), mut definitions) in by_kind {
            let (group, kind) = (arena.text(group), arena.text(kind));
            // A known definition does not replace one in the input.
            let is_input = |object: &Object| {
                !matches!(texts.role_at(object.document), FileRole::KnownKinds | FileRole::Policies)
            };
            definitions.sort_by_cached_key(|object| {
                Reverse((is_input(object), newest_served(&object.root)))
            });
            let read = definitions.into_iter().map(|object| {
                let read = CustomKind::read(arena, group, kind, &object.root);
                (is_input(object), CustomKind { definition: Some(object.name_span()), ..read })
            });
            let defined = read.reduce(|(is_newest_input, newest), (is_input, older)| {
                let is_alternative = is_input == is_newest_input;
                (is_newest_input, newest.with_versions(older.versions, is_alternative))
            });
            kinds.add(group, kind, defined.map(|(_, kind)| Arc::new(kind)));
        }
        kinds
    }

    /// The systems whose kinds are known.
    pub fn systems(&self) -> &[&'static System] {
        &self.systems
    }

    /// Whether the input defines none of the kinds.
    pub(super) fn are_of_systems(&self) -> bool {
        self.groups.values().flat_map(SortedMap::values).all(|kind| kind.definition.is_none())
    }

    /// A system's description of a kind, even if the input defines the kind.
    pub fn described(&self, group: &str, kind: &str) -> Option<&'static description::Kind> {
        self.described.get(&(group, kind)).copied()
    }

    /// Adds a kind, or replaces the one of a system.
    fn add(&mut self, group: &'s str, name: &'s str, kind: Option<Arc<CustomKind<'s>>>) {
        if let Some(kind) = kind {
            self.groups.entry(group).or_default().insert(name, kind);
        }
    }

    /// The kind, if it is defined.
    pub fn find(&self, group: &str, kind: &str) -> Option<&CustomKind<'s>> {
        self.groups.get(group)?.get(kind).map(Arc::as_ref)
    }

    /// The rules for updates of objects of a version.
    pub(crate) fn rules_of_updates(&self, gvk: &GroupVersionKind) -> Option<&Expressions> {
        let kind = self.find(&gvk.group, &gvk.kind)?;
        let version = kind.served(&gvk.version)?;
        if version.expressions.is_some() {
            return version.expressions.as_ref();
        }
        let (system, described) = (kind.system?, self.described(&gvk.group, &gvk.kind)?);
        let read = || {
            let schema = structural::root(Plant::of(system), described, version.name);
            Expressions::read(&schema, described.status.is_some())
        };
        version.of_updates.get_or_init(read).as_ref()
    }

    /// The kinds of a group.
    pub fn of_group(&self, group: &str) -> impl Iterator<Item = &'s str> {
        self.groups.get(group).into_iter().flat_map(|kinds| kinds.keys().copied())
    }
}

impl<'s> CustomKind<'s> {
    /// Reads the definition of a kind.
    fn read(arena: &'s Arena<'s>, group: &'s str, kind: &'s str, root: &Node) -> Self {
        let versions = root.items_at(&["spec", "versions"]).iter();
        let versions: Vec<_> =
            versions.filter_map(|node| read_version(arena, group, kind, node)).collect();
        let conversion = root.str_at(&["spec", "conversion", "strategy"]);
        Self {
            by_name: positions_by_name(&versions),
            plural: arena.text(root.text_at(&["spec", "names", "plural"])),
            is_namespaced: root.str_at(&["spec", "scope"]) != Some("Cluster"),
            versions,
            alternatives: Vec::new(),
            is_converted_by_webhook: conversion == Some("Webhook"),
            definition: None,
            system: None,
        }
    }

    /// Adds the served versions of an older definition. Those that this one serves as well are alternatives if the other
    /// definition may be the installed one.
    fn with_versions(mut self, versions: Vec<CustomVersion<'s>>, is_alternative: bool) -> Self {
        let served = versions.into_iter().filter(|it| it.is_served);
        let (others, repeated): (Vec<_>, Vec<_>) =
            served.partition(|version| self.served(version.name).is_none());
        self.alternatives.extend(repeated.into_iter().filter(|_| is_alternative));
        let names: SortedSet<_> = others.iter().map(|it| it.name).collect();
        let before = self.versions.len();
        self.versions.retain(|own| !names.contains(own.name));
        if self.versions.len() < before {
            self.by_name = positions_by_name(&self.versions);
        }
        for version in others {
            self.by_name.entry(version.name).or_insert(self.versions.len());
            self.versions.push(version);
        }
        self
    }

    /// The version called `name`, if objects can be written in it.
    pub fn served(&self, name: &str) -> Option<&CustomVersion<'s>> {
        self.versions.get(*self.by_name.get(name)?)
    }

    /// The kind in the next release line of its system, in the version of an object.
    pub fn in_newer(
        &self,
        gvk: &GroupVersionKind,
    ) -> Option<(&'static Newer, Arc<CustomKind<'static>>)> {
        let newer = self.system?.newer?;
        let mut kinds = newer.system.kinds.iter();
        let kind =
            kinds.find(|candidate| candidate.group == gvk.group && candidate.name == gvk.kind)?;
        let versions = SortedSet::from([gvk.version.as_str()]);
        Some((newer, described_kind(newer.system, kind, &versions)?))
    }

    /// The same version in other definitions of the input.
    pub fn alternatives(&self, name: &str) -> impl Iterator<Item = &CustomVersion<'s>> {
        self.alternatives.iter().filter(move |version| version.name == name)
    }
}

/// The positions of the versions that are served.
fn positions_by_name<'s>(versions: &[CustomVersion<'s>]) -> SortedMap<&'s str, usize> {
    let served = versions.iter().enumerate().filter(|(_, version)| version.is_served);
    // Of two versions with one name, the first one counts.
    served.rev().map(|(at, version)| (version.name, at)).collect()
}

/// The group and the kind that a CustomResourceDefinition defines.
pub fn defines(definition: &Object) -> Option<(&str, &str)> {
    let root = &definition.root;
    root.str_at(&["spec", "group"]).zip(root.str_at(&["spec", "names", "kind"]))
}

/// The newest version that a definition serves, in the order of the API server: `v1` is newer than
/// `v2beta1`, and that newer than `v2alpha1`.
fn newest_served(root: &Node) -> (u8, u32, u32) {
    let versions = root.items_at(&["spec", "versions"]).iter();
    let served = versions.filter(|version| version.is_true("served"));
    served.filter_map(|it| it.str_at(&["name"])).map(version_priority).max().unwrap_or_default()
}

/// Stability, major and minor number of a version.
fn version_priority(name: &str) -> (u8, u32, u32) {
    let number = |text: &str| text.parse::<u32>().ok();
    let Some(rest) = name.strip_prefix('v') else { return (0, 0, 0) };
    let of_stage = |stage: u8, word: &str| {
        let (major, minor) = rest.split_once(word)?;
        Some((stage, number(major)?, number(minor)?))
    };
    let stable = number(rest).map(|major| (3, major, 0));
    stable.or_else(|| of_stage(2, "beta")).or_else(|| of_stage(1, "alpha")).unwrap_or_default()
}

/// The versions that occur among `objects`, by group and kind.
fn used_versions(objects: &[Object]) -> SortedMap<(&str, &str), SortedSet<&str>> {
    let mut used: SortedMap<_, SortedSet<_>> = SortedMap::new();
    // Objects of one kind are mostly together.
    for same in objects.chunk_by(|one, other| Arc::ptr_eq(&one.gvk, &other.gvk)) {
        let Some(Object { gvk, .. }) = same.first() else { continue };
        let versions = used.entry((gvk.group.as_str(), gvk.kind.as_str())).or_default();
        versions.insert(gvk.version.as_str());
    }
    used
}

/// A kind that a system describes, with the schemas of these versions.
fn described_kind(
    system: &'static System,
    kind: &'static description::Kind,
    used: &SortedSet<&str>,
) -> Option<Arc<CustomKind<'static>>> {
    let versions = system.versions.iter().map(|it| it.name);
    let versions: Vec<_> = versions.filter(|name| used.contains(name)).collect();
    system.installed.get_or_read((kind.group, kind.name, versions.clone()), |arena| {
        Some(read_described(arena, system, kind, &versions))
    })
}

/// A kind that a system installs as a file.
fn kind_of_file(
    system: &'static System,
    file: &'static DefinitionFile,
) -> Option<Arc<CustomKind<'static>>> {
    system.installed.get_or_read((file.group, file.kind, Vec::new()), |arena| {
        let root = file::read(Plant::of(system), file)?;
        let kind = CustomKind::read(arena, file.group, file.kind, &root);
        Some(CustomKind { system: Some(system), ..kind })
    })
}

/// A kind of a system, read from its printed definition.
fn read_described<'s>(
    arena: &'s Arena<'s>,
    system: &'static System,
    kind: &'static description::Kind,
    used: &[&str],
) -> CustomKind<'s> {
    let plant = Plant::of(system);
    let version = |Version { name, is_deprecated }: &Version| {
        let deprecation = is_deprecated.then(|| print::deprecation(system, kind, name));
        let schema = used.contains(name).then(|| structural::root(plant, kind, name));
        let has_status = kind.status.is_some();
        CustomVersion {
            name,
            is_served: true,
            deprecation: deprecation.map(|text| arena.text(&text)),
            root: schema
                .map_or(Type::Any, |schema| read::root(arena, kind.name, &schema, has_status)),
            // The rules in descriptions only apply to updates.
            expressions: None,
            of_updates: OnceLock::new(),
            scale: None,
        }
    };
    let versions: Vec<_> = system.versions.iter().map(version).collect();
    CustomKind {
        plural: kind.plural,
        is_namespaced: true,
        by_name: positions_by_name(&versions),
        versions,
        alternatives: Vec::new(),
        is_converted_by_webhook: system.conversion.is_some(),
        definition: None,
        system: Some(system),
    }
}

fn read_version<'s>(
    arena: &'s Arena<'s>,
    group: &'s str,
    kind: &'s str,
    version: &Node,
) -> Option<CustomVersion<'s>> {
    let name = arena.text(version.str_at(&["name"])?);
    let is_true = |key: &str| version.is_true(key);
    let deprecation = is_true("deprecated").then(|| {
        version.str_at(&["deprecationWarning"]).map_or_else(
            || arena.text(&format!("{group}/{name} {kind} is deprecated")),
            |text| arena.text(text),
        )
    });
    let has_status = version.at(&["subresources", "status"]).is_some();
    let schema = version.at(&["schema", "openAPIV3Schema"]);
    let root = schema.map_or(Type::Any, |schema| read::root(arena, kind, schema, has_status));
    let expressions = schema.and_then(|schema| Expressions::read(schema, has_status));
    let is_served = is_true("served");
    let scale = scale_paths(arena, version, has_status);
    let of_updates = OnceLock::new();
    Some(CustomVersion { name, is_served, deprecation, root, expressions, of_updates, scale })
}

fn scale_paths<'s>(
    arena: &'s Arena<'s>,
    version: &Node,
    has_status: bool,
) -> Option<ScalePaths<'s>> {
    let scale = version.at(&["subresources", "scale"])?;
    let path = |field: &str| scale.str_at(&[field]).map(|text| arena.text(text));
    let status = path("statusReplicasPath").filter(|_| !has_status);
    Some(ScalePaths { spec: path("specReplicasPath")?, status })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_by_the_api_server() {
        // The example of the API reference.
        let names = [
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
        ];
        let priorities = names.map(version_priority);
        assert!(priorities.is_sorted_by(|a, b| a > b), "{priorities:?}");
    }
}
