//! JSON of a blueprint exactly as Go encodes it, because the controllers hash these bytes.
//!
//! Fields are in the order of the Go types, empty fields are omitted or written according to their
//! types, and quantities the form in which Kubernetes sends them. `fields.txt` lists the types.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::scalar::Quantity;
use crate::sorted::{CompactSort as _, SortedMap};
use crate::tree::{Content, Node, Number};

/// When a field is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// Always. An unset field is the zero value.
    Always,
    /// Always. An unset field is `null`.
    OrNull,
    /// If the field is set, even to the zero value.
    Pointer,
    /// If the value is not zero.
    NotZero,
}

/// The type of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    One,
    List,
    Map,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) written: Written,
    pub(super) shape: Shape,
    /// The name of the type of the value or of its items. Empty for scalars.
    pub(super) ty: &'static str,
}

static TYPES: LazyLock<SortedMap<&'static str, Vec<Field>>> = LazyLock::new(|| {
    let lines = include_str!("fields.txt").lines().filter(|it| !it.starts_with('#'));
    let types = lines.filter_map(|line| line.split_once(':'));
    types
        .map(|(name, fields)| (name, fields.split_whitespace().map(parse_field).collect()))
        .collect()
});

/// The fields of a type, in the order of Go.
pub(super) fn fields_of(ty: &str) -> &'static [Field] {
    TYPES.get(ty).map_or(&[][..], Vec::as_slice)
}

fn parse_field(text: &'static str) -> Field {
    let (head, ty) = text.split_once('=').unwrap_or((text, ""));
    let (head, shape) = match (head.strip_suffix("[]"), head.strip_suffix("{}")) {
        (Some(head), _) => (head, Shape::List),
        (None, Some(head)) => (head, Shape::Map),
        (None, None) => (head, Shape::One),
    };
    let name = head.trim_end_matches(['!', '?', '*']);
    let written = match head.as_bytes().last() {
        Some(b'!') => Written::Always,
        Some(b'?') => Written::OrNull,
        Some(b'*') => Written::Pointer,
        _ => Written::NotZero,
    };
    Field { name, written, shape, ty }
}

/// The JSON of a value of a type in `fields.txt`. An absent value counts as empty.
pub(super) fn to_json(ty: &str, node: Option<&Node>) -> String {
    let mut out = String::new();
    write_object(ty, node, &mut out);
    out
}

fn write_object(ty: &str, node: Option<&Node>, out: &mut String) {
    out.push('{');
    let start = out.len();
    for field in fields_of(ty) {
        let value = node.and_then(|it| it.get(field.name));
        let is_written = match field.written {
            Written::Always | Written::OrNull => true,
            Written::Pointer => value.is_some(),
            Written::NotZero => value.is_some_and(|value| !is_zero(value)),
        };
        if !is_written {
            continue;
        }
        if out.len() > start {
            out.push(',');
        }
        write_string(field.name, out);
        out.push(':');
        match (value, field.written) {
            (None, Written::OrNull) => out.push_str("null"),
            _ => write_field(field, value, out),
        }
    }
    out.push('}');
}

/// A quantity as Go encodes it; the string itself if it is not a quantity.
pub(super) fn sent_quantity(text: String) -> String {
    match Quantity::sent(&text) {
        Ok(sent) => sent,
        Err(_) => text,
    }
}

fn write_field(field: &Field, value: Option<&Node>, out: &mut String) {
    match (field.shape, value) {
        (Shape::One, value) => write_value(field.ty, value, out),
        (_, None) => out.push_str("null"),
        (Shape::List, Some(list)) => {
            out.push('[');
            for (index, item) in list.items().iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(field.ty, Some(item), out);
            }
            out.push(']');
        }
        (Shape::Map, Some(map)) => {
            let mut entries: Vec<_> = map.entries().iter().collect();
            entries.compact_sort_by(|a, b| a.key().cmp(b.key()));
            out.push('{');
            for (index, entry) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(entry.key(), out);
                out.push(':');
                write_value(field.ty, Some(entry.value()), out);
            }
            out.push('}');
        }
    }
}

