//! The layers of a map or list that several layers have contributed to, found by removing the layers one
//! by one, from the top. What disappears with a layer is its contribution.

use std::cmp::Reverse;

use super::bench::{At, Bench, Part, node_at};
use super::history::{MOST, Replaced, View, values_that_appear};
use super::route::{Pick, identity_of, walk};
use crate::diag::PathStep;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Entry, Layer, Node, Origin, Value};

/// The rank of the layer of the input that a part of a definition belongs to, in the usual order: an
/// object's own definition is above those that it inherits from, and the overrides of a definition are
/// above its other fields.
type Rank = (Reverse<usize>, bool);

/// The parts of definitions that set fields of a map or list, by layer.
type Contributors = SortedMap<Rank, SortedSet<Part>>;

/// The parts of all definitions by span.
type Parts = SortedMap<Span, Vec<Part>>;

/// The span of a scalar or an empty collection, and its depth in a map or list. All values that an
/// expression creates have the same span.
type Leaf = (Span, usize);

/// The contribution of each layer to the map or list at a route, topmost first.
pub(super) fn contributions(
    bench: &mut Bench<'_, '_>,
    object: &Node,
    picks: &[Pick],
    path: &[PathStep],
) -> Vec<Replaced> {
    let mut found = Vec::new();
    let mut undo = Vec::new();
    let mut now = object.clone();
    // The rest of the map or list, after a layer without which the object does not exist.
    let mut rest_of_value = None;
    while let Some(node) = rest_of_value.take().or_else(|| walk(&now, picks).cloned())
        && found.len() < MOST
    {
        let all = bench.parts();
        let contributors = contributors_of(bench, &all, leaves_of_author(&node));
        let Some(layer) = topmost_layer(bench, &all, &node, picks, &contributors) else {
            found.extend(parts_of_built_in_layers(&node));
            break;
        };
        let parts: Vec<_> = contributors.get(&layer).into_iter().flatten().cloned().collect();
        let origin = shared_part(&parts)
            .and_then(|shared| origin_of(bench, &shared))
            .unwrap_or_else(|| node.origin());
        undo.extend(bench.take(&parts));
        let Some(below) = bench.object() else {
            let own = spans_of_layer(bench, &all, layer, &node);
            let is_own = |leaf: &Node| is_of_author(leaf) && own.contains(&leaf.span());
            let value = select_leaves(&node, &is_own);
            found.extend(value.map(|value| Replaced { origin, value, other: None }));
            rest_of_value = select_leaves(&node, &|leaf| !is_own(leaf));
            if rest_of_value.is_none() {
                break;
            }
            continue;
        };
        let rest = walk(&below, picks);
        let value = difference_to(&node, rest);
        found.extend(value.map(|value| Replaced { origin, value, other: None }));
        if rest.is_none() {
            let view = View { object: &now, picks, path, is_first: false };
            found.extend(values_that_appear(&view, &below, 0));
            break;
        }
        now = below;
    }
    bench.restore(undo);
    found
}

/// The parts of definitions that set fields of a map or list.
#[derive(Default)]
pub(super) struct Found {
    /// Their origins, lowest layer first.
    pub(super) origins: Vec<Origin>,
    /// Whether one of them is the `spec` of a definition.
    pub(super) has_whole_spec: bool,
}

/// The definitions that set the fields of maps and lists.
pub(super) struct Setters<'b, 'd, 'c> {
    bench: &'b Bench<'d, 'c>,
    all: Parts,
    /// What the parts of each leaf of earlier maps and lists have in common, by layer.
    known: SortedMap<Leaf, SortedMap<Rank, Part>>,
}

impl<'b, 'd, 'c> Setters<'b, 'd, 'c> {
    pub(super) fn new(bench: &'b Bench<'d, 'c>) -> Self {
        Self { bench, all: bench.parts(), known: SortedMap::new() }
    }

