//! The object that alternatives in a schema see: the API server drops each `null` that the schema does
//! not allow, and sets defaults, before it validates (apiextensions-apiserver,
//! `pkg/apiserver/schema/defaulting`).

use super::{Constrained, Constraint, Type};
use crate::tree::{Map, Node, Value};

/// A value as the API server validates it, if its schema has keywords for which that makes a
/// difference, and it does.
pub(super) fn defaulted(constrained: &Constrained<'_>, node: &Node) -> Option<Node> {
    use Constraint::{AllOf, AnyOf, ExactlyOneOf, MaxProperties, MinProperties, Not};
    let is_affected = |constraint: &Constraint<'_>| match constraint {
        AllOf(_) | AnyOf(_) | ExactlyOneOf(_) | Not(_) => true,
        MinProperties(_) | MaxProperties(_) | Constraint::Required(_) => {
            node.as_map().is_some_and(has_null)
        }
        _ => false,
    };
    if !constrained.constraints.iter().any(is_affected) {
        return None;
    }
    stored_value(constrained.base, node)
}

/// Whether a key of the map has no value.
pub(super) fn has_null(map: &Map) -> bool {
    map.entries().iter().any(|entry| entry.value.is_null())
}

/// The type of the value at a key.
fn type_at<'s>(ty: Type<'s>, key: &str) -> Option<Type<'s>> {
    match ty {
        Type::Object(object) => match object.property(key) {
            Some(property) => Some(property.value),
            None => object.others,
        },
        Type::Map(values) => Some(*values),
        _ => None,
    }
}

/// The value with the changes of the API server, if it makes any.
fn stored_value(ty: Type<'_>, node: &Node) -> Option<Node> {
    match (&node.value, ty.base()) {
        (Value::Map(map), ty) => stored_map(ty, node, map),
        (Value::List(items), Type::List(list)) => {
            let mut changed = None;
            for (index, item) in items.iter().enumerate() {
                let Some(item) = stored_value(list.items, item) else { continue };
                if let Value::List(items) = &mut changed.get_or_insert_with(|| node.clone()).value
                    && let Some(slot) = items.get_mut(index)
                {
                    *slot = item;
                }
            }
            changed
        }
        _ => None,
    }
}

fn stored_map(ty: Type<'_>, node: &Node, map: &Map) -> Option<Node> {
    let mut changed: Option<Node> = None;
    for entry in map.entries() {
        let of_value = type_at(ty, &entry.key);
        if entry.value.is_null() {
            if of_value.is_some_and(|ty| !ty.is_nullable()) {
                let changed = changed.get_or_insert_with(|| node.clone());
                changed.as_map_mut().and_then(|map| map.remove(&entry.key));
            }
        } else if let Some(value) = of_value.and_then(|ty| stored_value(ty, &entry.value)) {
            changed.get_or_insert_with(|| node.clone()).set(entry.key.text().clone(), value);
        }
    }
    let Type::Object(object) = ty else { return changed };
    for property in object.properties {
        let now = changed.as_ref().and_then(Node::as_map).unwrap_or(map);
        let Some(default) = property.default.filter(|_| now.get(property.name).is_none()) else {
            continue;
        };
        if let Ok(json) = serde_json::from_str(default) {
            let value = Node::from_json(json, node.origin());
            changed.get_or_insert_with(|| node.clone()).set(property.name, value);
        }
    }
    changed
}
