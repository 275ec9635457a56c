//! The strategic merge patch that leads from one form to another: `diffMaps` and `CreateThreeWayMergePatch` in Go.

use super::Cause;
use super::lists::{self, is_scalar_list, sort_by_key, sort_scalars, text_of};
use super::merge::{self, DELETE, Merging, PATCH, RETAIN_KEYS, deletions_of, order_of};
use super::meta::{ListMeta, PatchMeta};
use crate::tree::{Map, Node, Origin, Value};

/// Which part of a difference a patch has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Changes and additions.
    Changes,
    /// Deletions.
    Deletions,
}

/// The patch from the live to the new form without deletions, with the deletions from the last to the new form.
pub(super) fn three_way(last: &Map, new: &Map, live: &Map, meta: PatchMeta) -> Result<Map, Cause> {
    let changes = diff_maps(live, new, meta, Part::Changes, false)?;
    let deletions = diff_maps(last, new, meta, Part::Deletions, false)?;
    merge::merge_maps(deletions, changes, meta, Merging::OfPatches)
}

/// Sets a key of a patch. Its origin is that of its value.
fn insert(patch: &mut Map, key: &str, value: Node) {
    patch.insert(key, value.origin(), value);
}

fn map_node(map: Map, origin: Origin) -> Node {
    Node::new(Value::Map(map), origin)
}

/// The patch between two maps. `retains` says whether it names the keys that a merge keeps.
fn diff_maps(
    original: &Map,
    modified: &Map,
    meta: PatchMeta,
    part: Part,
    retains: bool,
) -> Result<Map, Cause> {
    let mut patch = Map::default();
    for entry in modified.entries() {
        let (key, value) = (entry.key(), entry.value());
        let Some(before) = original.get(key) else {
            if part == Part::Changes {
                insert(&mut patch, key, value.clone());
            }
            continue;
        };
        if key == PATCH {
            if before.as_str().is_none() || value.as_str().is_none() {
                return Err(Cause::Directive(PATCH.to_owned()));
            }
            if !before.same_value(value) {
                insert(&mut patch, key, value.clone());
            }
            continue;
        }
        match (&before.value, &value.value) {
            (Value::Map(_), Value::Map(_)) => {
                diff_map(key, before, value, &mut patch, meta, part)?;
            }
            (Value::List(_), Value::List(_)) => {
                diff_list(key, before, value, &mut patch, meta, part)?;
            }
            _ => replace(key, before, value, &mut patch, part),
        }
    }
    let removed = || original.entries().iter().filter(|entry| modified.get(entry.key()).is_none());
    if part == Part::Deletions {
        for entry in removed() {
            insert(&mut patch, entry.key(), Node::new(Value::Null, entry.key_origin()));
        }
    }
    let has_more = removed().any(|entry| !entry.value().is_null());
    if retains && (!patch.is_empty() || has_more) {
        let mut kept: Vec<_> = modified
            .entries()
            .iter()
            .filter(|entry| !entry.value().is_null())
            .map(|entry| Node::string(entry.key(), entry.key_origin()))
            .collect();
        sort_scalars(&mut kept);
        if let Some(origin) = kept.first().map(Node::origin) {
            insert(&mut patch, RETAIN_KEYS, Node::list(kept, origin));
        }
    }
    Ok(patch)
}

fn replace(key: &str, before: &Node, after: &Node, patch: &mut Map, part: Part) {
    if part == Part::Changes && !before.same_value(after) {
        insert(patch, key, after.clone());
    }
}

/// The type of a field. Equal values need none.
fn if_needed<T>(field: Result<T, Cause>, before: &Node, after: &Node) -> Result<Option<T>, Cause> {
    match field {
        Err(_) if before.same_value(after) => Ok(None),
        field => field.map(Some),
    }
}

fn diff_map(
    key: &str,
    before: &Node,
    after: &Node,
    patch: &mut Map,
    meta: PatchMeta,
    part: Part,
) -> Result<(), Cause> {
    if meta.replaces(key) {
        if part == Part::Changes {
            insert(patch, key, after.clone());
        }
        return Ok(());
    }
    let Some((meta, retains)) = if_needed(meta.map_field(key), before, after)? else {
        return Ok(());
    };
    let inner = diff_maps(Map::of(Some(before)), Map::of(Some(after)), meta, part, retains)?;
    if !inner.is_empty() {
        insert(patch, key, map_node(inner, after.origin()));
    }
    Ok(())
}

fn diff_list(
    key: &str,
    before: &Node,
    after: &Node,
    patch: &mut Map,
    meta: PatchMeta,
    part: Part,
) -> Result<(), Cause> {
    let Some(list) = if_needed(meta.list_field(key), before, after)? else { return Ok(()) };
    if !list.is_merged {
        replace(key, before, after, patch, part);
        return Ok(());
    }
    let ListPatch { items, deletions, order } =
        diff_items(before.items(), after.items(), list, part)?;
    let lists = [(key.to_owned(), items), (deletions_of(key), deletions), (order_of(key), order)];
    for (key, items) in lists {
        if !items.is_empty() {
            insert(patch, &key, Node::list(items, after.origin()));
        }
    }
    Ok(())
}

