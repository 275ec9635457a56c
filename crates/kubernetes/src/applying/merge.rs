//! Merging a patch into an object, or into another patch: `mergeMap` in Go.

use super::Cause;
use super::lists::{
    deduplicate, have_same_key, is_deletion, is_scalar_list, key_of, merged_in_order, sorted_by,
    sorted_scalars_by,
};
use super::meta::{ListMeta, PatchMeta};
use crate::tree::{Map, Node, Origin, Value};

/// The key of a directive in a patch.
pub(super) const PATCH: &str = "$patch";
/// The directive that deletes.
pub(super) const DELETE: &str = "delete";
const REPLACE: &str = "replace";
/// The key of the list of fields that a merge keeps.
pub(super) const RETAIN_KEYS: &str = "$retainKeys";
const DELETIONS: &str = "$deleteFromPrimitiveList/";
const ORDER: &str = "$setElementOrder/";

/// The key for the scalars that a patch deletes from a list.
pub(super) fn deletions_of(list: &str) -> String {
    format!("{DELETIONS}{list}")
}

/// The key for the order of a list.
pub(super) fn order_of(list: &str) -> String {
    format!("{ORDER}{list}")
}

/// What is merged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Merging {
    /// A patch into another one: directives stay.
    OfPatches,
    /// A patch into an object: directives are obeyed.
    IntoObject,
}

/// The object that results from a patch.
pub(super) fn apply(object: Map, patch: Map, meta: PatchMeta) -> Result<Map, Cause> {
    merge_maps(object, patch, meta, Merging::IntoObject)
}

/// Merges a patch.
pub(super) fn merge_maps(
    mut original: Map,
    mut patch: Map,
    meta: PatchMeta,
    merging: Merging,
) -> Result<Map, Cause> {
    if let Some(directive) = patch.remove(PATCH) {
        return match directive.value().as_str() {
            Some(REPLACE) => Ok(patch),
            Some(DELETE) => Ok(Map::default()),
            _ => Err(Cause::Directive(PATCH.to_owned())),
        };
    }
    retain_keys(&mut original, &mut patch, merging)?;
    merge_ordered_lists(&mut original, &mut patch, meta, merging)?;
    for entry in patch.into_entries() {
        let (origin, key, value) = (entry.key_origin(), entry.key().to_owned(), entry.value);
        let (key, is_deletions) = match key.strip_prefix(DELETIONS) {
            Some(_) if merging == Merging::OfPatches => {
                original.insert(key, origin, value);
                continue;
            }
            Some(list) => (list.to_owned(), true),
            None => (key, false),
        };
        if value.is_null() {
            original.remove(&key);
            if merging == Merging::OfPatches {
                original.insert(key, origin, value);
            }
            continue;
        }
        let is_same_type = original.get(&key).map(|before| {
            std::mem::discriminant(&before.value) == std::mem::discriminant(&value.value)
        });
        if is_same_type != Some(true) {
            if !is_deletions {
                set(&mut original, &key, origin, value, merging);
            }
            continue;
        }
        let Some(before) = original.get_mut(&key) else { continue };
        let changed_origin = value.origin();
        match (&mut before.value, value.value) {
            (Value::Map(map), Value::Map(changes)) if meta.replaces(&key) => *map = changes,
            (Value::Map(map), Value::Map(changes)) => {
                let (meta, _) = meta.map_field(&key)?;
                *map = merge_maps(std::mem::take(map), changes, meta, merging)?;
            }
            (Value::List(items), Value::List(changes)) => {
                let list = meta.list_field(&key)?;
                let (items_before, changes) =
                    (items.drain(..).collect(), changes.into_iter().collect());
                let merged = merge_list(items_before, changes, list, is_deletions, merging)?;
                items.extend(merged);
            }
            (_, changed) => *before = Node::new(changed, changed_origin),
        }
    }
    Ok(original)
}

/// Sets a value of a patch as a whole.
fn set(original: &mut Map, key: &str, origin: Origin, mut value: Node, merging: Merging) {
    if merging == Merging::IntoObject {
        discard_nulls(&mut value);
    }
    match without_directives(value) {
        Some(value) => original.insert(key, origin, value),
        None => drop(original.remove(key)),
    }
}

/// Removes the fields with null.
pub(super) fn discard_nulls(node: &mut Node) {
    match &mut node.value {
        Value::Map(map) => {
            map.retain(|entry| !entry.value().is_null());
            map.fields_mut().for_each(|field| discard_nulls(field.value));
        }
        Value::List(items) => items.iter_mut().for_each(discard_nulls),
        _ => {}
    }
}

