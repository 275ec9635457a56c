//! `null` as an item of a list: Go's decoder makes it an empty string or an empty object, which the
//! server then validates. In a list of enum values, the schema reports it.

use crate::kube::Object;
use crate::schema::{Type, store, visit_children};
use crate::tree::{Map, Node, Value};

/// The decoded object; `None` if none of its lists has a `null`.
pub(super) fn decoded(object: &Object) -> Option<Object> {
    let has_null =
        |value: &Value| matches!(value, Value::List(items) if items.iter().any(Node::is_null));
    if !object.root.has(has_null) {
        return None;
    }
    let kind = &object.gvk;
    let definition = store::kind(&kind.group, &kind.version, &kind.kind)?.definition?;
    let mut object = object.clone();
    fill_null_items(&mut object.root, Type::Object(definition));
    Some(object)
}

fn fill_null_items(node: &mut Node, ty: Type<'_>) {
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
    visit_children(node, ty, fill_null_items);
}
