//! `CustomKinds`: the custom resources that a run knows, from agent-sandbox and from the input.

use std::collections::{BTreeMap, BTreeSet};

use super::expressions::Expressions;
use super::plant::Plant;
use super::{print, read, structural};
use crate::dialect::agent_sandbox::ControllerLine;
use crate::dialect::agent_sandbox::api::{self, ApiVersion};
use crate::kube::Object;
use crate::schema::{Arena, Type};
use crate::source::Span;
use crate::tree::Node;

/// The kinds of custom resources, by group and kind.
#[derive(Debug)]
pub(crate) struct CustomKinds<'s> {
    groups: BTreeMap<&'s str, BTreeMap<&'s str, CustomKind<'s>>>,
}

/// A kind of custom resource.
#[derive(Debug)]
pub(crate) struct CustomKind<'s> {
    /// Whether its objects live in a namespace.
    pub(crate) is_namespaced: bool,
    /// Its versions, as its definition lists them.
    pub(crate) versions: Vec<CustomVersion<'s>>,
    /// Where the input defines it; `None` for agent-sandbox as it is installed.
    pub(crate) definition: Option<Span>,
}

/// A version of a kind of custom resource.
#[derive(Debug)]
pub(crate) struct CustomVersion<'s> {
    /// `v1`.
    pub(crate) name: &'s str,
    /// Whether the API server takes objects in it.
    pub(crate) is_served: bool,
    /// What the API server says of each object in it, where it is deprecated.
    pub(crate) deprecation: Option<&'s str>,
    /// The type of the whole object.
    pub(crate) root: Type<'s>,
    /// Its rules in the Common Expression Language.
    pub(crate) expressions: Option<Expressions>,
}

impl<'s> CustomKinds<'s> {
    /// The definitions among `objects`, and the kinds of agent-sandbox that `objects` need. A
    /// definition in the input stands before the built-in one, as it is what will be installed.
    pub(crate) fn new(arena: &'s Arena<'s>, line: ControllerLine, objects: &[Object]) -> Self {
        let mut kinds = Self { groups: BTreeMap::new() };
        let used = used(objects);
        for kind in api::KINDS {
            if let Some(versions) = used.get(&(kind.group, kind.name)) {
                let versions = |version: ApiVersion| versions.contains(version.as_str());
                let built_in = built_in(arena, kind, line, versions);
                kinds.groups.entry(kind.group).or_default().insert(kind.name, built_in);
            }
        }
        for object in objects {
            if object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition") {
                kinds.add(arena, &object.root, Some(object.name_span()));
            }
        }
        kinds
    }

    /// Adds a kind; nothing happens where the definition does not say what it defines.
    fn add(&mut self, arena: &'s Arena<'s>, root: &Node, definition: Option<Span>) {
        let Some(group) = root.str_at(&["spec", "group"]) else { return };
        let Some(kind) = root.str_at(&["spec", "names", "kind"]) else { return };
        let (group, kind) = (arena.text(group), arena.text(kind));
        let versions = root.at(&["spec", "versions"]).map_or(&[][..], Node::items).iter();
        let custom = CustomKind {
            is_namespaced: root.str_at(&["spec", "scope"]) != Some("Cluster"),
            versions: versions.filter_map(|it| version(arena, group, kind, it)).collect(),
            definition,
        };
        self.groups.entry(group).or_default().insert(kind, custom);
    }

    /// The kind, if there is a definition of it.
    pub(crate) fn find(&self, group: &str, kind: &str) -> Option<&CustomKind<'s>> {
        self.groups.get(group)?.get(kind)
    }

    /// The kinds of a group.
    pub(crate) fn of_group(&self, group: &str) -> impl Iterator<Item = &'s str> {
        self.groups.get(group).into_iter().flat_map(|kinds| kinds.keys().copied())
    }
}

impl<'s> CustomKind<'s> {
    /// The version called `name`, if objects can be written in it.
    pub(crate) fn served(&self, name: &str) -> Option<&CustomVersion<'s>> {
        self.versions.iter().find(|version| version.name == name && version.is_served)
    }
}

/// The versions that occur among `objects`, by group and kind.
fn used(objects: &[Object]) -> BTreeMap<(&str, &str), BTreeSet<&str>> {
    let mut used: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for Object { gvk, .. } in objects {
        let versions = used.entry((gvk.group.as_str(), gvk.kind.as_str())).or_default();
        versions.insert(gvk.version.as_str());
    }
    used
}

/// A kind of agent-sandbox: what its printed definition says, read only where it is needed.
fn built_in<'s>(
    arena: &'s Arena<'s>,
    kind: &'static api::Kind,
    line: ControllerLine,
    is_used: impl Fn(ApiVersion) -> bool,
) -> CustomKind<'s> {
    let plant = Plant::new("agent-sandbox");
    let version = |version: &ApiVersion| {
        let deprecation = version.is_deprecated().then(|| print::deprecation(kind));
        let schema = is_used(*version).then(|| structural::root(plant, kind, *version));
        let has_status = kind.status.is_some();
        CustomVersion {
            name: version.as_str(),
            is_served: true,
            deprecation: deprecation.map(|text| arena.text(&text)),
            root: schema.map_or(Type::Any, |it| read::root(arena, kind.name, &it, has_status)),
            // Those that agent-sandbox has look at updates alone.
            expressions: None,
        }
    };
    CustomKind {
        is_namespaced: true,
        versions: line.versions().iter().map(version).collect(),
        definition: None,
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