/// The patch of a list whose items are merged.
#[derive(Default)]
struct ListPatch {
    items: Vec<Node>,
    /// The scalars to delete.
    deletions: Vec<Node>,
    /// The order of the result.
    order: Vec<Node>,
}

/// `diffLists` in Go.
fn diff_items(
    before: &[Node],
    after: &[Node],
    list: ListMeta,
    part: Part,
) -> Result<ListPatch, Cause> {
    if before.is_empty() {
        let is_added = part == Part::Changes;
        let items = if is_added { after.to_vec() } else { Vec::new() };
        return Ok(ListPatch { items, ..ListPatch::default() });
    }
    if is_scalar_list(&[before, after])? {
        return Ok(diff_scalars(before, after, part));
    }
    let (changed, deleted) = diff_items_by_key(before, after, list, part)?;
    let mut items = lists::sorted_by(changed, after, list.key)?;
    let is_same_order = before.len() == after.len()
        && before.iter().zip(after).all(|(a, b)| lists::have_same_key(a, b, list.key));
    items.extend(deleted);
    let needs_order = !items.is_empty() || part == Part::Changes && !is_same_order;
    let order = if needs_order { lists::keys_alone(after, list.key) } else { Vec::new() };
    Ok(ListPatch { items, deletions: Vec::new(), order })
}

/// `diffListsOfScalars` in Go, which compares the sorted lists.
fn diff_scalars(before: &[Node], after: &[Node], part: Part) -> ListPatch {
    let (mut old, mut new) = (before.to_vec(), after.to_vec());
    sort_scalars(&mut old);
    sort_scalars(&mut new);
    // The Go package sorts the list itself, and compares it afterwards.
    let is_changed =
        old.len() != after.len() || old.iter().zip(after).any(|(a, b)| !a.same_value(b));
    let (mut added, mut deletions) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let texts = (old.peek().map(text_of), new.peek().map(text_of));
        match texts {
            (None, None) => break,
            (Some(a), Some(b)) if a == b => {
                old.next();
                new.next();
            }
            (Some(a), Some(b)) if a < b => deletions.extend(old.next()),
            (Some(_), None) => deletions.extend(old.next()),
            (_, Some(_)) => added.extend(new.next()),
        }
    }
    if part == Part::Changes {
        deletions.clear();
    } else {
        added.clear();
    }
    lists::deduplicate(&mut deletions);
    let items = lists::sorted_scalars_by(added, after);
    let needs_order = match part {
        Part::Changes => is_changed,
        Part::Deletions => !deletions.is_empty(),
    };
    let order = if needs_order { after.to_vec() } else { Vec::new() };
    ListPatch { items, deletions, order }
}

/// `diffListsOfMaps` in Go, which compares the lists sorted by their keys: of two items with one key, the last one
/// of each list is compared first.
fn diff_items_by_key(
    before: &[Node],
    after: &[Node],
    list: ListMeta,
    part: Part,
) -> Result<(Vec<Node>, Vec<Node>), Cause> {
    let old = sort_by_key(before, list.key)?;
    let new = sort_by_key(after, list.key)?;
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let (mut changed, mut deleted) = (Vec::new(), Vec::new());
    loop {
        let key = |(text, _): &(String, &Node)| text.clone();
        match (old.peek().map(key), new.peek().map(key)) {
            (None, None) => break,
            (Some(a), Some(b)) if a == b => {
                if let (Some((_, before)), Some((_, after))) = (old.next(), new.next()) {
                    changed.extend(diff_item(before, after, list, part)?);
                }
            }
            (Some(a), Some(b)) if a < b => deleted.extend(old.next()),
            (Some(_), None) => deleted.extend(old.next()),
            (_, Some(_)) => {
                let added = new.next().filter(|_| part == Part::Changes);
                changed.extend(added.map(|(_, item)| item.clone()));
            }
        }
    }
    if part == Part::Changes {
        deleted.clear();
    }
    let deleted = deleted.into_iter().map(|(_, item)| deletion(item, list.key));
    Ok((changed, deleted.collect()))
}

fn diff_item(
    before: &Node,
    after: &Node,
    list: ListMeta,
    part: Part,
) -> Result<Option<Node>, Cause> {
    let (Some(old), Some(new)) = (before.as_map(), after.as_map()) else {
        return Err(Cause::MixedTypes);
    };
    let mut patch = diff_maps(old, new, list.items, part, list.retains_keys)?;
    if patch.is_empty() {
        return Ok(None);
    }
    if let Some(value) = new.get(list.key) {
        insert(&mut patch, list.key, value.clone());
    }
    Ok(Some(map_node(patch, after.origin())))
}

/// The directive that deletes all items with a key.
fn deletion(item: &Node, key: &str) -> Node {
    let mut map = Map::default();
    if let Some(value) = item.as_map().and_then(|map| map.get(key)) {
        insert(&mut map, key, value.clone());
    }
    insert(&mut map, PATCH, Node::string(DELETE, item.origin()));
    map_node(map, item.origin())
}
