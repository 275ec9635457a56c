//! `null` as an item of a list: Go's decoder makes it an empty string or an empty object, which the
//! server then validates. In a list of enum values, the schema reports it.

use crate::kube::Object;
use crate::schema::{Type, store, visit_children};
use crate::tree::{Map, Node, Value};

/// The decoded object; `None` if none of its lists has a `null`.
pub(super) fn decoded(object: &Object) -> Option<Object> {
    if !has_null_item(&object.root) {
        return None;
    }
    let kind = &object.gvk;
    let definition = store::kind(&kind.group, &kind.version, &kind.kind)?.definition?;
    let mut object = object.clone();
    fill(&mut object.root, Type::Object(definition));
    Some(object)
}

fn has_null_item(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => items.iter().any(|it| it.is_null() || has_null_item(it)),
        Value::Map(map) => map.entries().iter().any(|it| has_null_item(&it.value)),
        _ => false,
    }
}

fn fill(node: &mut Node, ty: Type<'_>) {
    if let (Value::List(items), Type::List(list)) = (&mut node.value, ty.base()) {
        let empty = match list.items.base() {
            Type::String(_) => Value::String("".into()),
            Type::Object(_) => Value::Map(Map::default()),
            _ => Value::Null,
        };
        for item in items.iter_mut().filter(|it| it.is_null()) {
            item.value = empty.clone();
        }
    }
    visit_children(node, ty, fill);
}