    /// The parts of definitions that set fields of a map or list.
    pub(super) fn setters(&mut self, node: &Node) -> Found {
        let mut found: SortedMap<Rank, Part> = SortedMap::new();
        for leaf in leaves_of_author(node) {
            let Self { bench, all, known } = self;
            let parts = known.entry(leaf).or_insert_with(|| {
                let parts = contributors_of(bench, all, [leaf]).into_iter();
                parts.filter_map(|(rank, parts)| Some((rank, shared_part(&parts)?))).collect()
            });
            for (rank, part) in &*parts {
                let part = found.get(rank).map_or_else(|| part.clone(), |it| it.shared(part));
                found.insert(*rank, part);
            }
        }
        let origins = found.values().filter_map(|value| origin_of(self.bench, value)).collect();
        let has_whole_spec = found.values().any(|part| part.route.len() < 2);
        Found { origins, has_whole_spec }
    }
}

fn contributors_of(
    bench: &Bench<'_, '_>,
    all: &Parts,
    leaves: impl IntoIterator<Item = Leaf>,
) -> Contributors {
    let mut contributors = Contributors::new();
    for (span, depth) in leaves {
        for part in all.get(&span).into_iter().flatten() {
            let mut part = part.clone();
            // The part that corresponds to the whole map or list, but at least a field of `spec`.
            part.route.truncate(part.route.len().saturating_sub(depth).max(2));
            contributors.entry(rank_of(bench, &part)).or_default().insert(part);
        }
    }
    contributors
}

/// The scalars and empty collections that no built-in layer set.
fn leaves_of_author(node: &Node) -> SortedSet<Leaf> {
    let mut leaves = SortedSet::new();
    visit_leaves(node, 0, &mut |leaf, depth| {
        if is_of_author(leaf) {
            leaves.insert((leaf.span(), depth));
        }
    });
    leaves
}

fn is_of_author(leaf: &Node) -> bool {
    leaf.origin().layer().is_none()
}

/// The spans of the leaves of a map or list that a layer of definitions set.
fn spans_of_layer(bench: &Bench<'_, '_>, all: &Parts, layer: Rank, node: &Node) -> SortedSet<Span> {
    let is_own = |(span, _): &Leaf| {
        all.get(span).into_iter().flatten().any(|part| rank_of(bench, part) == layer)
    };
    leaves_of_author(node).into_iter().filter(is_own).map(|it| it.0).collect()
}

fn rank_of(bench: &Bench<'_, '_>, part: &Part) -> Rank {
    let is_overrides = bench.root(part.definition).is_some_and(|root| {
        let spec = part.route.get(..1).and_then(|route| node_at(root, route));
        let field = spec.zip(part.route.get(1)).and_then(|(spec, step)| match step {
            At::Entry(at) => spec.entries().get(*at),
            At::Item(_) => None,
        });
        field.is_some_and(|field| field.key == "podOverrides")
    });
    let nearer = bench.definitions().iter().take_while(|nearer| **nearer != part.definition);
    (Reverse(nearer.count()), is_overrides)
}

/// The layer above all others: none of them reveals a value of it when it is removed.
fn topmost_layer(
    bench: &mut Bench<'_, '_>,
    all: &Parts,
    node: &Node,
    picks: &[Pick],
    contributors: &Contributors,
) -> Option<Rank> {
    let (usual, _) = contributors.last_key_value()?;
    if contributors.len() == 1 {
        return Some(*usual);
    }
    let own: SortedSet<_> = leaves_of_author(node).into_iter().map(|it| it.0).collect();
    let mut lower = SortedSet::new();
    for (layer, parts) in contributors {
        let parts: Vec<_> = parts.iter().cloned().collect();
        let undo = bench.take(&parts);
        let below = bench.object();
        bench.restore(undo);
        let Some(rest) = below.as_ref().and_then(|node| walk(node, picks)) else { continue };
        let revealed: SortedSet<_> = leaves_of_author(rest).into_iter().map(|it| it.0).collect();
        for span in revealed.difference(&own) {
            let parts = all.get(span).into_iter().flatten();
            lower.extend(parts.map(|part| rank_of(bench, part)).filter(|other| other != layer));
        }
    }
    contributors.keys().rev().find(|layer| !lower.contains(layer)).or(Some(usual)).copied()
}

/// The part that contains all of these parts of one definition.
fn shared_part<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Option<Part> {
    parts.into_iter().cloned().reduce(|all, part| all.shared(&part))
}

