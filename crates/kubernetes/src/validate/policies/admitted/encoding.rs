//! The encoding of built-in types: Go leaves out empty values of most fields, and always writes
//! others.
//!
//! `encoding.txt` is generated from the Go types by `tools/oracle/fields`. The defaults in
//! `defaults.txt` do not depend on other fields.

use std::sync::LazyLock;

use lean_string::LeanStr;
use serde_json::Value as Json;

use super::Conversion;
use crate::scalar::Quantity;
use crate::schema::{self, KubernetesVersion, Type, definition};
use crate::sorted::SortedMap;
use crate::tree::{Field, Map, Node, Value};

/// The exceptions of a definition.
#[derive(Debug, Default)]
struct Encoding {
    /// Fields that are always written, with their empty values.
    always: Vec<(&'static str, Json)>,
    /// Fields that are written even if they are empty.
    kept: Vec<&'static str>,
    /// The defaults of fields.
    defaults: Vec<(&'static str, Json)>,
}

static ENCODINGS: LazyLock<SortedMap<&'static str, Encoding>> = LazyLock::new(|| {
    let mut encodings: SortedMap<_, Encoding> = SortedMap::new();
    for line in include_str!("encoding.txt").lines() {
        let mut words = line.split(' ');
        let encoding = encodings.entry(words.next().unwrap_or_default()).or_default();
        for word in words {
            match word.strip_prefix('+').and_then(|it| it.split_once('=')) {
                Some((field, value)) => encoding.always.push((field, json_of_text(value))),
                None => encoding.kept.push(word),
            }
        }
    }
    for line in include_str!("defaults.txt").lines() {
        let mut words = line.splitn(3, ' ');
        if let (Some(name), Some(field), Some(value)) = (words.next(), words.next(), words.next()) {
            encodings.entry(name).or_default().defaults.push((field, json_of_text(value)));
        }
    }
    encodings
});

/// A value of the tables.
fn json_of_text(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

impl Conversion {
    /// Converts a value of a type.
    pub(super) fn convert(self, node: &mut Node, ty: Type<'_>) {
        match (ty.base(), &mut node.value) {
            (Type::Object(object), Value::Map(_)) => self.object(node, object),
            (Type::List(list), Value::List(items)) => {
                items.iter_mut().for_each(|item| self.convert(item, list.items));
            }
            (Type::Map(values), Value::Map(map)) => {
                let zero = match values.base() {
                    Type::String(_) => Some(""),
                    Type::Quantity => Some("0"),
                    _ => None,
                };
                for Field { value, .. } in map.fields_mut() {
                    if let Some(zero) = zero.filter(|_| value.is_null()) {
                        *value = Node::string(zero, value.origin());
                    }
                    self.convert(value, *values);
                }
            }
            (Type::Quantity, _) => {
                if let Some(text) = quantity(node) {
                    *node = Node::string(text, node.origin());
                }
            }
            (Type::Int32 | Type::Int64, Value::Float(_)) => {
                if let Some(number) = whole_number(node) {
                    *node = Node::int(number, node.origin());
                }
            }
            _ => {}
        }
    }

    fn object(self, node: &mut Node, object: &schema::Object<'_>) {
        let encoding = ENCODINGS.get(object.name);
        let kept = |key: &str| encoding.is_some_and(|encoding| encoding.kept.contains(&key));
        let always = encoding.map_or(&[][..], |it| &it.always);
        let Some(map) = node.as_map_mut() else { return };
        map.retain(|entry| {
            let is_always = || always.iter().any(|(field, _)| *field == entry.key);
            let is_map = || {
                let property = object.property_in(&entry.key, self.target);
                property.is_some_and(|property| matches!(property.value.base(), Type::Map(_)))
            };
            let is_empty = is_empty(&entry.value) || entry.value.entries().is_empty() && is_map();
            !entry.value.is_null() && (!is_empty || kept(&entry.key) || is_always())
        });
        let is_served = |field: &str| object.property_in(field, self.target).is_some();
        let defaults = encoding.map_or(&[][..], |it| &it.defaults);
        if self.sets_defaults {
            for (field, value) in defaults.iter().filter(|(field, _)| is_served(field)) {
                self.default(map, field, value);
            }
            self.special(node, object.name);
        }
        let Some(map) = node.as_map_mut() else { return };
        for (field, value) in always.iter().filter(|(field, _)| is_served(field)) {
            self.default(map, field, value);
        }
        for field in map.fields_mut() {
            if let Some(property) = object.property_in(field.key, self.target) {
                self.convert(field.value, property.value);
            }
        }
        self.special_after(node, object.name);
    }

    /// Sets an absent field.
    fn default(self, map: &mut Map, field: &str, value: &Json) {
        if map.get(field).is_none_or(Node::is_null) {
            let value = Node::from_json(value.clone(), self.origin);
            map.insert(LeanStr::from(field), self.origin, value);
        }
    }

    /// Converts the metadata of an object whose other fields have no known encoding.
    pub(super) fn metadata(self, root: &mut Node) {
        let definition = definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        if let Some(definition) = definition
            && let Some(metadata) = root.map_mut("metadata", self.origin)
        {
            self.convert(metadata, Type::Object(definition));
        }
    }
}

/// Whether Go leaves the value out with `omitempty`. An empty object has a pointer.
pub(super) fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::Bool(is_set) => !is_set,
        Value::Int(number) => *number == 0,
        Value::Float(number) => *number == 0.0,
        Value::String(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        _ => false,
    }
}

/// The canonical form of a quantity.
pub(super) fn quantity(node: &Node) -> Option<String> {
    let text = match &node.value {
        Value::String(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        _ => return None,
    };
    Quantity::sent(&text).ok()
}

/// The integer that a number such as `5.0` represents.
fn whole_number(node: &Node) -> Option<i64> {
    let text = match &node.value {
        Value::Float(number) => number.to_string(),
        _ => return None,
    };
    text.parse().ok()
}

/// Whether all supported versions write the zero time.
pub(super) fn writes_zero_times(target: KubernetesVersion) -> bool {
    target.minor() < 34
}
