//! Routes through an object. A path is converted to a route that leads to the same item after a
//! layer is removed.

use crate::diag::{FieldPath, PathStep};
use crate::source::Slice as _;
use crate::tree::{Content, Node};

/// One step of a route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// The value under a key.
    Key(String),
    /// The item of a list with these values, such as the `name` of a container.
    Item(Vec<(&'static str, String)>),
    /// An item of a list without an identity.
    Index(usize),
}

/// The fields that identify list items in Kubernetes, each with the fields that are only part of
/// the identity together with it.
const IDENTITIES: &[(&str, &[&str])] = &[
    ("name", &[]),
    ("mountPath", &[]),
    ("devicePath", &[]),
    ("containerPort", &["protocol"]),
    ("ip", &[]),
];

/// Whether a field identifies items of a list.
pub(super) fn is_identity_field(name: &str) -> bool {
    IDENTITIES.iter().any(|(first, others)| *first == name || others.contains(&name))
}

/// The values that identify an item in its list.
pub(super) fn identity_of(item: &Node) -> Option<Vec<(&'static str, String)>> {
    let text = |field: &str| item.get(field).map(scalar_text);
    let (first, others) = IDENTITIES.iter().find(|(first, _)| text(first).is_some())?;
    let fields = std::iter::once(first).chain(*others);
    Some(fields.filter_map(|field| Some((*field, text(field)?))).collect())
}

/// A scalar as a string without quotes.
pub(super) fn scalar_text(node: &Node) -> String {
    match node.content() {
        Content::String(text) => text.to_owned(),
        _ => node.to_json().to_string(),
    }
}

/// The result of following a path through an object.
pub(crate) struct Found<'n> {
    /// The route, up to the last node that exists.
    pub(super) picks: Vec<Pick>,
    /// The last node that exists.
    pub(crate) node: &'n Node,
    /// The remaining steps, which the object does not have.
    pub(crate) missing: Vec<PathStep>,
    /// The path with indexes, up to the last node that exists.
    pub(crate) path: Vec<PathStep>,
}

/// Follows a path until the object does not have the next step.
pub(crate) fn follow<'n>(root: &'n Node, path: &FieldPath) -> Found<'n> {
    let mut found = Found { picks: Vec::new(), node: root, missing: Vec::new(), path: Vec::new() };
    let mut steps = path.steps().iter();
    while let Some(step) = steps.next() {
        let next = match (found.node.content(), step) {
            (Content::List(items), PathStep::Index(at)) => items.get(*at).map(|item| (*at, item)),
            (Content::List(items), PathStep::Key(name) | PathStep::Field(name)) => {
                let is_it = |item: &Node| {
                    identity_of(item)
                        .is_some_and(|route| route.first().is_some_and(|part| *part.1 == **name))
                };
                items.iter().enumerate().find(|(_, item)| is_it(item))
            }
            _ => None,
        };
        if let Some((at, item)) = next {
            found.picks.push(identity_of(item).map_or(Pick::Index(at), Pick::Item));
            found.path.push(PathStep::Index(at));
            found.node = item;
            continue;
        }
        let key = match step {
            PathStep::Field(name) | PathStep::Key(name) => name.to_string(),
            PathStep::Index(at) => at.to_string(),
        };
        let Some(value) = found.node.get(&key) else {
            found.missing = std::iter::once(step).chain(steps).cloned().collect();
            break;
        };
        found.path.push(step_of(&key));
        found.picks.push(Pick::Key(key));
        found.node = value;
    }
    found
}

/// The step to a key, which is a field if the key has the form of a field name.
pub(super) fn step_of(key: &str) -> PathStep {
    let is_field = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric());
    if is_field { PathStep::Field(key.into()) } else { PathStep::Key(key.into()) }
}

/// The node that a route leads to.
pub(super) fn walk<'n, 'p>(
    root: &'n Node,
    picks: impl IntoIterator<Item = &'p Pick>,
) -> Option<&'n Node> {
    picks.into_iter().try_fold(root, |node, pick| match pick {
        Pick::Key(key) => node.get(key),
        Pick::Index(at) => node.items().get(*at).filter(|it| !it.is_null()),
        Pick::Item(fields) => node.items().iter().find(|item| is_item(item, fields)),
    })
}

/// Whether an item has this identity. The protocol of a port defaults to TCP.
fn is_item(item: &Node, fields: &[(&'static str, String)]) -> bool {
    let is = |(field, value): &(&'static str, String)| match item.get(field) {
        Some(own) => scalar_text(own) == *value,
        None => *field == "protocol" && value == "TCP",
    };
    identity_of(item).is_some() && fields.iter().all(is)
}

/// The part of a route that a higher layer can replace as a whole: up to the first list whose items
/// have no identity.
pub(super) fn replaceable_part(picks: &[Pick]) -> &[Pick] {
    let end = picks.iter().position(|pick| matches!(pick, Pick::Index(_)));
    end.map_or(picks, |end| picks.slice(..end))
}

/// Whether the route leads to a value that identifies an item, which no layer can replace.
pub(super) fn is_identity(picks: &[Pick]) -> bool {
    match picks {
        [.., Pick::Item(fields), Pick::Key(key)] => fields.iter().any(|field| field.0 == key),
        _ => false,
    }
}

/// The paths of all scalars and empty collections of an object, in order.
pub(super) fn leaf_paths(root: &Node) -> Vec<FieldPath> {
    let (mut all, mut path) = (Vec::new(), Vec::new());
    collect_leaf_paths(root, &mut path, &mut all);
    all
}

/// The length of the paths that [`leaf_paths`] returns: each repeats the keys above its field.
pub(super) fn bytes_of_paths(root: &Node) -> usize {
    count_leaves(root).1
}

/// The number of leaves, and the length of their paths.
fn count_leaves(node: &Node) -> (usize, usize) {
    let entries = node.entries().iter().map(|entry| (entry.key.len(), &entry.value));
    let children = entries.chain(node.items().iter().map(|item| (0, item)));
    let counts = children.map(|(key, value)| {
        let (leaves, bytes) = count_leaves(value);
        (leaves, bytes.saturating_add(leaves.saturating_mul(key + 1)))
    });
    let sum = counts.reduce(|all, child| (all.0 + child.0, all.1.saturating_add(child.1)));
    sum.unwrap_or((1, 0))
}

fn collect_leaf_paths(node: &Node, path: &mut Vec<PathStep>, all: &mut Vec<FieldPath>) {
    match node.content() {
        Content::Map(entries) if !entries.is_empty() => {
            for entry in entries {
                path.push(step_of(entry.key()));
                collect_leaf_paths(entry.value(), path, all);
                path.pop();
            }
        }
        Content::List(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                path.push(PathStep::Index(at));
                collect_leaf_paths(item, path, all);
                path.pop();
            }
        }
        _ => all.push(path.iter().cloned().collect()),
    }
}
