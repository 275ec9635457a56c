//! The values of expressions that return patches.
//!
//! Follows k8s.io/apiserver, `pkg/cel/mutation`.

use super::value::{Key, List, Map, Patch, Value};
use super::{Stop, work};
use crate::limits::Fuel;
use crate::tree::{self, Node, Origin};

/// An operation of a JSON Patch.
#[derive(Clone, PartialEq, Debug)]
pub struct Operation {
    /// The operation of RFC 6902: `add`, `remove`, `replace`, `move`, `copy` or `test`.
    pub op: String,
    /// The JSON pointer that is changed.
    pub path: String,
    /// The JSON pointer that is moved or copied.
    pub from: String,
    /// The value to add, replace or compare.
    pub value: Option<Node>,
}

/// The configuration that an expression returns.
pub(super) fn configuration(
    value: &Value<'_>,
    origin: Origin,
    fuel: &Fuel<'_>,
) -> Result<Node, Stop> {
    work::read(fuel, value)?;
    check_names(value, "Object")?;
    node_of_value(value, origin)
}

/// The operations that an expression returns.
pub(super) fn operations(
    value: &Value<'_>,
    origin: Origin,
    fuel: &Fuel<'_>,
) -> Result<Vec<Operation>, Stop> {
    let Value::List(list) = value else { return Err(Stop::no_overload()) };
    work::read(fuel, value)?;
    let mut operations = Vec::with_capacity(list.len());
    for item in list.items()? {
        let Value::Patch(patch) = item else { return Err(Stop::no_overload()) };
        let text = |field: &str| match patch.fields.get(field) {
            None => Ok(String::new()),
            Some(Value::String(it)) => Ok(it.to_string()),
            Some(_) => Err(Stop::no_overload()),
        };
        let value = patch.fields.get("value");
        if let Some(Value::Patch(inner)) = value {
            let name = inner.name.clone();
            check_names(&Value::Patch(inner.clone()), &name)?;
        }
        operations.push(Operation {
            op: text("op")?,
            path: text("path")?,
            from: text("from")?,
            value: value.map(|value| node_of_value(value, origin)).transpose()?,
        });
    }
    Ok(operations)
}

/// Checks that the name of a type is the path of its field: `Object.spec` for `spec`.
fn check_names(value: &Value<'_>, path: &str) -> Result<(), Stop> {
    match value {
        Value::Patch(object) => {
            let Patch { name, fields } = &**object;
            if name != path {
                return Err(Stop::error(format!(
                    "type mismatch: unexpected type name {name:?}, expected {path:?}, which \
                     matches field name path from root Object type"
                )));
            }
            fields
                .iter()
                .try_for_each(|(field, value)| check_names(value, &format!("{path}.{field}")))
        }
        Value::List(List::Made(items)) => items.iter().try_for_each(|item| check_names(item, path)),
        Value::Map(Map::Made(entries)) => {
            entries.values().try_for_each(|value| check_names(value, path))
        }
        _ => Ok(()),
    }
}

/// A value as a tree, whose new nodes have this origin.
fn node_of_value(value: &Value<'_>, origin: Origin) -> Result<Node, Stop> {
    let made = |value| Ok(Node::new(value, origin));
    match value {
        Value::Null => made(tree::Value::Null),
        Value::Bool(it) => made(tree::Value::Bool(*it)),
        Value::Int(it) => made(tree::Value::Int(*it)),
        Value::Uint(it) => made(tree::Value::UInt(*it)),
        Value::Double(it) => made(tree::Value::Float(*it)),
        Value::String(it) => made(tree::Value::String(it.clone())),
        Value::List(list) => {
            let items = list.items()?;
            let items: Result<Vec<_>, _> =
                items.iter().map(|item| node_of_value(item, origin)).collect();
            Ok(Node::list(items?, origin))
        }
        Value::Map(Map::Read(map, _)) => made(tree::Value::Map((*map).clone())),
        Value::Map(Map::Made(entries)) => {
            let pairs = entries.iter().map(|(key, value)| match key {
                Key::String(key) => Ok((key.clone(), node_of_value(value, origin)?)),
                _ => Err(Stop::error("map key is not a string")),
            });
            let mut map = Node::map(origin);
            map.set_all(pairs.collect::<Result<Vec<_>, _>>()?);
            Ok(map)
        }
        Value::Patch(patch) => {
            let mut map = Node::map(origin);
            for (field, value) in &patch.fields {
                map.set(field.clone(), node_of_value(value, origin)?);
            }
            Ok(map)
        }
        Value::Unknown(what) => Err(Stop::unsupported(what)),
        _ => Err(Stop::unsupported("the form of a value in a patch")),
    }
}
