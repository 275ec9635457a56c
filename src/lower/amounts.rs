//! Quantities of definitions that are written as fractions: `cpu: 0.5`.
//!
//! The API server accepts the number in a Pod, and only integers and strings in a custom resource.

use crate::schema::Type;
use crate::tree::{Node, Value};

/// Makes strings of fractions where quantities belong.
pub(super) fn as_strings(node: &mut Node, ty: Type<'_>) {
    match (&mut node.value, ty.base()) {
        (value @ Value::Float(_), Type::Quantity) => {
            if let Value::Float(number) = value {
                *value = Value::String(number.to_string().into());
            }
        }
        (Value::List(items), Type::List(list)) => {
            items.iter_mut().for_each(|it| as_strings(it, list.items));
        }
        (Value::Map(map), Type::Map(values)) => {
            map.entries.iter_mut().for_each(|it| as_strings(&mut it.value, *values));
        }
        (Value::Map(map), Type::Object(object)) => {
            for entry in &mut map.entries {
                if let Some(property) = object.property(&entry.key) {
                    as_strings(&mut entry.value, property.value);
                }
            }
        }
        (Value::Map(_), Type::NameOr(inline)) => as_strings(node, *inline),
        _ => {}
    }
}