fn write_value(ty: &str, value: Option<&Node>, out: &mut String) {
    match ty {
        "" => write_scalar(value, out),
        "Q" => {
            let text = value.map_or_else(|| "0".to_owned(), scalar_text);
            write_string(&sent_quantity(text), out);
        }
        ty => write_object(ty, value, out),
    }
}

fn write_scalar(value: Option<&Node>, out: &mut String) {
    let Some(value) = value.filter(|value| !value.is_null()) else { return out.push_str("\"\"") };
    match value.as_str() {
        Some(text) => write_string(text, out),
        None => out.push_str(&scalar_text(value)),
    }
}

/// A scalar as a string.
pub(super) fn scalar_text(node: &Node) -> String {
    node.as_str().map_or_else(|| node.to_json().to_string(), str::to_owned)
}

/// Whether Go reads a value as the zero value of its type.
pub(super) fn is_zero(node: &Node) -> bool {
    match node.content() {
        Content::Null => true,
        Content::Bool(value) => !value,
        Content::Number(number) => matches!(number, Number::Int(0)),
        Content::String(text) => text.is_empty(),
        Content::List(items) => items.is_empty(),
        Content::Map(entries) => entries.is_empty(),
    }
}

/// Writes a string with the escapes of `encoding/json`, which also escapes HTML markup characters.
fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scalar::name_hash;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn node(json: serde_json::Value) -> Node {
        Node::from_json(json, Origin::source(Workspace::new().start()))
    }

    #[test]
    fn each_type_of_a_field_is_listed() {
        for (name, fields) in TYPES.iter() {
            for field in fields.iter().filter(|field| !matches!(field.ty, "" | "Q")) {
                assert!(TYPES.contains_key(field.ty), "{name}.{}: {}", field.name, field.ty);
            }
        }
    }

    #[test]
    fn the_smallest_blueprint_has_the_recorded_hashes() {
        let spec = node(json!({"podTemplate": {"spec": {"containers": [
            {"name": "main", "image": "busybox"}]}}}));
        let pod = to_json("PodTemplate", spec.get("podTemplate"));
        let expected = "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"busybox\",\
            \"resources\":{}}]},\"metadata\":{}}";
        assert_eq!(pod, expected);
        assert_eq!(name_hash(&pod), "7e0047e9");
        assert_eq!(name_hash(&to_json("SandboxBlueprint", Some(&spec))), "26837710");
    }

    #[test]
    fn a_rich_blueprint_has_the_recorded_hashes() {
        // Keys are not in the order of Go, and quantities are not in canonical form.
        let spec = node(json!({
            "service": true,
            "volumeClaimTemplates": [{
                "spec": {"resources": {"requests": {"storage": "1024Mi"}},
                    "accessModes": ["ReadWriteOnce"]},
                "metadata": {"name": "data"}}],
            "podTemplate": {
                "metadata": {"labels": {"b": "2", "a": "1"}},
                "spec": {
                    "runtimeClassName": "gvisor",
                    "terminationGracePeriodSeconds": 30,
                    "hostNetwork": false,
                    "containers": [{
                        "name": "main",
                        "image": "busybox",
                        "command": ["sh", "-c", "echo <hi> && sleep 1"],
                        "ports": [{"containerPort": 8888, "name": "http", "protocol": "TCP"}],
                        "env": [{"name": "A", "value": ""},
                            {"name": "B", "valueFrom": {"secretKeyRef": {"key": "k", "name": "s"}}}],
                        "resources": {"requests": {"memory": "1Gi", "cpu": 0.5},
                            "limits": {"memory": "2048Mi", "cpu": "1000m"}},
                        "volumeMounts": [{"mountPath": "/data", "name": "data"}],
                        "securityContext": {"runAsNonRoot": true,
                            "capabilities": {"drop": ["ALL"]}}}]}}}));
        assert_eq!(name_hash(&to_json("PodTemplate", spec.get("podTemplate"))), "cb630d4e");
        assert_eq!(name_hash(&to_json("SandboxBlueprint", Some(&spec))), "efcb5a9f");
    }
}
