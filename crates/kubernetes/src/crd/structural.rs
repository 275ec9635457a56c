//! Builds the structural schema of one version of a described kind.

use super::description::{Default, Field, Kind, Limits, Record, Rule, TextLimits, Value};
use super::embed;
use super::plant::Plant;
use crate::sorted::CompactSort as _;
use crate::tree::Node;

/// The entries of a schema node.
type Keywords = Vec<(&'static str, Node)>;

/// The schema of the whole object.
pub(super) fn root(plant: Plant, kind: &Kind, version: &str) -> Node {
    let text = || plant.map([("type", plant.text("string"))]);
    let mut properties = vec![
        ("apiVersion", text()),
        ("kind", text()),
        // The API server has the schema of metadata itself, and rejects a definition that declares
        // more of it.
        ("metadata", plant.map([("type", plant.text("object"))])),
        ("spec", record_schema(plant, kind.spec, version)),
    ];
    if let Some(status) = kind.status {
        properties.push(("status", record_schema(plant, status, version)));
    }
    plant.map([
        ("properties", plant.map(properties)),
        ("required", plant.texts(["spec"])),
        ("type", plant.text("object")),
    ])
}

fn record_schema(plant: Plant, record: &Record, version: &str) -> Node {
    let fields = || record.fields.iter().filter(|field| field.versions.contains(version));
    let mut keywords = vec![
        (
            "properties",
            plant.map(fields().map(|field| (field.name, field_schema(plant, field, version)))),
        ),
        ("type", plant.text("object")),
    ];
    let mut required: Vec<_> = fields().filter(|it| it.required).map(|it| it.name).collect();
    if !required.is_empty() {
        required.sort_unstable();
        keywords.push(("required", plant.texts(required)));
    }
    let own_rules = record.rules.iter().filter(|rule| rule.versions.contains(version));
    let texts = |rule: &Rule| [("message", rule.message), ("rule", rule.expression)];
    let rules: Vec<_> = own_rules
        .map(|rule| plant.map(texts(rule).map(|(key, text)| (key, plant.text(text)))))
        .collect();
    if !rules.is_empty() {
        keywords.push(("x-kubernetes-validations", plant.list(rules)));
    }
    plant.map(keywords)
}

fn field_schema(plant: Plant, field: &Field, version: &str) -> Node {
    let mut schema = value_schema(plant, field.value, version);
    match field.default {
        Some(Default::Text(text)) => schema.set("default", plant.text(text)),
        Some(Default::Int(number)) => schema.set("default", plant.int(number)),
        None => return schema,
    }
    if let Some(map) = schema.as_map_mut() {
        map.edit(|entries| entries.compact_sort_by(|a, b| a.key.cmp(&b.key)));
    }
    schema
}

fn value_schema(plant: Plant, value: Value, version: &str) -> Node {
    let typed = |name: &str| ("type", plant.text(name));
    let keywords: Keywords = match value {
        Value::Bool => vec![typed("boolean")],
        Value::Int32(limits) => integer_keywords(plant, "int32", limits),
        Value::Int64(limits) => integer_keywords(plant, "int64", limits),
        Value::Text => vec![typed("string")],
        Value::LimitedText(limits) => text_keywords(plant, limits),
        Value::Time => vec![("format", plant.text("date-time")), typed("string")],
        Value::Choice(values) => {
            vec![("enum", plant.texts(values.iter().copied())), typed("string")]
        }
        Value::TextMap => {
            vec![("additionalProperties", plant.map([typed("string")])), typed("object")]
        }
        Value::List(items) => {
            vec![("items", value_schema(plant, *items, version)), typed("array")]
        }
        Value::AtomicList(items) => vec![
            ("items", value_schema(plant, *items, version)),
            typed("array"),
            ("x-kubernetes-list-type", plant.text("atomic")),
        ],
        Value::Record(it) => return record_schema(plant, it, version),
        Value::Builtin(name) => return embed::definition(plant, name),
    };
    plant.map(keywords)
}

fn integer_keywords(plant: Plant, format: &str, limits: Limits) -> Keywords {
    let mut keywords = vec![("format", plant.text(format)), ("type", plant.text("integer"))];
    keywords.extend(limits.minimum.map(|limit| ("minimum", plant.int(limit))));
    keywords.extend(limits.maximum.map(|limit| ("maximum", plant.int(limit))));
    keywords
}

fn text_keywords(plant: Plant, limits: TextLimits) -> Keywords {
    let mut keywords = vec![("type", plant.text("string"))];
    keywords.extend(limits.min_length.map(|limit| ("minLength", plant.int(limit))));
    keywords.extend(limits.max_length.map(|limit| ("maxLength", plant.int(limit))));
    keywords.extend(limits.pattern.map(|pattern| ("pattern", plant.text(pattern))));
    keywords
}
