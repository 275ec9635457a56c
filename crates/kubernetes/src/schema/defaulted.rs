//! The object that alternatives in a schema see: the API server sets defaults before it validates (apiextensions-apiserver,
//! `pkg/apiserver/schema/defaulting`).

use super::{Constrained, Constraint, Type};
use crate::tree::Node;

/// A map with the defaults of its properties, if its schema has alternatives and sets any of them.
pub(super) fn defaulted(constrained: &Constrained<'_>, node: &Node) -> Option<Node> {
    let is_junctor = |it: &Constraint<'_>| {
        use Constraint::{AllOf, AnyOf, ExactlyOneOf, Not};
        matches!(it, AllOf(_) | AnyOf(_) | ExactlyOneOf(_) | Not(_))
    };
    if !constrained.constraints.iter().any(is_junctor) {
        return None;
    }
    with_defaults(constrained.base, node)
}

fn with_defaults(ty: Type<'_>, node: &Node) -> Option<Node> {
    let Type::Object(object) = ty.base() else { return None };
    node.as_map()?;
    let mut filled = None;
    for property in object.properties {
        let value = match (node.get(property.name), property.default) {
            (Some(value), _) => with_defaults(property.value, value),
            (None, Some(default)) => {
                let json = serde_json::from_str(default).ok();
                json.map(|json| Node::from_json(json, node.origin()))
            }
            (None, None) => None,
        };
        if let Some(value) = value {
            filled.get_or_insert_with(|| node.clone()).set(property.name, value);
        }
    }
    filled
}
