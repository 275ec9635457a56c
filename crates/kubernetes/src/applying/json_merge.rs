//! JSON merge patches, by which kubectl applies custom resources: each list is one value.
//! `CreateThreeWayJSONMergePatch` in Go.

use super::Cause;
use super::merge::discard_nulls;
use crate::tree::{Map, Node, Value};

/// The fields that identify an object.
const IDENTITY: [&[&str]; 3] = [&["apiVersion"], &["kind"], &["metadata", "name"]];

/// The patch from the live to the new form without deletions, with the deletions from the last to the new form.
pub(super) fn three_way(last: &Map, new: &Map, live: &Map) -> Result<Map, Cause> {
    let changes = without_nulls(difference(live, new));
    let patch = apply(nulls_alone(difference(last, new)), &changes);
    let changes_identity = |path: &&[&str]| {
        let [first, rest @ ..] = path else { return false };
        rest.iter()
            .try_fold(patch.get(first), |node, key| Some(node?.as_map()?.get(key)))
            .flatten()
            .is_some()
    };
    if IDENTITY.iter().any(changes_identity) {
        return Err(Cause::Identity);
    }
    Ok(patch)
}

/// The live object after the patch from the last to the new form, as Helm makes it of a custom resource.
pub(super) fn two_way(last: &Node, new: &Node, live: &Node) -> Node {
    let patch = difference(Map::of(Some(last)), Map::of(Some(new)));
    let origin = live.origin();
    Node::new(Value::Map(apply(Map::of(Some(live)).clone(), &patch)), origin)
}

/// The result of a patch: null removes a field.
pub(super) fn apply(mut object: Map, patch: &Map) -> Map {
    for entry in patch.entries() {
        let (key, value) = (entry.key(), entry.value());
        if value.is_null() {
            object.remove(key);
            continue;
        }
        let before = object.get_mut(key).map(|node| &mut node.value);
        if let (Some(Value::Map(before)), Value::Map(changes)) = (before, &value.value) {
            *before = apply(std::mem::take(before), changes);
            continue;
        }
        let mut value = value.clone();
        discard_nulls(&mut value);
        object.insert(key, entry.key_origin(), value);
    }
    object
}

/// `getDiff` in Go: the changed fields, with null for those that were removed.
fn difference(before: &Map, after: &Map) -> Map {
    let mut patch = Map::default();
    for entry in after.entries() {
        let value = entry.value();
        match before.get(entry.key()) {
            Some(old) if old.same_value(value) => {}
            Some(Node { value: Value::Map(old), .. }) if value.as_map().is_some() => {
                let inner = difference(old, Map::of(Some(value)));
                if !inner.is_empty() {
                    let inner = Node::new(Value::Map(inner), value.origin());
                    patch.insert(entry.key(), entry.key_origin(), inner);
                }
            }
            _ => patch.insert(entry.key(), entry.key_origin(), value.clone()),
        }
    }
    for entry in before.entries().iter().filter(|entry| after.get(entry.key()).is_none()) {
        let null = Node::new(Value::Null, entry.key_origin());
        patch.insert(entry.key(), entry.key_origin(), null);
    }
    patch
}

/// A patch without the fields that it removes. An empty map is a value.
fn without_nulls(patch: Map) -> Map {
    filtered(patch, false)
}

/// The fields that a patch removes.
fn nulls_alone(patch: Map) -> Map {
    filtered(patch, true)
}

/// `keepOrDeleteNullInObj` in Go.
fn filtered(patch: Map, keeps_null: bool) -> Map {
    let entries =
        patch.into_entries().into_iter().filter_map(|mut entry| match &mut entry.value.value {
            Value::Null => keeps_null.then_some(entry),
            Value::Map(map) if map.is_empty() => (!keeps_null).then_some(entry),
            Value::Map(map) => {
                *map = filtered(std::mem::take(map), keeps_null);
                (!map.is_empty()).then_some(entry)
            }
            _ => (!keeps_null).then_some(entry),
        });
    entries.collect()
}
