//! `kind: List`: several objects in one document, as `kubectl get -o yaml` prints them.

use crate::source::Span;
use crate::tree::{Entry, Node, Value};

/// The length in bytes above which the items of a list do not get its `apiVersion` or `kind`: no API
/// server has such a type, and thousands of items would repeat megabytes.
const LONGEST_TYPE: usize = 1_024;

/// The objects of a document: the items of a `List`, a `ConfigMapList` and so on, including nested
/// Lists, or the single object that it is. kubectl also splits a list before it sends anything, and
/// sets the type of the items of a typed list (apimachinery, `unstructured/unstructured.go`,
/// `decodeToList`).
pub fn items_of_list(root: Node, document: Span) -> Vec<(Node, Span)> {
    let is_list = root.str_at(&["kind"]).is_some_and(|kind| kind.ends_with("List"))
        && root.str_at(&["apiVersion"]).is_some()
        && root.get("items").is_some_and(|items| matches!(items.value, Value::List(_)));
    if !is_list {
        return vec![(root, document)];
    }
    let mut root = root;
    let type_of_items = type_of_items(&root);
    let items =
        root.as_map_mut().and_then(|map| map.remove("items")).map(|entry| entry.value.value);
    let Some(Value::List(items)) = items else { return Vec::new() };
    items
        .into_iter()
        .filter(|item| !item.is_null())
        .flat_map(|mut item| {
            if let (Some([version, kind]), Some(map)) = (&type_of_items, item.as_map_mut())
                && map.get("kind").is_none()
                && map.get("apiVersion").is_none()
            {
                map.edit(|entries| drop(entries.splice(0..0, [version.clone(), kind.clone()])));
            }
            let span = item.span();
            items_of_list(item, span)
        })
        .collect()
}

/// `apiVersion` and `kind` of the items, if the kind of the list determines them.
fn type_of_items(list: &Node) -> Option<[Entry; 2]> {
    let of_list = |key: &str| list.str_at(&[key]).filter(|text| text.len() <= LONGEST_TYPE);
    of_list("apiVersion")?;
    let kind = of_list("kind")?.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    let mut of_item = list.entry("kind")?.clone();
    of_item.value.value = Value::String(kind.into());
    Some([list.entry("apiVersion")?.clone(), of_item])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn items_get_the_type_of_their_list_unless_it_is_long() {
        for (length, kind) in [(LONGEST_TYPE, true), (LONGEST_TYPE + 1, false)] {
            let of_list = format!("{}List", "x".repeat(length - "List".len()));
            let list = json!({"apiVersion": "v1", "kind": of_list, "items": [{}]});
            let span = Workspace::new().start();
            let items = items_of_list(Node::from_json(list, Origin::source(span)), span);
            assert_eq!(items.first().is_some_and(|(item, _)| item.get("kind").is_some()), kind);
        }
    }
}
