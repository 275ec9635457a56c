//! Fields of nodes, as the checks read them: many of Kubernetes' fields are absent if they are empty.

use crate::source::Span;
use crate::tree::{Entry, Node};

/// The entries of the map in a field; empty if it is absent or not a map.
pub(super) fn entries<'n>(node: &'n Node, field: &str) -> &'n [Entry] {
    node.get(field).map_or(&[], Node::entries)
}

/// The value of a field, unless it is an empty string.
pub(super) fn filled<'n>(node: &'n Node, field: &str) -> Option<&'n Node> {
    node.get(field).filter(|value| value.as_str() != Some(""))
}

/// The string in a field, unless it is empty.
pub(super) fn filled_text<'n>(node: &'n Node, field: &str) -> Option<&'n str> {
    node.get(field)?.as_str().filter(|text| !text.is_empty())
}

/// The string at the end of a chain of keys; the empty one if it is absent, as in Kubernetes' types.
pub(super) fn text_at<'n>(node: &'n Node, keys: &[&str]) -> &'n str {
    node.at(keys).map_or("", text_of)
}

/// A string; empty for a value of another type, which the schema rejects.
pub(super) fn text_of(node: &Node) -> &str {
    node.as_str().unwrap_or_default()
}

/// The value of a field, or its owner: what a finding points at.
pub(super) fn value_or_owner<'n>(owner: &'n Node, field: &str) -> &'n Node {
    owner.get(field).unwrap_or(owner)
}

/// The string in a field with its node, unless it is empty.
pub(super) fn filled_node<'n>(node: &'n Node, field: &str) -> Option<(&'n Node, &'n str)> {
    text_node(node, field).filter(|(_, text)| !text.is_empty())
}

/// The string in a field, with its node.
pub(super) fn text_node<'n>(node: &'n Node, field: &str) -> Option<(&'n Node, &'n str)> {
    let value = node.get(field)?;
    Some((value, value.as_str()?))
}

/// The strings of a list, each with its node.
pub(super) fn texts(list: &[Node]) -> impl Iterator<Item = (&str, &Node)> + Clone {
    list.iter().filter_map(|node| Some((node.as_str()?, node)))
}

/// The strings in a field of the items of a list, each with its node.
pub(super) fn texts_in<'n>(
    list: &'n [Node],
    field: &'static str,
) -> impl Iterator<Item = (&'n str, &'n Node)> + Clone {
    list.iter().filter_map(move |item| text_node(item, field)).map(|(node, text)| (text, node))
}

/// The span that represents a map: its first key, or its first byte.
pub(super) fn start(owner: &Node) -> Span {
    let first = owner.entries().first();
    first.map_or_else(|| owner.span().start_point(), |entry| entry.key_origin().span())
}

/// The span of the key of a field, or that of its owner if it is absent.
pub(super) fn key_or_start(owner: &Node, field: &str) -> Span {
    owner.entry(field).map_or_else(|| start(owner), |entry| entry.key_origin().span())
}

/// The span of the value of a field, or that of its owner if it is absent.
pub(super) fn value_or_start(owner: &Node, field: &str) -> Span {
    owner.get(field).map_or_else(|| start(owner), Node::span)
}
