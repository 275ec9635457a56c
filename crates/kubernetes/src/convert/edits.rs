//! The changes that conversions make.

use crate::diag::{Message, message};
use crate::source::Span;
use crate::tree::{Entry, Map, Node, Origin, Value};

/// The reason for which an object cannot be converted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The field at fault.
    pub span: Span,
    /// The reason.
    pub message: Message,
    /// What to do instead.
    pub help: Message,
}

impl Refused {
    /// The reason at a field.
    #[must_use]
    pub fn new(span: Span, message: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self { span, message: message.into(), help: help.into() }
    }

    /// A field that has another type than its kind demands.
    pub(super) fn not(node: &Node, path: &str, what: &str) -> Self {
        let message = message!("`{path}` is {}, not {what}", node.describe());
        Self::new(node.span(), message, message!("correct `{path}`, and migrate again"))
    }
}

/// An object that is being changed.
#[derive(Debug)]
pub struct Edits<'n> {
    /// The object.
    pub root: &'n mut Node,
    /// The origin of new nodes.
    pub origin: Origin,
    /// The fields that were written because the new version has another default for them: the path and
    /// the value.
    pub kept: Vec<(String, String)>,
    /// Whether the object is a patch, which must not set what the whole object can have.
    pub is_patch: bool,
}

impl<'n> Edits<'n> {
    /// The changes of an object.
    #[must_use]
    pub const fn of(root: &'n mut Node, origin: Origin) -> Self {
        Self { root, origin, kept: Vec::new(), is_patch: false }
    }

    /// Replaces a string, if there is one.
    pub fn set_text(&mut self, path: &[&str], text: &str) {
        let new = Node::string(text, self.origin);
        if let Some((last, owner)) = path.split_last()
            && let Some(node) = at_mut(self.root, owner).and_then(|it| it.get_mut(last))
        {
            *node = new;
        }
    }

    /// Renames a field of the object at a path.
    pub fn rename(&mut self, path: &[&str], from: &str, to: &str) {
        if let Some(map) = at_mut(self.root, path).and_then(Node::as_map_mut) {
            rename(map, from, to);
        }
    }

    /// Removes a field.
    pub fn remove(&mut self, path: &[&str]) -> Option<Entry> {
        let (last, owner) = path.split_last()?;
        at_mut(self.root, owner)?.as_map_mut()?.remove(last)
    }

    /// Writes a default of the old version at a path, unless the field is set.
    pub fn keep_default(&mut self, path: &[&str], value: Value) {
        if self.is_patch {
            return;
        }
        let value = Node::new(value, self.origin);
        let shown = value.to_json().to_string();
        if set_default(self.root, path, value, self.origin) {
            self.kept.push((path.join("."), shown));
        }
    }
}

/// Sets a field unless it is set, and creates the maps around it. Returns whether it was set.
pub(super) fn set_default(node: &mut Node, path: &[&str], value: Node, origin: Origin) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    let is_absent = node.get(first).is_none();
    if rest.is_empty() {
        if is_absent {
            add_field(node, first, value);
        }
        return is_absent;
    }
    if is_absent {
        add_field(node, first, Node::map(origin));
    }
    node.get_mut(first).is_some_and(|below| set_default(below, rest, value, origin))
}

/// Adds a field: before the template, which is usually the last and longest field of a workload.
fn add_field(node: &mut Node, key: &str, value: Node) {
    let Some(map) = node.as_map_mut() else { return };
    map.remove(key);
    let at = map.position("template").unwrap_or(usize::MAX);
    insert(map, at, key, value);
}

/// The node at a path.
pub(super) fn at_mut<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut Node> {
    path.iter().try_fold(node, |node, key| node.get_mut(key))
}

/// The items of a list.
pub(super) fn items_mut<'n>(node: &'n mut Node, path: &[&str]) -> &'n mut [Node] {
    match at_mut(node, path).map(|it| &mut it.value) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}

/// Checks that the value at a path is a list, if there is one.
pub(super) fn check_list(node: &Node, path: &[&str]) -> Result<(), Refused> {
    match node.at(path) {
        Some(node) if !matches!(node.value, Value::List(_)) => {
            Err(Refused::not(node, &path.join("."), "a list"))
        }
        _ => Ok(()),
    }
}

/// Checks that the value at a path is a map, if there is one.
pub(super) fn check_map(node: &Node, path: &[&str]) -> Result<(), Refused> {
    match node.at(path) {
        Some(node) if node.as_map().is_none() => Err(Refused::not(node, &path.join("."), "a map")),
        _ => Ok(()),
    }
}

/// Renames a key. It keeps its position.
pub(super) fn rename(map: &mut Map, from: &str, to: &str) {
    if map.get(from).is_some() && map.get(to).is_none() {
        map.edit(|entries| {
            if let Some(entry) = entries.iter_mut().find(|entry| entry.key == from) {
                entry.rename(to);
            }
        });
    }
}

/// Moves entries of a map, with new keys, into a new map under a key, at the position of the first one.
/// The new map follows the order of the keys.
pub(super) fn nest(map: &mut Map, keys: &[(&str, &str)], under: &str, origin: Origin) {
    let first = keys.iter().filter_map(|(key, _)| map.position(key)).min();
    let Some(first) = first else { return };
    let mut moved: Vec<_> =
        keys.iter().filter_map(|(from, to)| Some((map.position(from)?, *from, *to))).collect();
    moved.sort_unstable();
    let mut inner = Node::map(origin);
    for (_, from, to) in moved {
        if let (Some(entry), Some(inner)) = (map.remove(from), inner.as_map_mut()) {
            inner.push(entry.renamed(to));
        }
    }
    insert(map, first, under, inner);
}

/// Inserts an entry at a position.
pub(super) fn insert(map: &mut Map, at: usize, key: &str, value: Node) {
    let entry = Entry::new(key, value.origin(), value);
    map.edit(|entries| entries.insert(at.min(entries.len()), entry));
}
