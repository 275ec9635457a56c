//! Identity of values: the text of a value, and of the fields by which list items are distinguished.

use std::fmt::Write as _;

use crate::schema::{Object, Type};
use crate::tree::{Node, Value};

/// A text that is the same for equal values and only for them. A key with `null` counts as absent.
pub(super) fn fingerprint(node: &Node) -> String {
    let mut text = String::new();
    write_value(node, &mut text);
    text
}

fn write_value(node: &Node, out: &mut String) {
    // Writing to a `String` cannot fail.
    let _ = match &node.value {
        Value::Null => out.write_str("~"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::UInt(value) => write!(out, "{value}"),
        Value::Float(value) => write!(out, "f{}", value.to_bits()),
        // With its length in front, text cannot imitate what follows it.
        Value::String(text) => write!(out, "\"{}:{text}", text.len()),
        Value::List(items) => {
            out.push('[');
            for item in items {
                write_value(item, out);
                out.push(',');
            }
            out.write_str("]")
        }
        Value::Map(map) => {
            let mut entries: Vec<_> =
                map.entries.iter().filter(|entry| !entry.value.is_null()).collect();
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for entry in entries {
                let _ = write!(out, "{}:{}", entry.key.len(), entry.key);
                write_value(&entry.value, out);
                out.push(',');
            }
            out.write_str("}")
        }
    };
}

/// The identity of a list's item, or the first key that it lacks.
///
/// A key that is left out takes the API server's default (`protocol` is `TCP`), as in server-side
/// apply.
pub(super) fn identity<'k>(
    item: &Node,
    keys: &[&'k str],
    items: Type<'_>,
) -> Result<String, &'k str> {
    let object = match items {
        Type::Object(object) => Some(object),
        _ => None,
    };
    let mut identity = String::new();
    for key in keys {
        match item.get(key) {
            Some(value) => write_value(value, &mut identity),
            None => match object.and_then(|object| default_of(object, key, item)) {
                Some(value) => write_value(&value, &mut identity),
                None => return Err(key),
            },
        }
        identity.push(',');
    }
    Ok(identity)
}

fn default_of(object: &Object<'_>, key: &str, item: &Node) -> Option<Node> {
    let json = serde_json::from_str(object.property(key)?.default?).ok()?;
    Some(Node::from_json(json, item.origin()))
}
