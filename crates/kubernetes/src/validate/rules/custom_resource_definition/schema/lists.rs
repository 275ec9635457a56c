//! Sets and lists of type `map`, whose items must be identifiable.

use super::reading::type_of;
use crate::diag::message;
use crate::sorted::SortedSet;
use crate::tree::{Map, Node};
use crate::validate::rules::custom_resource_definition::CRD_LIST_TYPE_INVALID;
use crate::validate::rules::judge::{Judge, is_true, items, shown, texts};
use crate::validate::rules::repeated::repeated;

const LIST_TYPE: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node) {
    let list_type = schema.str_at(&[LIST_TYPE]);
    let Some(entry) = schema.entry(LIST_TYPE) else { return };
    if !matches!(list_type, Some("set" | "map")) {
        return;
    }
    if list_type == Some("map") && items(schema, KEYS).is_empty() {
        let message = "list of type `map` has no keys";
        let help = message!("add `{KEYS}: [...]` with the fields that identify its items");
        let (rule, at) = (&CRD_LIST_TYPE_INVALID, entry.key_origin().span());
        judge.refuse(rule, (at, (schema, KEYS)), (message, help));
    }
    // An array without items is reported elsewhere.
    let Some(of_items) = schema.get("items").filter(|of_items| of_items.as_map().is_some()) else {
        return;
    };
    if let Some(entry) = of_items.entry("nullable").filter(|_| is_true(of_items, "nullable")) {
        let message = "items of the list are nullable, so they cannot be identified";
        let (rule, at) = (&CRD_LIST_TYPE_INVALID, entry.key_origin().span());
        judge.refuse(rule, (at, (schema, "items.nullable")), (message, "remove `nullable`"));
    }
    match list_type {
        Some("map") => check_map(judge, schema, of_items),
        _ if type_of(schema) == Some("array") => check_set(judge, of_items),
        _ => {}
    }
}

/// Checks a set, whose items are compared as a whole.
fn check_set(judge: &mut Judge<'_>, of_items: &Node) {
    let (keyword, default) = match type_of(of_items) {
        Some("array") => (LIST_TYPE, "atomic"),
        Some("object") => ("x-kubernetes-map-type", "granular"),
        _ => return,
    };
    let value = of_items.get(keyword);
    if value.map_or(Some(default), Node::as_str).is_none_or(|kind| kind == "atomic") {
        return;
    }
    let at = value.or_else(|| of_items.get("type")).map_or_else(|| of_items.span(), Node::span);
    let message = "items of a set must be atomic";
    let help = message!("write `{keyword}: atomic` for the items, or change the list type");
    judge.refuse(&CRD_LIST_TYPE_INVALID, (at, (of_items, keyword)), (message, help));
}

/// Checks a list of type `map`, whose items are identified by some of their fields.
fn check_map(judge: &mut Judge<'_>, schema: &Node, of_items: &Node) {
    let Some(item_type) = type_of(of_items) else { return };
    if item_type != "object" {
        let at = of_items.get("type").map_or_else(|| of_items.span(), Node::span);
        let message = "items of a list of type `map` are not objects";
        let help = "write `type: object`, or another list type";
        judge.refuse(&CRD_LIST_TYPE_INVALID, (at, (of_items, "type")), (message, help));
    }
    let keys = texts(items(schema, KEYS));
    repeated(keys.clone(), |key, node, first| {
        if item_type != "object" {
            return;
        }
        let message = message!("duplicate list key `{}`", shown(key));
        let texts = (message, "repeated", "remove one of them");
        judge.conflict(&CRD_LIST_TYPE_INVALID, node, texts, (first, "first listed here"));
    });
    let properties = Map::of(of_items.get("properties"));
    let required: SortedSet<&str> =
        items(of_items, "required").iter().filter_map(Node::as_str).collect();
    for (key, node) in keys {
        match properties.get(key) {
            Some(property) => {
                let is_required = required.contains(key);
                check_key(judge, is_required, key, node, property, item_type);
            }
            None if item_type == "object" => {
                let message = message!("list key `{}` is not a field of the items", shown(key));
                let help = "use field names in `properties` of the items";
                judge.refuse(&CRD_LIST_TYPE_INVALID, node, (message, help));
            }
            None => {}
        }
    }
}

/// Checks a list key, which must be required and scalar.
fn check_key(
    judge: &mut Judge<'_>,
    is_required: bool,
    key: &str,
    node: &Node,
    property: &Node,
    item_type: &str,
) {
    let (message, help, field) =
        if item_type == "object" && matches!(type_of(property), Some("array" | "object")) {
            ("is a list or an object", "use a field of type string, number or boolean", "type")
        } else if is_true(property, "nullable") {
            ("is nullable", "remove `nullable`", "nullable")
        } else if !is_required && property.get("default").is_none() {
            ("is optional", "add it to `required` of the items, or set a default", "default")
        } else {
            return;
        };
    let message = message!("list key `{}` {message}", shown(key));
    judge.refuse(&CRD_LIST_TYPE_INVALID, (node.span(), (property, field)), (message, help));
}
