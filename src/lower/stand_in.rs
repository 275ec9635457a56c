//! Values in place of the required fields that a definition lacks, so that the rest of it can be read.

use crate::expand::Gaps;
use crate::schema::{Object, Type};
use crate::tree::{Node, Origin, Value};

/// The string in place of a missing one.
const TEXT: &str = "unnamed";

/// Sets the required fields that are missing in a tree. They are gaps: what is reported about them is
/// not about the definition.
pub(super) fn fill_required(node: &mut Node, ty: Type<'_>, gaps: &mut Gaps) {
    match (&mut node.value, ty.base()) {
        (Value::List(items), Type::List(list)) => {
            items.iter_mut().for_each(|item| fill_required(item, list.items, gaps));
        }
        (Value::Map(map), Type::Map(values)) => {
            map.fields_mut().for_each(|field| fill_required(field.value, *values, gaps));
        }
        (Value::Map(_), Type::Object(object)) => fill_object(node, object, gaps),
        (Value::Map(_), Type::NameOr(inline)) => fill_required(node, *inline, gaps),
        _ => {}
    }
}

fn fill_object(node: &mut Node, object: &Object<'_>, gaps: &mut Gaps) {
    let origin = node.origin();
    for property in object.properties {
        if let Some(value) = node.get_mut(property.name) {
            fill_required(value, property.value, gaps);
        } else if property.is_required {
            let value = stand_in_for(property.value, origin);
            let Some(mut value) = value else { continue };
            fill_required(&mut value, property.value, gaps);
            node.set(property.name, value);
            gaps.add(origin.span());
        }
    }
}

fn stand_in_for(ty: Type<'_>, origin: Origin) -> Option<Node> {
    Some(match ty.base() {
        Type::String(_) | Type::NameOr(_) => Node::string(TEXT, origin),
        Type::Enum(values) | Type::Choice(values) => Node::string(values.first()?.value, origin),
        Type::Int32 | Type::Int64 | Type::Number | Type::IntOrString | Type::Quantity => {
            Node::int(1, origin)
        }
        Type::Bool => Node::bool(false, origin),
        Type::List(_) => Node::list([], origin),
        Type::Map(_) | Type::Object(_) => Node::map(origin),
        Type::Any | Type::Reference(_) | Type::Constrained(_) => return None,
    })
}
