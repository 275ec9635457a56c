//! The objects that the controllers of agent-sandbox create: the Sandboxes of pools and claims, and
//! the Pods, Services, volume claims and network policies of Sandboxes and templates.
//!
//! The result is the steady state: each claim that can adopt a pool member has adopted one, and its
//! pool has been refilled.

mod as_sent;
mod claim;
mod conversion;
mod env;
mod go_json;
mod metadata;
mod network_policy;
mod pool;
mod qualified;
mod sandbox;
mod service;
mod volume_claims;

use std::cell::OnceCell;

use lean_string::LeanStr;

pub(super) use claim::RULES as CLAIM_RULES;

use super::Settings;
use super::api;
use super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, OLD_VERSION, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, VERSION,
};
use crate::crd::Defaults;
use crate::crd::description::Kind;
use crate::kube::Object;
use crate::limits::Fuel;
use crate::lower::{Effects, Form, Setup};
use crate::scalar::SUBDOMAIN_LIMIT;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Layer, Node, Origin};

/// `apiVersion` of a Sandbox.
const AGENTS_VERSION: &str = "agents.x-k8s.io/v1beta1";
/// `apiVersion` of the other kinds.
const EXTENSIONS_VERSION: &str = "extensions.agents.x-k8s.io/v1beta1";

/// The fields of all objects.
const OBJECT_FIELDS: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// An object of agent-sandbox as stored by the API server: with the defaults of its custom resource
/// definition, and without unknown fields.
struct Stored<'o> {
    object: &'o Object,
    root: Node,
    /// The origin of values that a controller sets for the object.
    managed: Origin,
    /// The hashes of a template, computed once for all members of its pools.
    hashes: OnceCell<pool::Hashes>,
}

impl Stored<'_> {
    fn name(&self) -> &str {
        &self.object.name
    }

    const fn managed(&self) -> Origin {
        self.managed
    }
}

/// The objects of a kind, by namespace and name.
type ByName<'o> = SortedMap<(LeanStr, LeanStr), Stored<'o>>;

/// The object with this namespace and name. The API server stores no object with a longer name:
/// thousands of claims can refer to one of megabytes.
fn find_in<'c, 'o>(all: &'c ByName<'o>, namespace: &str, name: &str) -> Option<&'c Stored<'o>> {
    if namespace.len().max(name.len()) > SUBDOMAIN_LIMIT {
        return None;
    }
    all.get(&(namespace.into(), name.into()))
}

/// The objects that the controllers read.
struct Cluster<'o> {
    templates: ByName<'o>,
    pools: ByName<'o>,
    claims: Vec<Stored<'o>>,
    sandboxes: ByName<'o>,
}

/// A Sandbox that a controller created, or that the author wrote.
struct Sandbox<'o> {
    /// The object of the input that it is created for.
    source: &'o Object,
    /// The origin of values that the controller sets.
    managed: Origin,
    /// The Sandbox.
    root: Node,
    /// The keys that were recorded in annotations of the Pod before its adoption, when the
    /// controller clears them.
    propagated_before: Option<metadata::Propagated>,
    /// The controller owner.
    owner: Owner,
}

/// The owner of a Sandbox.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Pool,
    Claim,
}

/// Runs the controllers on all objects.
pub(super) fn run(effects: &mut Effects<'_>, setup: &Setup) {
    let settings = Settings::of(setup);
    let objects = effects.objects;
    let is_own = |object: &Object| {
        matches!(object.gvk.version.as_str(), VERSION | OLD_VERSION)
            && (object.gvk.group == AGENTS_GROUP || object.gvk.group == EXTENSIONS_GROUP)
    };
    if !objects.iter().any(is_own) {
        return;
    }
    if effects.form() == Form::Plain {
        let own = objects.iter().enumerate().filter(|(_, object)| is_own(object));
        effects.replaced.extend(own.map(|(position, _)| position));
    }
    let system = api::of_line(settings.line);
    let stored = |group: &str, kind: &str| -> Vec<Stored<'_>> {
        let of_kind = || {
            objects.iter().filter(|object| {
                object.gvk.is(group, kind) && is_own(object) && object.has_short_name()
            })
        };
        // The whole schema of a kind is built to read its defaults, which is slow.
        let defaults = |version: &str| {
            let has_any =
                of_kind().any(|object| version == VERSION || object.gvk.version == version);
            has_any.then(|| Defaults::of(system, kind, version)).flatten()
        };
        let (new, old) = (defaults(VERSION), defaults(OLD_VERSION));
        let description = system.kinds.iter().find(|described| described.name == kind);
        let stored = of_kind().map(|object| {
            let mut root = object.root.clone();
            if let Some(description) = description {
                prune_unknown_fields(description, &mut root);
            }
            if object.gvk.version == OLD_VERSION {
                if let Some(defaults) = &old {
                    let _is_complete = defaults.fill(&mut root, &Fuel::of(u64::MAX));
                }
                conversion::convert(kind, &mut root);
            }
            if let Some(defaults) = &new {
                let _is_complete = defaults.fill(&mut root, &Fuel::of(u64::MAX));
            }
            let managed = Origin::of_layer(Layer::Managed, object.name_span());
            Stored { object, root, managed, hashes: OnceCell::new() }
        });
        stored.collect()
    };
    let cluster = Cluster {
        templates: by_name(stored(EXTENSIONS_GROUP, SANDBOX_TEMPLATE)),
        pools: by_name(stored(EXTENSIONS_GROUP, SANDBOX_WARM_POOL)),
        claims: stored(EXTENSIONS_GROUP, SANDBOX_CLAIM),
        sandboxes: by_name(stored(AGENTS_GROUP, SANDBOX)),
    };
    for template in cluster.templates.values() {
        network_policy::create(template, effects);
    }
    let mut members = SortedMap::new();
    let mut sandboxes = Vec::new();
    for claim in &cluster.claims {
        sandboxes.extend(claim::resolve(claim, &cluster, &settings, &mut members, effects));
    }
    pool::create_all(&cluster, &mut members, &mut sandboxes, effects);
    for Stored { object, root, managed, .. } in cluster.sandboxes.into_values() {
        let owner = Owner::Nobody;
        sandboxes.push(Sandbox { source: object, managed, root, propagated_before: None, owner });
    }
    for sandbox in sandboxes {
        // Nothing more is added.
        if effects.over().is_some() {
            break;
        }
        sandbox::create(sandbox, &settings, effects);
    }
}