/// A value without maps that are directives; `None` if it is one.
fn without_directives(mut node: Node) -> Option<Node> {
    match &mut node.value {
        Value::Map(map) => {
            if map.get(PATCH).is_some() {
                return None;
            }
            let entries = std::mem::take(map).into_entries().into_iter();
            *map = entries
                .filter_map(|mut entry| {
                    entry.value = without_directives(entry.value)?;
                    Some(entry)
                })
                .collect();
        }
        Value::List(items) => {
            *items = std::mem::take(items).into_iter().filter_map(without_directives).collect();
        }
        _ => {}
    }
    Some(node)
}

/// `applyRetainKeysDirective` in Go.
fn retain_keys(original: &mut Map, patch: &mut Map, merging: Merging) -> Result<(), Cause> {
    let Some(kept) = patch.remove(RETAIN_KEYS) else { return Ok(()) };
    let fault = || Cause::Directive(RETAIN_KEYS.to_owned());
    if merging == Merging::OfPatches {
        match original.get(RETAIN_KEYS) {
            Some(known) if !known.same_value(kept.value()) => return Err(fault()),
            Some(_) => {}
            None => original.push(kept),
        }
        return Ok(());
    }
    let is_kept = |key: &str| kept.value().items().iter().any(|name| name.as_str() == Some(key));
    let is_directive = |key: &str| key.starts_with(DELETIONS) || key.starts_with(ORDER);
    let mut named = patch.entries().iter().filter(|entry| !entry.value().is_null());
    if named.any(|entry| !is_directive(entry.key()) && !is_kept(entry.key())) {
        return Err(fault());
    }
    original.retain(|entry| is_kept(entry.key()));
    Ok(())
}

/// `mergePatchIntoOriginal` in Go: merges the lists for which the patch sets an order.
fn merge_ordered_lists(
    original: &mut Map,
    patch: &mut Map,
    meta: PatchMeta,
    merging: Merging,
) -> Result<(), Cause> {
    let keys = patch.entries().iter().filter_map(|entry| entry.key().strip_prefix(ORDER));
    for key in keys.map(str::to_owned).collect::<Vec<_>>() {
        let directive = order_of(&key);
        let Some(order) = patch.remove(&directive) else { continue };
        if merging == Merging::OfPatches {
            match original.get(&directive) {
                Some(known) if !known.same_value(order.value()) => {
                    return Err(Cause::Directive(directive));
                }
                Some(_) => {}
                None => original.push(order.clone()),
            }
        }
        let list = meta.list_field(&key)?;
        let order = order.value().items();
        let list_in = |map: &Map| match map.get(&key).map(|node| (&node.value, node.origin())) {
            Some((Value::List(items), origin)) => Some((items.to_vec(), origin)),
            _ => None,
        };
        let (before, changes) = (list_in(original), list_in(patch));
        let Some(origin) = changes.as_ref().or(before.as_ref()).map(|(_, origin)| *origin) else {
            continue;
        };
        let was_absent = before.is_none();
        let (before, _) = before.unwrap_or_else(|| (Vec::new(), origin));
        let patched = changes.as_ref().map_or(&[][..], |(items, _)| items);
        check_order(patched, order, list.key, &key)?;
        let is_scalar = is_scalar_list(&[&before, patched])?;
        let mut live = before.clone();
        if !is_scalar {
            live = overwritten(live, patched, list.key);
        }
        let merged = match changes {
            None => before,
            Some((changes, _)) if was_absent => {
                changes.into_iter().filter_map(without_directives).collect()
            }
            Some((changes, _)) => merge_list(before, changes, list, false, merging)?,
        };
        let merged = in_element_order(merged, order, &live, list.key, is_scalar)?;
        original.insert(key.as_str(), origin, Node::list(merged, origin));
        patch.remove(&key);
    }
    Ok(())
}

/// The live list whose order counts after a merge: the Go package deletes and adds items in the array that it reads
/// again afterwards.
fn overwritten(mut live: Vec<Node>, patch: &[Node], key: &str) -> Vec<Node> {
    let mut length = live.len();
    let (deletions, others): (Vec<_>, Vec<_>) = patch.iter().partition(|item| is_deletion(item));
    let position = |live: &[Node], length: usize, item: &Node| {
        live.iter().take(length).position(|other| have_same_key(other, item, key))
    };
    for item in deletions {
        while let Some(at) = position(&live, length, item) {
            // The last item stays after the new end.
            if let Some(moved) = live.get_mut(at..length) {
                moved.rotate_left(1);
            }
            length -= 1;
            let last = length.checked_sub(1).filter(|last| *last >= at);
            if let Some(stale) = last.and_then(|last| live.get(last)).cloned()
                && let Some(place) = live.get_mut(length)
            {
                *place = stale;
            }
        }
    }
    for item in others {
        if position(&live, length, item).is_none() {
            if let Some(place) = live.get_mut(length) {
                *place = item.clone();
            }
            length += 1;
        }
    }
    live
}

