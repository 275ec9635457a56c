//! Identity of values, and of list items by their key fields.

use crate::schema::{Object, Type};
use crate::tree::{Entry, Map, Node, Value};

/// Bytes that are equal exactly for equal values. A key with `null` counts as absent.
pub(crate) fn fingerprint(node: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_value(node, &mut bytes);
    bytes
}

/// Whether two values have one fingerprint. Different ones mostly differ early.
pub(super) fn are_equal(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::String(one), Value::String(other)) => one == other,
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| are_equal(a, b))
        }
        (Value::Map(one), Value::Map(other)) => {
            let fields =
                |map: &Map| map.entries().iter().filter(|entry| !entry.value.is_null()).count();
            let is_in_other = |entry: &Entry| {
                let found = other.get(&entry.key);
                entry.value.is_null() || found.is_some_and(|other| are_equal(&entry.value, other))
            };
            fields(one) == fields(other) && one.entries().iter().all(is_in_other)
        }
        _ => fingerprint(one) == fingerprint(other),
    }
}

fn write_value(node: &Node, out: &mut Vec<u8>) {
    match &node.value {
        Value::Null => out.push(b'~'),
        Value::Bool(value) => out.extend([b'b', u8::from(*value)]),
        // Equal numbers of the two integer types are equal.
        Value::Int(value) => write_number(b'i', i128::from(*value), out),
        Value::UInt(value) => write_number(b'i', i128::from(*value), out),
        Value::Float(value) => write_number(b'f', i128::from(value.to_bits()), out),
        Value::String(text) => {
            out.push(b'"');
            write_text(text, out);
        }
        Value::List(items) => {
            out.push(b'[');
            items.iter().for_each(|item| write_value(item, out));
            out.push(b']');
        }
        Value::Map(map) => {
            let entries = map.entries().iter().filter(|entry| !entry.value.is_null());
            out.push(b'{');
            if entries.clone().is_sorted_by(|a, b| a.key.text() < b.key.text()) {
                write_entries(entries, out);
            } else {
                let mut sorted: Vec<_> = entries.collect();
                sorted.sort_by(|a, b| a.key.cmp(&b.key));
                write_entries(sorted.into_iter(), out);
            }
            out.push(b'}');
        }
    }
}

fn write_entries<'n>(entries: impl Iterator<Item = &'n Entry>, out: &mut Vec<u8>) {
    for entry in entries {
        out.push(b':');
        write_text(&entry.key, out);
        write_value(&entry.value, out);
    }
}

fn write_number(kind: u8, value: i128, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend(value.to_le_bytes());
}

/// Writes the length and the text: the length keeps a text from imitating the values after it.
fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend(text.len().to_le_bytes());
    out.extend(text.as_bytes());
}

/// The identity of a list's item, or the first key that it lacks.
///
/// An absent key has the API server's default (`protocol` is `TCP`), as in server-side apply.
pub(crate) fn identity<'k>(
    item: &Node,
    keys: &[&'k str],
    items: Type<'_>,
) -> Result<Vec<u8>, &'k str> {
    let object = match items {
        Type::Object(object) => Some(object),
        _ => None,
    };
    let mut identity = Vec::new();
    for key in keys {
        match item.get(key) {
            Some(value) => write_value(value, &mut identity),
            None => match object.and_then(|object| default_value(object, key, item)) {
                Some(value) => write_value(&value, &mut identity),
                None => return Err(key),
            },
        }
    }
    Ok(identity)
}

fn default_value(object: &Object<'_>, key: &str, item: &Node) -> Option<Node> {
    let json = serde_json::from_str(object.property(key)?.default?).ok()?;
    Some(Node::from_json(json, item.origin()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{are_equal, fingerprint};
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    fn node(json: Json) -> Node {
        Node::from_json(json, Origin::source(Workspace::new().start()))
    }

    fn fingerprint_of(json: Json) -> Vec<u8> {
        fingerprint(&node(json))
    }

    #[test]
    fn only_equal_values_have_one_fingerprint() {
        let values = [
            json!(null),
            json!(true),
            json!(1),
            json!(1.0),
            json!("1"),
            json!("\"1"),
            json!([]),
            json!([1]),
            json!([[1]]),
            json!([1, "]"]),
            json!({}),
            json!({"a": 1}),
            json!({"a": "1:b2"}),
            json!({"a": 1, "b": 2}),
            json!({"a": {"b": 2}}),
            json!({"ab": 2}),
            json!(18_446_744_073_709_551_615_u64),
            json!(-1),
        ];
        for (at, value) in values.iter().enumerate() {
            for (other_at, other) in values.iter().enumerate() {
                let is_one = fingerprint_of(value.clone()) == fingerprint_of(other.clone());
                assert_eq!(is_one, at == other_at, "{value} and {other}");
                let (value, other) = (node(value.clone()), node(other.clone()));
                assert_eq!(are_equal(&value, &other), is_one, "{value:?} and {other:?}");
            }
        }
        let equal = [
            (json!({"b": 2, "a": 1}), json!({"a": 1, "b": 2}), "in any order"),
            (json!({"a": null}), json!({}), "a key with null is absent"),
            (json!([{"a": null, "b": 2}]), json!([{"b": 2, "c": null}]), "on both sides"),
        ];
        for (one, other, why) in equal {
            assert_eq!(fingerprint_of(one.clone()), fingerprint_of(other.clone()), "{why}");
            assert!(are_equal(&node(one), &node(other)), "{why}");
        }
    }
}
