//! Quantities of definitions that are written as fractions: `cpu: 0.5`.
//!
//! The API server accepts the number in a Pod, and only integers and strings in a custom resource.

use crate::schema::{Type, visit_children};
use crate::tree::{Node, Value};

/// Makes strings of fractions where quantities belong.
pub(super) fn as_strings(node: &mut Node, ty: Type<'_>) {
    // Few definitions have any.
    if node.has(|value| matches!(value, Value::Float(_))) {
        replace_fractions(node, ty);
    }
}

fn replace_fractions(node: &mut Node, ty: Type<'_>) {
    if let (Value::Float(number), Type::Quantity) = (&node.value, ty.base()) {
        node.value = Value::String(number.to_string().into());
    }
    visit_children(node, ty, replace_fractions);
}