/// Removes unknown fields, as the API server does, from the maps that are searched for each claim.
fn prune_unknown_fields(kind: &Kind, root: &mut Node) {
    let keep = |node: Option<&mut Node>, is_known: &dyn Fn(&str) -> bool| {
        if let Some(map) = node.and_then(Node::as_map_mut) {
            map.retain(|entry| is_known(&entry.key));
        }
    };
    keep(Some(root), &|key| OBJECT_FIELDS.contains(&key));
    keep(root.get_mut("metadata"), &|key| {
        go_json::fields_of("ObjectMeta").iter().any(|field| field.name == key)
    });
    keep(root.get_mut("spec"), &|key| kind.spec.fields.iter().any(|field| field.name == key));
}

fn by_name(all: Vec<Stored<'_>>) -> ByName<'_> {
    let mut found = SortedMap::new();
    for stored in all {
        let key = (stored.object.namespace.clone(), stored.object.name.clone());
        found.entry(key).or_insert(stored);
    }
    found
}

/// The placeholder for the UID of an object.
fn placeholder_uid(kind: &str, name: &str) -> String {
    format!("placeholder-uid-of-{}-{name}", kind.to_lowercase())
}

/// `ownerReferences` with one controller owner.
fn owner_references(
    api_version: &'static str,
    kind: &'static str,
    name: &str,
    origin: Origin,
) -> Node {
    let mut owner = Node::map(origin);
    owner.set("apiVersion", Node::string(api_version, origin));
    owner.set("kind", Node::string(kind, origin));
    owner.set("name", Node::string(name, origin));
    owner.set("uid", Node::string(placeholder_uid(kind, name), origin));
    owner.set("controller", Node::bool(true, origin));
    owner.set("blockOwnerDeletion", Node::bool(true, origin));
    Node::list([owner], origin)
}

/// The first fields of an object: `apiVersion` and `kind`, and `metadata` with a name and the
/// namespace of another object.
fn object_head(
    api_version: &'static str,
    kind: &'static str,
    name: &str,
    of: &Node,
    origin: Origin,
) -> (Node, Node) {
    let mut root = Node::map(origin);
    root.set("apiVersion", Node::string(api_version, origin));
    root.set("kind", Node::string(kind, origin));
    let mut metadata = Node::map(origin);
    metadata.set("name", Node::string(name, origin));
    metadata.set_some("namespace", of.at(&["metadata", "namespace"]).cloned());
    (root, metadata)
}

/// The span for a condition: the name of the object.
fn place_of(object: &Object) -> Span {
    object.name_span()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::Workspace;

    #[test]
    fn no_object_has_a_longer_name_than_the_server_allows() {
        let workspace = Workspace::new();
        let origin = Origin::source(workspace.start());
        for (length, expected) in [(SUBDOMAIN_LIMIT, true), (SUBDOMAIN_LIMIT + 1, false)] {
            let name = "a".repeat(length);
            let object = Object {
                gvk: GroupVersionKind::new(EXTENSIONS_VERSION, SANDBOX_TEMPLATE).into(),
                name: name.as_str().into(),
                namespace: LeanStr::default(),
                root: Node::map(origin),
                document: workspace.start(),
            };
            let root = object.root.clone();
            let stored = Stored { object: &object, root, managed: origin, hashes: OnceCell::new() };
            assert_eq!(find_in(&by_name(vec![stored]), "", &name).is_some(), expected, "{length}");
        }
    }

    #[test]
    fn the_server_removes_unknown_fields() {
        let origin = Origin::source(Workspace::new().start());
        let known = json!({
            "apiVersion": EXTENSIONS_VERSION, "kind": SANDBOX_TEMPLATE,
            "metadata": {"name": "a", "labels": {"x": "y"}}, "spec": {"podTemplate": {"x": 1}},
        });
        let mut written = known.clone();
        for at in ["", "/metadata", "/spec"] {
            written.pointer_mut(at).unwrap()["unknown"] = json!(1);
        }
        let mut root = Node::from_json(written, origin);
        let kind = api::KINDS.iter().find(|kind| kind.name == SANDBOX_TEMPLATE).unwrap();
        prune_unknown_fields(kind, &mut root);
        assert_eq!(root.to_json(), known);
    }
}
