//! Finds the replaced values of a field by removing its layers one by one, from the top. The value
//! that appears is the one that the removed layer replaced.
//!
//! Nothing is recorded while objects are compiled, so other commands do not pay for explanations.
//! The result is also correct if a lowering replaces the value, and not the merge.

use super::bench::{At, Bench, Part};
use super::route::{Pick, is_identity, replaceable_part, step_of, walk};
use crate::diag::{FieldPath, PathStep};
use crate::source::Slice as _;
use crate::tree::{Entry, Node, Origin};

/// A value that a higher layer replaced.
#[derive(Clone, Debug)]
pub(super) struct Replaced {
    /// The layer that set it.
    pub(super) origin: Origin,
    /// The value, or the whole list that was replaced.
    pub(super) value: Node,
    /// The field, if it is not the explained one but another member of the same union.
    pub(super) other: Option<FieldPath>,
}

/// A limit well above the number of layers that can set one field.
pub(super) const MOST: usize = 64;

/// The values below the one in effect, topmost first.
pub(super) fn history(
    bench: &mut Bench<'_, '_>,
    object: &Node,
    picks: &[Pick],
    path: &[PathStep],
) -> Vec<Replaced> {
    let mut replaced = Vec::new();
    if is_identity(picks) {
        return replaced;
    }
    let whole = replaceable_part(picks);
    let whole_path = path.slice(..whole.len());
    let mut cut = picks.len() - whole.len();
    let mut undo = Vec::new();
    let mut now = object.clone();
    // A list has the location of its first item that the author wrote.
    let mut place = walk(object, picks).map(Node::origin);
    while let Some(origin) = place.take().filter(|origin| origin.layer().is_none()) {
        if replaced.len() == MOST {
            break;
        }
        let is_first = undo.is_empty();
        let view = View { object: &now, picks: whole, path: whole_path, is_first };
        let Some((parts, found)) = reveal_below(bench, &view, origin, cut) else { break };
        undo.extend(bench.take(&parts));
        let Some(below) = bench.object() else { break };
        let is_other = found.iter().any(|change| change.other.is_some());
        replaced.extend(found);
        if is_other {
            break;
        }
        (place, cut) = first_of_author(&below, whole);
        now = below;
    }
    bench.restore(undo);
    replaced
}

/// The object before a layer is removed, and the explained field.
pub(super) struct View<'v> {
    pub(super) object: &'v Node,
    pub(super) picks: &'v [Pick],
    pub(super) path: &'v [PathStep],
    /// Whether no layer has been removed yet.
    pub(super) is_first: bool,
}

/// The origin of a value and 0; for a list, the origin of its first item that the author wrote and
/// 1, the depth of the item.
fn first_of_author(object: &Node, picks: &[Pick]) -> (Option<Origin>, usize) {
    let Some(node) = walk(object, picks) else { return (None, 0) };
    match node.items().iter().find(|item| item.origin().layer().is_none()) {
        Some(item) => (Some(item.origin()), 1),
        None => (Some(node.origin()), 0),
    }
}

/// The smallest parts whose removal reveals another value, and that value.
fn reveal_below(
    bench: &mut Bench<'_, '_>,
    view: &View<'_>,
    origin: Origin,
    cut: usize,
) -> Option<(Vec<Part>, Vec<Replaced>)> {
    let mut parts = bench.parts_at(origin.span());
    for part in &mut parts {
        let length = part.route.len().saturating_sub(cut);
        part.route.truncate(length);
    }
    let mut up = 0;
    loop {
        for part in &mut parts {
            while matches!(part.route.last(), Some(At::Item(_))) {
                part.route.pop();
            }
        }
        parts.retain(|part| part.route.len() > 1);
        parts.sort();
        parts.dedup();
        let below = match parts.as_slice() {
            [] => return None,
            [only] if view.is_first => bench.without(only),
            _ => {
                let before = bench.take(&parts);
                let object = bench.object();
                bench.restore(before);
                object
            }
        };
        let found = below.map_or_else(Vec::new, |below| values_that_appear(view, &below, up));
        if !found.is_empty() {
            return Some((parts, found));
        }
        for part in &mut parts {
            part.route.pop();
        }
        up += 1;
    }
}

/// The value that `below` has instead of the current one: another value of the field, or another
/// member of a union.
pub(super) fn values_that_appear(view: &View<'_>, below: &Node, up: usize) -> Vec<Replaced> {
    let now = walk(view.object, view.picks);
    if let Some(value) = walk(below, view.picks) {
        if now.is_some_and(|now| !is_part_of(value, now)) {
            return vec![Replaced { origin: value.origin(), value: value.clone(), other: None }];
        }
        return Vec::new();
    }
    for length in (0..view.picks.len()).rev().take(up + 1) {
        let parent = view.picks.iter().take(length);
        let (Some(map), Some(map_below)) = (walk(view.object, parent.clone()), walk(below, parent))
        else {
            continue;
        };
        let is_other = |entry: &&Entry| map.get(&entry.key).is_none() && !entry.value.is_null();
        let steps = view.path.iter().take(length);
        let replaced = map_below.entries().iter().filter(is_other).map(|entry| Replaced {
            origin: entry.value.origin(),
            value: entry.value.clone(),
            other: Some(steps.clone().cloned().chain([step_of(&entry.key)]).collect()),
        });
        let replaced: Vec<_> = replaced.collect();
        if !replaced.is_empty() {
            return replaced;
        }
    }
    Vec::new()
}

/// Whether `now` replaced nothing in `below`: it has the same value of the same origin, or it is a
/// list to which items were added.
fn is_part_of(below: &Node, now: &Node) -> bool {
    let is_same = |a: &Node, b: &Node| a.origin() == b.origin() && a.same_value(b);
    if below.items().is_empty() || now.items().is_empty() {
        return below.origin() == now.origin();
    }
    below.items().iter().all(|item| now.items().iter().any(|other| is_same(item, other)))
}