/// `validatePatchWithSetOrderList` in Go: the items of a patch are among those of the order, in the same order.
fn check_order(patch: &[Node], order: &[Node], key: &str, list: &str) -> Result<(), Cause> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut items = patch.iter().filter(|item| key.is_empty() || !is_deletion(item));
    let mut item = items.next();
    for ordered in order {
        let Some(current) = item else { break };
        if !key.is_empty() {
            key_of(current, key)?;
            key_of(ordered, key)?;
        }
        if have_same_key(current, ordered, key) {
            item = items.next();
        }
    }
    if item.is_some() { Err(Cause::Order(list.to_owned())) } else { Ok(()) }
}

/// `mergeSliceHandler` and `mergeSlice` in Go.
fn merge_list(
    original: Vec<Node>,
    patch: Vec<Node>,
    list: ListMeta,
    is_deletions: bool,
    merging: Merging,
) -> Result<Vec<Node>, Cause> {
    if !list.is_merged && !is_deletions {
        return Ok(patch);
    }
    if original.is_empty() && patch.is_empty() {
        return Ok(original);
    }
    if is_scalar_list(&[&original, &patch])? {
        if is_deletions && merging == Merging::IntoObject {
            let is_deleted = |item: &Node| patch.iter().any(|deleted| deleted.same_value(item));
            return Ok(original.into_iter().filter(|item| !is_deleted(item)).collect());
        }
        let live = original.clone();
        let mut merged: Vec<_> = original.into_iter().chain(patch.iter().cloned()).collect();
        deduplicate(&mut merged);
        return in_element_order(merged, &patch, &live, "", true);
    }
    if list.key.is_empty() {
        return Err(Cause::NoMergeKey(String::new()));
    }
    let (original, patch) = obey_item_directives(original, patch, list.key)?;
    let live = original.clone();
    let merged = merge_items(original, &patch, list, merging)?;
    in_element_order(merged, &patch, &live, list.key, false)
}

/// `mergeSliceWithSpecialElements` in Go: deletes items, and returns the other items of the patch.
fn obey_item_directives(
    mut original: Vec<Node>,
    patch: Vec<Node>,
    key: &str,
) -> Result<(Vec<Node>, Vec<Node>), Cause> {
    let (mut others, mut is_replaced) = (Vec::new(), false);
    for item in patch {
        match Map::of(Some(&item)).get(PATCH).map(Node::as_str) {
            None => others.push(item),
            Some(Some(DELETE)) => {
                key_of(&item, key)?;
                original.retain(|other| !have_same_key(other, &item, key));
            }
            Some(Some(REPLACE)) => is_replaced = true,
            Some(_) => return Err(Cause::Directive(PATCH.to_owned())),
        }
    }
    Ok(if is_replaced { (others, Vec::new()) } else { (original, others) })
}

/// `mergeSliceWithoutSpecialElements` in Go: each item of the patch is merged into the first item with its key.
fn merge_items(
    mut original: Vec<Node>,
    patch: &[Node],
    list: ListMeta,
    merging: Merging,
) -> Result<Vec<Node>, Cause> {
    for item in patch {
        key_of(item, list.key)?;
        let known = original.iter_mut().find(|other| have_same_key(other, item, list.key));
        match known {
            Some(known) => {
                let (before, changes) = (Map::of(Some(known)).clone(), Map::of(Some(item)).clone());
                known.value = Value::Map(merge_maps(before, changes, list.items, merging)?);
            }
            None => original.push(item.clone()),
        }
    }
    Ok(original)
}

/// `normalizeElementOrder` in Go: the items that are in a list have its order; the others stay where they are among
/// the live ones.
fn in_element_order(
    merged: Vec<Node>,
    order: &[Node],
    live: &[Node],
    key: &str,
    is_scalar: bool,
) -> Result<Vec<Node>, Cause> {
    let is_named = |item: &Node| order.iter().any(|other| have_same_key(other, item, key));
    let (patched, server_only): (Vec<_>, Vec<_>) = merged.into_iter().partition(is_named);
    let sorted = |items: Vec<Node>, order: &[Node]| {
        if is_scalar { Ok(sorted_scalars_by(items, order)) } else { sorted_by(items, order, key) }
    };
    let (patched, server_only) = (sorted(patched, order)?, sorted(server_only, live)?);
    Ok(merged_in_order(server_only, patched, live, key))
}
