//! Lists: their items, and the uniqueness of items in custom resources.

use super::rules::{ITEM_LOST_ON_APPLY, LIST_ITEM_DUPLICATE};
use super::{Mode, Position, Scope, Walk, start_of};
use crate::diag::{Diagnostic, message};
use crate::schema::{List, ListType, PatchStrategy, Type};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Map, Node};

impl Walk<'_> {
    pub(super) fn list(&mut self, node: &Node, list: &List<'_>, place: &Position<'_>) {
        let crate::tree::Value::List(items) = &node.value else {
            self.wrong_type(node, Type::List(list), place);
            return;
        };
        let stray = self.stray;
        for (index, item) in items.iter().enumerate() {
            let path = place.path.index(index);
            self.value(
                item,
                list.items,
                &Position { path, at: start_of(item), is_item: true, ..*place },
            );
            if index + 1 < items.len() && stray.is_none() {
                self.stray = self.stray.or_else(|| self.stray_key(item, list, place));
            }
        }
        self.stray = stray;
        if place.mode == Mode::Custom && items.len() > 1 {
            self.duplicates(items, list, place);
        }
        if self.cx.is_applied && place.mode == Mode::BuiltIn && items.len() > 1 {
            self.items_lost_on_apply(items, list, place);
        }
    }

    /// Reports items that differ in a key of the list, and not in the only one by which client-side `kubectl apply`
    /// merges them (`strategicpatch`): a creation stores both, and a later apply loses one.
    fn items_lost_on_apply(&mut self, items: &[Node], list: &List<'_>, place: &Position<'_>) {
        let (ListType::Map(keys @ [_, _, ..]), PatchStrategy::MergeByKey(key)) =
            (list.identity, list.patch)
        else {
            return;
        };
        let identity = |item: &Node| {
            keys.iter().map(|key| describe_key(Map::of(Some(item)), key, list)).collect::<Vec<_>>()
        };
        // The API server also accepts one container port for several ports of the node.
        let have_other_host_ports = |one: &Node, other: &Node| {
            let host_ports = one.get("hostPort").zip(other.get("hostPort"));
            host_ports.is_some_and(|(one, other)| !one.same_value(other))
        };
        let mut seen: SortedMap<String, &Node> = SortedMap::new();
        for (index, item) in items.iter().enumerate() {
            let Some(value) = item.get(key) else { continue };
            let text = value.identity();
            let Some(first) = seen.get(&text).copied() else {
                seen.insert(text, item);
                continue;
            };
            if identity(first) == identity(item) && !have_other_host_ports(first, item) {
                continue;
            }
            let message = message!("`kubectl apply` can lose one of two items of `{}`", place.key);
            let finding = Diagnostic::new(&ITEM_LOST_ON_APPLY, value.span(), message)
                .at(message!("the same `{key}`"))
                .label(first.get(key).map_or_else(|| start_of(first), Node::span), "the first")
                .note(message!(
                    "client-side apply merges these items by `{key}` alone: it loses one when the list changes"
                ))
                .help("apply with `kubectl apply --server-side`, and write in the Project who applies: `apply`");
            let items_path = place.path.index(index);
            let path = items_path.field(key);
            self.report(item.origin(), &Position { path, ..*place }, finding);
        }
    }

    /// The last key of an item if it has no value and belongs outside of the list: the items after it
    /// are its own.
    fn stray_key(&self, item: &Node, list: &List<'_>, place: &Position<'_>) -> Option<Span> {
        let Type::Object(object) = list.items.base() else { return None };
        let stray = item.entries().last().filter(|entry| entry.value.is_null())?;
        let is_unknown = object.property(&stray.key).is_none() && object.others.is_none();
        let mut around = std::iter::successors(place.scope, |it| it.parent);
        let has_key =
            |scope: &Scope<'_>| scope.object.property_in(&stray.key, self.cx.target).is_some();
        (is_unknown && around.any(has_key)).then(|| stray.key_origin().span())
    }

    /// Reports duplicate items of sets and map lists in custom resources, which the API server
    /// rejects. For built-in kinds these list types only control merging: two variables with one
    /// name are accepted.
    fn duplicates(&mut self, items: &[Node], list: &List<'_>, place: &Position<'_>) {
        let keys: &[&str] = match list.identity {
            ListType::Atomic => return,
            ListType::Set => &[],
            ListType::Map(keys) => keys,
        };
        let mut seen: SortedMap<String, &Node> = SortedMap::new();
        for (index, item) in items.iter().enumerate() {
            let identity = match list.identity {
                ListType::Set => item.identity(),
                _ if item.as_map().is_none() => continue,
                _ => {
                    let entries = Map::of(Some(item));
                    let values: Vec<_> =
                        keys.iter().map(|key| describe_key(entries, key, list)).collect();
                    values.join(", ")
                }
            };
            let Some(first) = seen.get(&identity) else {
                seen.insert(identity, item);
                continue;
            };
            let at = match keys.first().and_then(|key| item.get(key)) {
                Some(key) => key.span(),
                None => start_of(item),
            };
            let path = place.path.index(index);
            let message = if keys.is_empty() {
                message!("duplicate item {identity} in `{}`", place.key)
            } else {
                message!("duplicate {identity} in `{}`", place.key)
            };
            let finding = Diagnostic::new(&LIST_ITEM_DUPLICATE, at, message)
                .at("duplicate")
                .label(start_of(first), "first defined here")
                .help("remove one of the two, or make them differ");
            self.report(item.origin(), &Position { path, ..*place }, finding);
        }
    }
}

/// One part of an item's identity: `name "x"`. An absent key has its default.
fn describe_key(item: &Map, key: &str, list: &List<'_>) -> String {
    let given = item.get(key).map(|value| value.to_json().to_string());
    let value = given.or_else(|| {
        let Type::Object(object) = list.items.base() else { return None };
        object.property(key)?.default.map(str::to_owned)
    });
    format!("{key} {}", value.as_deref().unwrap_or("none"))
}
