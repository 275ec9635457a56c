//! What definitions have in common: a base that others extend, and one definition for many names.

use crate::sorted::{CompactSort as _, SortedMap, SortedSet};
use crate::tree::{Entry, Node, Value};

/// The minimum number of common fields for which a base is worth a definition of its own.
const FEWEST_FIELDS: usize = 3;
/// The minimum number of equal definitions that become one.
const FEWEST_NAMES: usize = 2;

/// Adds bases, and merges definitions that differ in their names. Each definition has a position, and
/// those of the result are not larger.
pub(super) fn share(definitions: &[(usize, Node)], base: &str) -> Vec<(usize, Node)> {
    expanded(with_bases(definitions, base))
}

fn text<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    node.text_at(path)
}

/// Moves the fields that all definitions of a kind and namespace have in common to an abstract one.
fn with_bases(definitions: &[(usize, Node)], base: &str) -> Vec<(usize, Node)> {
    let mut groups: SortedMap<&str, Vec<usize>> = SortedMap::new();
    for (index, (_, node)) in definitions.iter().enumerate() {
        if text(node, &["kind"]) == base {
            groups.entry(text(node, &["metadata", "namespace"])).or_default().push(index);
        }
    }
    let mut result = definitions.to_vec();
    let mut added = Vec::new();
    for members in groups.into_values().filter(|it| it.len() > 1) {
        let Some((at, first)) = members.first().and_then(|it| definitions.get(*it)) else {
            continue;
        };
        let is_common = |entry: &&Entry| {
            members.iter().filter_map(|it| definitions.get(*it)).all(|(_, node)| {
                let own = node.get("spec").and_then(|it| it.get(&entry.key));
                own.is_some_and(|it| it.same_value(&entry.value))
            })
        };
        let spec = first.entries_at(&["spec"]);
        let common: Vec<_> = spec.iter().filter(is_common).cloned().collect();
        if common.len() < FEWEST_FIELDS {
            continue;
        }
        let name = free_name(definitions, base);
        for member in &members {
            if let Some((_, node)) = result.get_mut(*member) {
                extend(node, &name, &common);
            }
        }
        added.push((*at, base_of(first, &name, common)));
    }
    for (at, node) in added.into_iter().rev() {
        let Some(index) = result.iter().position(|(slot, _)| *slot == at) else { continue };
        result.insert(index, (at, node));
    }
    result
}

/// A name that no definition of the kind has.
fn free_name(definitions: &[(usize, Node)], base: &str) -> String {
    let of_kind = definitions.iter().filter(|it| text(&it.1, &["kind"]) == base);
    let taken: SortedSet<_> = of_kind.map(|it| text(&it.1, &["metadata", "name"])).collect();
    let names = (1..).map(|it| if it == 1 { "base".to_owned() } else { format!("base-{it}") });
    names.into_iter().find(|it| !taken.contains(it.as_str())).unwrap_or_default()
}

fn extend(definition: &mut Node, name: &str, common: &[Entry]) {
    let origin = definition.origin();
    let Some(spec) = definition.get_mut("spec").and_then(Node::as_map_mut) else { return };
    spec.retain(|it| !common.iter().any(|common| common.key == it.key));
    let extends = Entry::new("extends", origin, Node::string(name, origin));
    spec.edit(|entries| entries.insert(0, extends));
}

fn base_of(like: &Node, name: &str, common: Vec<Entry>) -> Node {
    let origin = like.origin();
    let mut base = like.clone();
    if let Some(metadata) = base.get_mut("metadata").and_then(Node::as_map_mut) {
        metadata.retain(|it| it.key == "namespace" || it.key == "name");
        metadata.insert("name", origin, Node::string(name, origin));
    }
    let mut spec = Node::map(origin);
    spec.set("abstract", Node::bool(true, origin));
    if let Some(map) = spec.as_map_mut() {
        map.extend(common);
    }
    base.set("spec", spec);
    base
}

/// Merges definitions that differ in `metadata.name` into one with the names as items.
fn expanded(definitions: Vec<(usize, Node)>) -> Vec<(usize, Node)> {
    let mut groups: SortedMap<String, Vec<(usize, Node)>> = SortedMap::new();
    for (at, node) in definitions {
        let mut like = node.clone();
        if let Some(metadata) = like.get_mut("metadata").and_then(Node::as_map_mut) {
            metadata.remove("name");
        }
        groups.entry(like.identity()).or_default().push((at, node));
    }
    let mut result = Vec::new();
    for members in groups.into_values() {
        if members.len() < FEWEST_NAMES {
            result.extend(members);
        } else {
            result.extend(expansion(&members));
        }
    }
    result.compact_sort_by_key(|it| it.0);
    result
}

/// One definition with an item for each name.
fn expansion(members: &[(usize, Node)]) -> Option<(usize, Node)> {
    let (at, first) = members.first()?;
    let origin = first.origin();
    let names = members.iter().map(|it| Node::string(text(&it.1, &["metadata", "name"]), origin));
    let mut expand = Node::map(origin);
    expand.set("items", Node::list(names, origin));
    let mut definition = first.clone();
    definition.get_mut("metadata")?.set("name", Node::string("{{ item }}", origin));
    let Value::Map(map) = &mut definition.value else { return None };
    let after = map.position("metadata").map_or(0, |it| it + 1);
    let entry = Entry::new("expand", origin, expand);
    map.edit(|entries| entries.insert(after.min(entries.len()), entry));
    Some((*at, definition))
}
