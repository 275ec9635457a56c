//! Lists as the Go package compares and sorts them.

use std::cmp::Ordering;

use super::merge::{DELETE, PATCH};
use super::{Cause, go_sort};
use crate::tree::{Map, Node, Value};

/// A scalar as Go's `%v` prints it, by which lists are sorted.
pub(super) fn text_of(node: &Node) -> String {
    match &node.value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.to_string(),
        _ => node.json_text(),
    }
}

/// Whether the items of lists are scalars, and not maps. All of them must have one type.
pub(super) fn is_scalar_list(lists: &[&[Node]]) -> Result<bool, Cause> {
    let mut items = lists.iter().copied().flatten();
    let Some(first) = items.next() else { return Err(Cause::MixedTypes) };
    if matches!(first.value, Value::List(_)) {
        return Err(Cause::ListOfLists);
    }
    let kind = std::mem::discriminant(&first.value);
    if items.any(|item| std::mem::discriminant(&item.value) != kind) {
        return Err(Cause::MixedTypes);
    }
    Ok(!matches!(first.value, Value::Map(_)))
}

pub(super) fn sort_scalars(items: &mut [Node]) {
    items.sort_by_cached_key(text_of);
}

/// `deduplicateScalars` in Go: the last item takes the place of an item that is repeated.
pub(super) fn deduplicate(items: &mut Vec<Node>) {
    let mut first = 0;
    while first < items.len() {
        let mut other = first + 1;
        while other < items.len() {
            let is_same =
                items.get(first).zip(items.get(other)).is_some_and(|(a, b)| a.same_value(b));
            if is_same {
                items.swap_remove(other);
            } else {
                other += 1;
            }
        }
        first += 1;
    }
}

/// The value of the key of an item.
pub(super) fn key_of<'n>(item: &'n Node, key: &str) -> Result<&'n Node, Cause> {
    let map = item.as_map().ok_or(Cause::MixedTypes)?;
    map.get(key).ok_or_else(|| Cause::NoMergeKey(key.to_owned()))
}

/// Whether two items have one key; without a key, whether they are equal.
pub(super) fn have_same_key(a: &Node, b: &Node, key: &str) -> bool {
    if key.is_empty() {
        return a.same_value(b);
    }
    let keys = Map::of(Some(a)).get(key).zip(Map::of(Some(b)).get(key));
    keys.is_some_and(|(a, b)| a.same_value(b))
}

/// The items with the text of their keys, sorted by it as in Go.
pub(super) fn sort_by_key<'n>(
    items: &'n [Node],
    key: &str,
) -> Result<Vec<(String, &'n Node)>, Cause> {
    let keyed = items.iter().map(|item| Ok((text_of(key_of(item, key)?), item)));
    let mut keyed = keyed.collect::<Result<Vec<_>, Cause>>()?;
    go_sort::sort(&mut keyed);
    Ok(keyed)
}

/// The position of the first item of a list with the key of another item.
fn index(list: &[Node], item: &Node, key: &str) -> Option<usize> {
    list.iter().position(|other| have_same_key(other, item, key))
}

/// `normalizeSliceOrder` in Go: the items in the order of another list, and then the directives that delete items.
pub(super) fn sorted_by(items: Vec<Node>, order: &[Node], key: &str) -> Result<Vec<Node>, Cause> {
    for item in items.iter().chain(order) {
        key_of(item, key)?;
    }
    let (deletions, kept): (Vec<_>, Vec<_>) = items.into_iter().partition(is_deletion);
    let mut sorted = in_order(kept, order, key);
    sorted.extend(deletions);
    Ok(sorted)
}

pub(super) fn sorted_scalars_by(items: Vec<Node>, order: &[Node]) -> Vec<Node> {
    in_order(items, order, "")
}

fn in_order(items: Vec<Node>, order: &[Node], key: &str) -> Vec<Node> {
    let mut placed: Vec<_> =
        items.into_iter().map(|item| (index(order, &item, key), item)).collect();
    placed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => Ordering::Equal,
    });
    placed.into_iter().map(|(_, item)| item).collect()
}

/// Whether an item is a directive that deletes others.
pub(super) fn is_deletion(item: &Node) -> bool {
    Map::of(Some(item)).get(PATCH).and_then(Node::as_str) == Some(DELETE)
}

/// Maps that only have the key of each item.
pub(super) fn keys_alone(items: &[Node], key: &str) -> Vec<Node> {
    let alone = items.iter().map(|item| {
        let value = Map::of(Some(item)).get(key).cloned();
        let mut map = Map::default();
        if let Some(value) = value {
            map.insert(key, value.origin(), value);
        }
        Node::new(Value::Map(map), item.origin())
    });
    alone.collect()
}

/// `mergeSortedSlice` in Go: two sorted lists as one, by their order in the live list where both are in it.
pub(super) fn merged_in_order(
    server_only: Vec<Node>,
    patch: Vec<Node>,
    order: &[Node],
    key: &str,
) -> Vec<Node> {
    let (mut left, mut right) = (server_only.into_iter().peekable(), patch.into_iter().peekable());
    let mut merged = Vec::with_capacity(left.len() + right.len());
    while let (Some(own), Some(patched)) = (left.peek(), right.peek()) {
        let is_before = match (index(order, own, key), index(order, patched, key)) {
            (Some(own), Some(patched)) => own < patched,
            _ => false,
        };
        merged.extend(if is_before { left.next() } else { right.next() });
    }
    merged.extend(right);
    merged.extend(left);
    merged
}
