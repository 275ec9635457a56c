//! Identity of values, and of list items by their key fields.

use std::fmt::Write as _;

use crate::schema::{Object, Type};
use crate::tree::{Entry, Node, Value};

/// A string that is equal exactly for equal values. A key with `null` counts as absent.
pub(super) fn fingerprint(node: &Node) -> String {
    let mut text = String::new();
    write_value(node, &mut text);
    text
}

fn write_value(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push('~'),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        // Writing to a `String` cannot fail.
        Value::Int(value) => drop(write!(out, "{value}")),
        Value::UInt(value) => drop(write!(out, "{value}")),
        Value::Float(value) => drop(write!(out, "f{}", value.to_bits())),
        Value::String(text) => {
            out.push('"');
            write_text(text, out);
        }
        Value::List(items) => {
            out.push('[');
            for item in items {
                write_value(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Map(map) => {
            let entries = map.entries.iter().filter(|entry| !entry.value.is_null());
            out.push('{');
            if entries.clone().is_sorted_by(|a, b| a.key < b.key) {
                write_entries(entries, out);
            } else {
                let mut entries: Vec<_> = entries.collect();
                entries.sort_by(|a, b| a.key.cmp(&b.key));
                write_entries(entries.into_iter(), out);
            }
            out.push('}');
        }
    }
}

fn write_entries<'n>(entries: impl Iterator<Item = &'n Entry>, out: &mut String) {
    for entry in entries {
        write_text(&entry.key, out);
        write_value(&entry.value, out);
        out.push(',');
    }
}

/// Writes the length and the text: the length keeps a text from imitating the values after it. The
/// formatter of numbers would take most of the time of a merge, so the digits are written directly.
fn write_text(text: &str, out: &mut String) {
    let mut rest = text.len();
    // The last digit is first: the order does not matter for a comparison.
    loop {
        out.push(char::from(b'0' + u8::try_from(rest % 10).unwrap_or(0)));
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.push(':');
    out.push_str(text);
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
