//! Values in the form in which the controllers send them: Go decodes an object into structs and
//! encodes these again.

use super::go_json::{Shape, Written, fields_of, is_zero, scalar_text, sent_quantity};
use crate::tree::{Node, Value};

/// Rewrites a value of a type in `fields.txt` as the controllers send it: with canonical
/// quantities, and without zero values of fields that are not pointers. Empty structs that Go adds
/// (`resources: {}`) are not added.
pub(super) fn as_sent(ty: &str, node: &mut Node) {
    let origin = node.origin();
    let Some(map) = node.as_map_mut() else { return };
    for field in fields_of(ty) {
        let is_unset_quantity = field.written == Written::Always
            && (field.shape, field.ty) == (Shape::One, "Q")
            && map.get(field.name).is_none_or(Node::is_null);
        if is_unset_quantity {
            map.insert(field.name, origin, Node::string("0", origin));
        }
        let Some(value) = map.get_mut(field.name) else { continue };
        let is_left_out = match field.written {
            Written::NotZero => is_zero(value),
            Written::Pointer => value.is_null(),
            Written::Always | Written::OrNull => false,
        };
        if is_left_out {
            map.remove(field.name);
            continue;
        }
        match (field.shape, &mut value.value) {
            (Shape::One, _) => value_as_sent(field.ty, value),
            (Shape::List, Value::List(items)) => {
                items.iter_mut().for_each(|item| value_as_sent(field.ty, item));
            }
            (Shape::Map, Value::Map(map)) => {
                map.fields_mut().for_each(|entry| value_as_sent(field.ty, entry.value));
            }
            _ => {}
        }
    }
}

fn value_as_sent(ty: &str, node: &mut Node) {
    match ty {
        "" => {}
        "Q" => {
            let form = sent_quantity(scalar_text(node));
            if node.as_str() != Some(form.as_str()) {
                *node = Node::string(form, node.origin());
            }
        }
        ty => as_sent(ty, node),
    }
}
