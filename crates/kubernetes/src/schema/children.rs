//! The typed children of a value.

use super::Type;
use crate::tree::{Node, Value};

/// Calls `visit` with each child of a value whose type is in the schema: items of lists, values of
/// maps, and the declared fields of objects.
pub fn visit_children<'t>(
    node: &mut Node,
    ty: Type<'t>,
    mut visit: impl FnMut(&mut Node, Type<'t>),
) {
    match (&mut node.value, ty.base()) {
        (Value::List(items), Type::List(list)) => {
            items.iter_mut().for_each(|item| visit(item, list.items));
        }
        (Value::Map(map), Type::Map(values)) => {
            map.fields_mut().for_each(|field| visit(field.value, *values));
        }
        (Value::Map(map), Type::Object(object)) => {
            for field in map.fields_mut() {
                if let Some(property) = object.property(field.key) {
                    visit(field.value, property.value);
                }
            }
        }
        (Value::Map(_), Type::NameOr(inline)) => visit_children(node, *inline, visit),
        _ => {}
    }
}
