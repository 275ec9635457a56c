//! Defaults of custom resources.

use crate::schema::Type;
use crate::tree::{Node, Origin, Value};

/// Sets the absent fields that have a default in the schema.
pub(super) fn fill(node: &mut Node, ty: Type<'_>, origin: Origin) {
    match (&mut node.value, ty.base()) {
        (Value::List(items), Type::List(list)) => {
            items.iter_mut().for_each(|it| fill(it, list.items, origin));
        }
        (Value::Map(map), Type::Map(values)) => {
            map.entries.iter_mut().for_each(|it| fill(&mut it.value, *values, origin));
        }
        (Value::Map(map), Type::Object(object)) => {
            for property in object.properties {
                let is_absent = map.get(property.name).is_none_or(Node::is_null);
                let default = property.default.filter(|_| is_absent);
                if let Some(value) = default.and_then(|it| serde_json::from_str(it).ok()) {
                    map.insert(property.name, origin, Node::from_json(value, origin));
                }
            }
            for entry in &mut map.entries {
                if let Some(property) = object.property(&entry.key) {
                    fill(&mut entry.value, property.value, origin);
                }
            }
        }
        _ => {}
    }
}
