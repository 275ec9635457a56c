//! Converts typed Kubernetes structs to nodes, for built-in layers.

use lean_string::LeanStr;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::serializer::Nodes;
use super::{Entry, Node, Number, Origin, Value};

impl Node {
    /// Converts a typed value to a tree whose nodes have the same origin.
    ///
    /// # Errors
    /// If the value contains a tuple, an enum with data, or a key that is not a string. Kubernetes
    /// structs do not.
    pub fn from_serde<T: Serialize>(value: &T, origin: Origin) -> Result<Self, serde_json::Error> {
        value.serialize(Nodes(origin))
    }

    /// Converts a struct of a built-in layer to a tree whose nodes have the same origin.
    ///
    /// A struct that cannot be converted becomes a string with the reason. No schema has a string at
    /// the place of a struct, so the schema check reports it as `internal`.
    pub fn built_in<T: Serialize>(value: &T, origin: Origin) -> Self {
        Self::from_serde(value, origin)
            .unwrap_or_else(|error| Self::string(format!("not converted: {error}"), origin))
    }

    /// Converts a JSON value to a tree whose nodes have the same origin.
    #[must_use]
    pub fn from_json(json: serde_json::Value, origin: Origin) -> Self {
        let value = match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(value),
            serde_json::Value::Number(number) => from_json_number(&number).into(),
            serde_json::Value::String(text) => Value::String(LeanStr::from(text)),
            serde_json::Value::Array(items) => {
                Value::List(items.into_iter().map(|item| Self::from_json(item, origin)).collect())
            }
            serde_json::Value::Object(fields) => {
                let entries = fields
                    .into_iter()
                    .map(|(key, value)| Entry::new(key, origin, Self::from_json(value, origin)))
                    .collect();
                Value::Map(entries)
            }
        };
        Self::new(value, origin)
    }

    /// The JSON of the value for a message, or the type of a large one.
    #[must_use]
    pub fn brief_json(&self) -> String {
        const LARGEST: usize = 1_000;
        if self.weight() > LARGEST {
            return self.describe().to_owned();
        }
        self.json_text()
    }

    /// The JSON of the value, with keys in their order.
    #[must_use]
    pub fn json_text(&self) -> String {
        // Serialization only fails for keys that are not strings, or a failing `Serialize`.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A string that is equal for equal values, whatever the order of their keys.
    #[must_use]
    pub fn identity(&self) -> String {
        let mut json = self.to_json();
        json.sort_all_objects();
        json.to_string()
    }

    /// Converts the tree to JSON, without origins.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => (*value).into(),
            Value::UInt(value) => (*value).into(),
            Value::Float(value) => (*value).into(),
            Value::String(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Map(map) => map
                .entries()
                .iter()
                .map(|entry| (entry.key.to_string(), entry.value.to_json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// Serializes the value without origins.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::UInt(value) => serializer.serialize_u64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(map) => {
                let mut fields = serializer.serialize_map(Some(map.entries().len()))?;
                for entry in map.entries() {
                    fields.serialize_entry(entry.key.as_str(), &entry.value)?;
                }
                fields.end()
            }
        }
    }
}

fn from_json_number(number: &serde_json::Number) -> Number {
    number
        .as_i64()
        .map(Number::Int)
        .or_else(|| number.as_u64().map(Number::UInt))
        .or_else(|| number.as_f64().map(Number::Float))
        .unwrap_or(Number::Int(0))
}
