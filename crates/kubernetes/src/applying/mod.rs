//! What the one who applies an object sends to the API server, and what is stored then.
//!
//! An API server only sees a request. Client-side `kubectl apply` makes it from three forms of an object: the last
//! applied one, the new one and the live one. The functions here are those of the Go packages that kubectl calls
//! (`k8s.io/apimachinery/pkg/util/strategicpatch` and `jsonmergepatch`), and `tools/applying-oracle` compares them.
//! `server_side` has those of the API server.

mod diff;
mod forms;
mod go_sort;
mod json_merge;
mod lists;
mod merge;
mod meta;
pub mod server_side;

use std::fmt::{self, Display, Formatter};

pub use self::forms::{
    HELM, Method, Rejected, apply, has_applied, is_live, last_applied, sent_form, without_nulls,
};
use self::meta::PatchMeta;
use crate::kube::{GroupVersionKind, LAST_APPLIED};
use crate::schema::{Object, store};
use crate::sorted::SortedSet;
use crate::tree::{Map, Node, Value};

/// The forms of an object that client-side `kubectl apply` compares.
#[derive(Clone, Copy, Debug)]
pub struct Forms<'f> {
    /// The form that was applied last; `None` if none was.
    pub last: Option<&'f Node>,
    /// The form in the file.
    pub new: &'f Node,
    /// The form in the cluster.
    pub live: &'f Node,
}

/// The request of an apply, and its effect, both without the annotation of kubectl.
#[derive(Debug)]
pub struct Applied {
    /// The patch. It is empty if nothing changes.
    pub patch: Node,
    /// The object that results from it, before the API server adds defaults.
    pub result: Node,
}

/// Why an apply fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// kubectl cannot make the patch.
    Patch(Cause),
    /// The API server cannot merge the patch into the object.
    Merge(Cause),
}

/// Why a patch cannot be made or merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The type has no such field.
    UnknownField(String),
    /// An item of a list lacks the field that identifies it.
    NoMergeKey(String),
    /// The items of a list have different types.
    MixedTypes,
    /// A list contains lists.
    ListOfLists,
    /// The items of a patch do not have the order that the patch sets for the list: two of them have one key.
    Order(String),
    /// A value with the name of a directive is not one.
    Directive(String),
    /// The name or the kind of the object would change.
    Identity,
}

impl Display for Cause {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(list) => {
                write!(out, "two items of `{list}` have the key by which kubectl merges them")
            }
            Self::UnknownField(field) => write!(out, "kubectl does not know the type of `{field}`"),
            Self::NoMergeKey(key) => write!(out, "an item of a list has no `{key}`"),
            Self::MixedTypes => out.write_str("the items of a list have different types"),
            Self::ListOfLists => out.write_str("a list contains lists"),
            Self::Directive(key) => write!(out, "`{key}` is a directive of a patch"),
            Self::Identity => out.write_str("the kind or the name of the object would change"),
        }
    }
}

/// What client-side `kubectl apply` does to an object. Built-in kinds and custom resource definitions have a
/// `definition`; other kinds are merged as JSON, each list as a whole.
///
/// # Errors
/// If kubectl or the API server rejects the patch.
pub fn client_side(
    definition: Option<&'static Object<'static>>,
    Forms { last, new, live }: Forms<'_>,
) -> Result<Applied, Failure> {
    let origin = new.origin();
    let (last, new) = (Map::of(last).clone(), annotated(new));
    let live = Map::of(Some(live)).clone();
    let (patch, result) = if let Some(object) = definition {
        let meta = PatchMeta::of_object(object);
        let patch = diff::three_way(&last, &new, &live, meta).map_err(Failure::Patch)?;
        let result = merge::apply(live, patch.clone(), meta).map_err(Failure::Merge)?;
        (patch, result)
    } else {
        let patch = json_merge::three_way(&last, &new, &live).map_err(Failure::Patch)?;
        let result = json_merge::apply(live, &patch);
        (patch, result)
    };
    let node = |map: Map| Node::new(Value::Map(map), origin);
    Ok(Applied { patch: without_annotation(node(patch)), result: without_annotation(node(result)) })
}

/// Whether a list of an object has two items that client-side apply takes for one.
#[must_use]
pub fn has_repeated_keys(definition: &'static Object<'static>, root: &Node) -> bool {
    repeats_keys(PatchMeta::of_object(definition), Map::of(Some(root)))
}

fn repeats_keys(meta: PatchMeta, map: &Map) -> bool {
    map.entries().iter().any(|entry| match &entry.value().value {
        Value::Map(below) => {
            meta.map_field(entry.key()).is_ok_and(|(meta, _)| repeats_keys(meta, below))
        }
        Value::List(items) => meta.list_field(entry.key()).is_ok_and(|list| {
            let maps = || items.iter().filter_map(Node::as_map);
            let keys: Vec<_> = if list.key.is_empty() {
                items.iter().map(lists::text_of).collect()
            } else {
                maps().filter_map(|map| map.get(list.key).map(lists::text_of)).collect()
            };
            let mut known = SortedSet::new();
            (list.is_merged && keys.into_iter().any(|key| !known.insert(key)))
                || maps().any(|map| repeats_keys(list.items, map))
        }),
        _ => false,
    })
}

/// The definition of a kind whose objects client-side apply merges by their types.
#[must_use]
pub fn definition(kind: &GroupVersionKind) -> Option<&'static Object<'static>> {
    store::kind(kind.group(), kind.version(), kind.kind())?.definition
}

/// The new form as kubectl sends it: it always has annotations. The value is of no interest, and removed later.
fn annotated(new: &Node) -> Map {
    let (mut map, origin) = (Map::of(Some(new)).clone(), new.origin());
    if map.get("metadata").is_none_or(|metadata| metadata.as_map().is_none()) {
        map.insert("metadata", origin, Node::map(origin));
    }
    let metadata = map.get_mut("metadata").and_then(Node::as_map_mut);
    if let Some(metadata) = metadata {
        if metadata.get("annotations").is_none_or(|values| values.as_map().is_none()) {
            metadata.insert("annotations", origin, Node::map(origin));
        }
        if let Some(values) = metadata.get_mut("annotations").and_then(Node::as_map_mut) {
            values.insert(LAST_APPLIED, origin, Node::string("", origin));
        }
    }
    map
}

/// An object or a patch without the annotation of kubectl, and without the maps that only contained it.
fn without_annotation(mut node: Node) -> Node {
    let Some(map) = node.as_map_mut() else { return node };
    let Some(metadata) = map.get_mut("metadata").and_then(Node::as_map_mut) else { return node };
    let values = metadata.get_mut("annotations").and_then(Node::as_map_mut);
    let Some(values) = values else { return node };
    if values.remove(LAST_APPLIED).is_none() {
        return node;
    }
    if values.is_empty() {
        metadata.remove("annotations");
    }
    if metadata.is_empty() {
        map.remove("metadata");
    }
    node
}

#[cfg(test)]
mod tests;
