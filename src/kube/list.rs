//! `kind: List`: several objects in one document, as `kubectl get -o yaml` prints them.

use crate::source::Span;
use crate::tree::{Node, Value};

/// The objects of a document: the items of a `List`, those of Lists in it included, or the one
/// object that it is. kubectl, too, takes a List apart before it sends anything.
pub(crate) fn items_of_list(root: Node, document: Span) -> Vec<(Node, Span)> {
    let is_list = root.str_at(&["kind"]) == Some("List")
        && root.str_at(&["apiVersion"]) == Some("v1")
        && root.get("items").is_some_and(|items| matches!(items.value, Value::List(_)));
    if !is_list {
        return vec![(root, document)];
    }
    let mut root = root;
    let items = root.as_map_mut().and_then(|map| map.remove("items")).map(|it| it.value.value);
    let Some(Value::List(items)) = items else { return Vec::new() };
    items
        .into_iter()
        .filter(|item| !item.is_null())
        .flat_map(|item| {
            let span = item.span();
            items_of_list(item, span)
        })
        .collect()
}