fn origin_of(bench: &Bench<'_, '_>, part: &Part) -> Option<Origin> {
    node_at(bench.root(part.definition)?, &part.route).map(Node::origin)
}

/// Calls `visit` for each scalar and empty collection with its depth.
fn visit_leaves(node: &Node, depth: usize, visit: &mut impl FnMut(&Node, usize)) {
    node.entries().iter().for_each(|entry| visit_leaves(&entry.value, depth + 1, visit));
    node.items().iter().for_each(|item| visit_leaves(item, depth + 1, visit));
    if is_leaf(node) {
        visit(node, depth);
    }
}

fn is_leaf(node: &Node) -> bool {
    node.entries().is_empty() && node.items().is_empty()
}

/// The parts of a value that no definition sets, by layer, topmost first. The security profile is the
/// lowest layer.
fn parts_of_built_in_layers(node: &Node) -> Vec<Replaced> {
    let layers = [
        None,
        Some(Layer::Managed),
        Some(Layer::SecurityBaseline),
        Some(Layer::SecurityRestricted),
    ];
    let part = |layer| {
        let value = select_leaves(node, &|leaf| leaf.origin().layer() == layer)?;
        let mut origin = None;
        visit_leaves(&value, 0, &mut |leaf, _| {
            let own = Some(leaf.origin()).filter(|origin| origin.layer() == layer);
            origin = origin.or(own);
        });
        Some(Replaced { origin: origin.unwrap_or_else(|| node.origin()), value, other: None })
    };
    layers.into_iter().filter_map(part).collect()
}

/// The part of `node` with these scalars and empty collections.
fn select_leaves(node: &Node, is_selected: &dyn Fn(&Node) -> bool) -> Option<Node> {
    if is_leaf(node) {
        return is_selected(node).then(|| node.clone());
    }
    if node.as_map().is_some() {
        return with_entries(node, true, |entry| select_leaves(&entry.value, is_selected));
    }
    let items: Vec<_> =
        node.items().iter().filter_map(|item| select_leaves(item, is_selected)).collect();
    (!items.is_empty()).then(|| Node::list(items, node.origin()))
}

/// The part of `node` that `below` does not have; `None` if it has all of it.
fn difference_to(node: &Node, below: Option<&Node>) -> Option<Node> {
    let Some(below) = below else { return Some(node.clone()) };
    if is_leaf(node) || is_leaf(below) {
        let is_same = node.origin() == below.origin() && node.same_value(below);
        return (!is_same).then(|| node.clone());
    }
    if node.as_map().is_some() {
        let is_same_item = identity_of(node) == identity_of(below);
        return with_entries(node, is_same_item, |entry| {
            difference_to(&entry.value, below.get(&entry.key))
        });
    }
    let part = |item: &Node| difference_to(item, find_counterpart(item, below));
    let items: Vec<_> = node.items().iter().filter_map(part).collect();
    (!items.is_empty()).then(|| Node::list(items, node.origin()))
}

/// A map with parts of its values; `None` if there are none. The fields that identify an item of a list
/// can be kept in addition.
fn with_entries(
    node: &Node,
    keeps_identity: bool,
    part: impl Fn(&Entry) -> Option<Node>,
) -> Option<Node> {
    let own = identity_of(node).filter(|_| keeps_identity);
    let is_key = |entry: &Entry| own.iter().flatten().any(|field| field.0 == entry.key);
    let parts: Vec<_> = node.as_map()?.entries().iter().map(|entry| (entry, part(entry))).collect();
    if parts.iter().all(|(_, part)| part.is_none()) {
        return None;
    }
    let entries = parts.into_iter().filter_map(|(entry, part)| match part {
        Some(value) => Some(Entry { value, ..entry.clone() }),
        None => is_key(entry).then(|| entry.clone()),
    });
    Some(node.with_value(Value::Map(entries.collect())))
}

/// The item of `below` that `item` is compared with: the one with its identity, or the same one.
fn find_counterpart<'n>(item: &Node, below: &'n Node) -> Option<&'n Node> {
    let own = identity_of(item);
    let is_same = |other: &&Node| match &own {
        Some(own) => identity_of(other).as_ref() == Some(own),
        None => other.origin() == item.origin() && other.same_value(item),
    };
    below.items().iter().find(is_same)
}
