//! Identity of values, and of list items by their key fields.

use std::fmt::Write as _;

use crate::schema::{Object, Type};
use crate::tree::{Node, Value};

/// A string that is equal exactly for equal values. A key with `null` counts as absent.
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
        // The length prefix keeps a string from imitating the values after it.
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
/// An absent key has the API server's default (`protocol` is `TCP`), as in server-side apply.
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
