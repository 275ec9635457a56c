//! `CustomKinds`: the custom resources known in a run, from the systems and from the input.

use std::collections::{BTreeMap, BTreeSet};

use super::description::{self, System, Version};
use super::expressions::Expressions;
use super::plant::Plant;
use super::{file, print, read, structural};
use crate::kube::Object;
use crate::schema::{Arena, Type};
use crate::source::Span;
use crate::tree::Node;

/// The kinds of custom resources, by group and kind.
#[derive(Debug, Default)]
pub(crate) struct CustomKinds<'s> {
    groups: BTreeMap<&'s str, BTreeMap<&'s str, CustomKind<'s>>>,
    systems: Vec<&'static System>,
    described: BTreeMap<(&'static str, &'static str), &'static description::Kind>,
}

/// A kind of custom resource.
#[derive(Debug)]
pub(crate) struct CustomKind<'s> {
    /// Whether its objects are namespaced.
    pub(crate) is_namespaced: bool,
    /// Its versions, in the order of its definition.
    pub(crate) versions: Vec<CustomVersion<'s>>,
    /// Where the input defines the kind; `None` for a kind that a system installs.
    pub(crate) definition: Option<Span>,
    /// The system that installs it, if the input does not define it.
    pub(crate) system: Option<&'static System>,
}

/// A version of a kind of custom resource.
#[derive(Debug)]
pub(crate) struct CustomVersion<'s> {
    /// `v1`.
    pub(crate) name: &'s str,
    /// Whether the API server serves the version.
    pub(crate) is_served: bool,
    /// The warning of the API server for each object, if the version is deprecated.
    pub(crate) deprecation: Option<&'s str>,
    /// The type of the whole object.
    pub(crate) root: Type<'s>,
    /// Its validation rules.
    pub(crate) expressions: Option<Expressions>,
}

impl<'s> CustomKinds<'s> {
    /// Collects the definitions among `objects`, and the kinds of `systems` that `objects` use. A
    /// definition in the input will be the installed one, so it replaces that of a system.
    pub(crate) fn new(
        arena: &'s Arena<'s>,
        systems: impl IntoIterator<Item = &'static System>,
        objects: &[Object],
    ) -> Self {
        let systems: Vec<_> = systems.into_iter().collect();
        let mut kinds = Self { systems, ..Self::default() };
        let used = used(objects);
        for system in kinds.systems.clone() {
            for kind in system.kinds {
                kinds.described.insert((kind.group, kind.name), kind);
                if let Some(versions) = used.get(&(kind.group, kind.name)) {
                    let built_in = built_in(arena, system, kind, |it| versions.contains(it));
                    kinds.groups.entry(kind.group).or_default().insert(kind.name, built_in);
                }
            }
            for it in system.files.iter().filter(|it| used.contains_key(&(it.group, it.kind))) {
                if let Some(root) = file::read(Plant::of(system), it) {
                    kinds.add(arena, &root, None, Some(system));
                }
            }
        }
        for object in objects {
            if object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition") {
                kinds.add(arena, &object.root, Some(object.name_span()), None);
            }
        }
        kinds
    }

    /// The systems whose kinds are known.
    pub(crate) fn systems(&self) -> &[&'static System] {
        &self.systems
    }

    /// A system's description of a kind, even if the input defines the kind.
    pub(crate) fn described(&self, group: &str, kind: &str) -> Option<&'static description::Kind> {
        self.described.get(&(group, kind)).copied()
    }

    /// Adds a kind, unless the definition lacks its group, its kind or its versions.
    fn add(
        &mut self,
        arena: &'s Arena<'s>,
        root: &Node,
        definition: Option<Span>,
        system: Option<&'static System>,
    ) {
        let Some(group) = root.str_at(&["spec", "group"]) else { return };
        let Some(kind) = root.str_at(&["spec", "names", "kind"]) else { return };
        let (group, kind) = (arena.text(group), arena.text(kind));
        let versions = root.at(&["spec", "versions"]).map_or(&[][..], Node::items).iter();
        let custom = CustomKind {
            is_namespaced: root.str_at(&["spec", "scope"]) != Some("Cluster"),
            versions: versions.filter_map(|it| version(arena, group, kind, it)).collect(),
            definition,
            system,
        };
        self.groups.entry(group).or_default().insert(kind, custom);
    }

    /// The kind, if it is defined.
    pub(crate) fn find(&self, group: &str, kind: &str) -> Option<&CustomKind<'s>> {
        self.groups.get(group)?.get(kind)
    }

    /// The kinds of a group.
    pub(crate) fn of_group(&self, group: &str) -> impl Iterator<Item = &'s str> {
        self.groups.get(group).into_iter().flat_map(|kinds| kinds.keys().copied())
    }
}

impl<'s> CustomKind<'s> {
    /// The version called `name`, if it is served.
    pub(crate) fn served(&self, name: &str) -> Option<&CustomVersion<'s>> {
        self.versions.iter().find(|version| version.name == name && version.is_served)
    }
}

/// The versions used by `objects`, by group and kind.
fn used(objects: &[Object]) -> BTreeMap<(&str, &str), BTreeSet<&str>> {
    let mut used: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for Object { gvk, .. } in objects {
        let versions = used.entry((gvk.group.as_str(), gvk.kind.as_str())).or_default();
        versions.insert(gvk.version.as_str());
    }
    used
}

/// A kind of a system, read on demand from its printed definition.
fn built_in<'s>(
    arena: &'s Arena<'s>,
    system: &'static System,
    kind: &'static description::Kind,
    is_used: impl Fn(&str) -> bool,
) -> CustomKind<'s> {
    let plant = Plant::of(system);
    let version = |Version { name, is_deprecated }: &Version| {
        let deprecation = is_deprecated.then(|| print::deprecation(system, kind, name));
        let schema = is_used(name).then(|| structural::root(plant, kind, name));
        let has_status = kind.status.is_some();
        CustomVersion {
            name,
            is_served: true,
            deprecation: deprecation.map(|text| arena.text(&text)),
            root: schema.map_or(Type::Any, |it| read::root(arena, kind.name, &it, has_status)),
            // The rules in descriptions only apply to updates.
            expressions: None,
        }
    };
    CustomKind {
        is_namespaced: true,
        versions: system.versions.iter().map(version).collect(),
        definition: None,
        system: Some(system),
    }
}

fn version<'s>(
    arena: &'s Arena<'s>,
    group: &'s str,
    kind: &'s str,
    version: &Node,
) -> Option<CustomVersion<'s>> {
    let name = arena.text(version.str_at(&["name"])?);
    let is_true = |key: &str| version.get(key).and_then(Node::as_bool) == Some(true);
    let deprecation = is_true("deprecated").then(|| {
        version.str_at(&["deprecationWarning"]).map_or_else(
            || arena.text(&format!("{group}/{name} {kind} is deprecated")),
            |text| arena.text(text),
        )
    });
    let has_status = version.at(&["subresources", "status"]).is_some();
    let schema = version.at(&["schema", "openAPIV3Schema"]);
    let root = schema.map_or(Type::Any, |it| read::root(arena, kind, it, has_status));
    let expressions = schema.and_then(|it| Expressions::read(it, has_status));
    let is_served = is_true("served");
    Some(CustomVersion { name, is_served, deprecation, root, expressions })
}
