//! `Shape`: the type and the maximum size of a value, as rules see it through a structural schema.
//!
//! Follows `SchemaDeclType` of k8s.io/apiserver, `pkg/cel/common/schemas.go`.

use std::borrow::Cow;
use std::sync::Arc;

use lean_string::LeanStr;

use super::parser::RESERVED;
use super::types::Type;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, Value};

/// The largest request that the API server reads, in bytes.
const LARGEST_REQUEST: u64 = 3 * 1024 * 1024;

/// The type of a value of a custom resource.
#[derive(Debug)]
pub struct Shape {
    /// The kind of the value.
    pub(super) kind: ShapeKind,
    /// The maximum number of characters, items or entries.
    pub(super) largest: u64,
    /// The minimum size as JSON, in bytes.
    pub(super) smallest: u64,
}

/// The shape of a value without a schema: of the objects of an admission request.
pub(super) static ANY: Shape = Shape { kind: ShapeKind::Any, largest: 0, smallest: 0 };

/// The kinds of shapes.
#[derive(Debug)]
pub(super) enum ShapeKind {
    /// Any value. All fields are accessible, without escaping, and `null` is a value.
    Any,
    /// `x-kubernetes-int-or-string`.
    IntOrString,
    Bool,
    Int,
    Double,
    String,
    Bytes,
    /// A date or a timestamp.
    Timestamp,
    Duration,
    List {
        items: Arc<Shape>,
        identity: Identity,
    },
    Map {
        values: Arc<Shape>,
        /// Whether a `null` is a value; otherwise the API server drops its key.
        keeps_null: bool,
    },
    /// An object.
    Object(Fields),
}

/// The fields of an object.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// The fields that rules can access, by their escaped names.
    visible: SortedMap<LeanStr, Field>,
    /// The fields whose type is not declared, which rules cannot access.
    hidden: SortedSet<LeanStr>,
}

/// A field that rules can access.
#[derive(Debug)]
pub(super) struct Field {
    /// The key in the object, without escaping.
    pub(super) key: LeanStr,
    pub(super) shape: Arc<Shape>,
}

/// The criterion for equality of two lists.
#[derive(Debug)]
pub(super) enum Identity {
    /// Equal items in the same order.
    Atomic,
    /// Equal items in any order.
    Set,
    /// Equal items with the same keys, in any order.
    Keys(Vec<LeanStr>),
}

impl Shape {
    /// The shape of a value of `schema`; `None` if rules cannot access such a value.
    pub fn of(schema: &Node, is_root: bool) -> Option<Arc<Self>> {
        let made = |kind, largest, smallest| Some(Arc::new(Self { kind, largest, smallest }));
        if schema.is_true("x-kubernetes-int-or-string") {
            let largest = size_limit(schema, "maxLength").map(|it| it.saturating_mul(4));
            return made(ShapeKind::IntOrString, largest.unwrap_or(LARGEST_REQUEST - 2), 1);
        }
        let name = if is_root { Some("object") } else { schema.str_at(&["type"]) };
        match name? {
            "boolean" => made(ShapeKind::Bool, 0, 4),
            "integer" => made(ShapeKind::Int, 0, 1),
            "number" => made(ShapeKind::Double, 0, 1),
            "string" => {
                let (kind, largest, smallest) = text_shape(schema);
                made(kind, largest, smallest)
            }
            "array" => {
                let items = Self::of_nested(schema.get("items")?)?;
                let largest = size_limit(schema, "maxItems")
                    .unwrap_or((LARGEST_REQUEST - 2) / (items.smallest + 1));
                let identity = list_identity(schema);
                made(ShapeKind::List { items, identity }, largest, 2)
            }
            "object" => {
                let values = schema.get("additionalProperties").filter(|_| !is_root);
                match values.filter(|values| matches!(values.value, Value::Map(_))) {
                    Some(values) => {
                        let keeps_null = values.is_true("nullable");
                        let values = Self::of_nested(values)?;
                        let largest = size_limit(schema, "maxProperties")
                            .unwrap_or((LARGEST_REQUEST - 2) / (values.smallest + 6));
                        made(ShapeKind::Map { values, keeps_null }, largest, 2)
                    }
                    None => Some(Arc::new(object_shape(schema, is_root))),
                }
            }
            _ => None,
        }
    }

    /// The shape of a nested schema.
    fn of_nested(schema: &Node) -> Option<Arc<Self>> {
        Self::of(schema, schema.is_true("x-kubernetes-embedded-resource"))
    }

    /// The field that rules call `name`; a reserved word matches itself as well.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        match self.declared(name) {
            None if is_keyword(name) => self.declared(&escape(name)?),
            found => found,
        }
    }

    /// The field with exactly this escaped name.
    pub(super) fn declared(&self, name: &str) -> Option<&Field> {
        self.fields()?.visible.get(name)
    }

    /// The names of all fields.
    pub(super) fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields().into_iter().flat_map(|fields| fields.visible.keys()).map(LeanStr::as_str)
    }

    /// Whether there is such a field whose type is not declared.
    pub(super) fn is_hidden(&self, name: &str) -> bool {
        self.fields().is_some_and(|fields| fields.hidden.contains(name))
    }

    /// The shape of the field with this key in the object.
    pub fn property(&self, key: &str) -> Option<&Arc<Self>> {
        self.declared(&escape(key)?).map(|field| &field.shape)
    }

    const fn fields(&self) -> Option<&Fields> {
        match &self.kind {
            ShapeKind::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The shape of the items of a list, and the criterion for its equality.
    pub(super) fn items(&self) -> (&Self, &Identity) {
        match &self.kind {
            ShapeKind::List { items, identity } => (items, identity),
            _ => (&ANY, &Identity::Atomic),
        }
    }

    /// The shape of the items or the values.
    pub fn element(&self) -> Option<&Arc<Self>> {
        match &self.kind {
            ShapeKind::List { items, .. } => Some(items),
            ShapeKind::Map { values, .. } => Some(values),
            _ => None,
        }
    }

    /// The maximum number of values of this shape in one request.
    pub const fn cardinality(&self) -> u64 {
        LARGEST_REQUEST / (self.smallest + 1)
    }

    /// The type of values of this shape.
    pub(super) fn type_of(self: &Arc<Self>) -> Type {
        match &self.kind {
            ShapeKind::Any | ShapeKind::IntOrString => Type::Dyn,
            ShapeKind::Bool => Type::Bool,
            ShapeKind::Int => Type::Int,
            ShapeKind::Double => Type::Double,
            ShapeKind::String => Type::String,
            ShapeKind::Bytes => Type::Bytes,
            ShapeKind::Timestamp => Type::Timestamp,
            ShapeKind::Duration => Type::Duration,
            ShapeKind::List { items, .. } => Type::list(items.type_of()),
            ShapeKind::Map { values, .. } => Type::map(Type::String, values.type_of()),
            ShapeKind::Object(_) => Type::Object(Arc::clone(self)),
        }
    }
}

impl Fields {
    fn add(&mut self, key: &str, shape: Arc<Shape>) {
        if let Some(name) = escape(key) {
            self.visible.insert(name.as_ref().into(), Field { key: key.into(), shape });
        }
    }
}

/// The kind and the size limits of a string with its format; the limits include the quotes.
fn text_shape(schema: &Node) -> (ShapeKind, u64, u64) {
    let unbounded = LARGEST_REQUEST - 2;
    let length = size_limit(schema, "maxLength");
    match schema.str_at(&["format"]) {
        Some("byte") => (ShapeKind::Bytes, length.unwrap_or(unbounded), 2),
        Some("duration") => (ShapeKind::Duration, 32, 3),
        Some("date") => (ShapeKind::Timestamp, 12, 12),
        Some("date-time") => (ShapeKind::Timestamp, 32, 21),
        _ => {
            let values = schema.items_at(&["enum"]);
            let lengths = values.iter().filter_map(Node::as_str).map(str::len);
            let of_values = match lengths.max() {
                Some(longest) => u64::try_from(longest).unwrap_or(unbounded),
                None if values.is_empty() => unbounded,
                None => 0,
            };
            // A character has up to four bytes.
            let largest = length.map_or(of_values, |it| it.saturating_mul(4));
            (ShapeKind::String, largest, 2)
        }
    }
}

fn object_shape(schema: &Node, is_root: bool) -> Shape {
    let required = schema.items_at(&["required"]);
    let required: SortedSet<_> = required.iter().filter_map(Node::as_str).collect();
    let mut fields = Fields::default();
    let mut smallest = 2;
    let of_every_object = ["apiVersion", "kind", "metadata"];
    for entry in schema.entries_at(&["properties"]) {
        let key = entry.key.as_str();
        let is_own = !(is_root && of_every_object.contains(&key)) || names_itself(schema);
        let shape = if is_own { Shape::of_nested(&entry.value) } else { built_in_shape(key) };
        let Some(shape) = shape else {
            fields.hidden.insert(entry.key.text().clone());
            continue;
        };
        if required.contains(key) && entry.value.get("default").is_none() {
            let length = u64::try_from(key.len()).unwrap_or(0);
            smallest += length + shape.smallest + 4;
        }
        fields.add(&entry.key, shape);
    }
    if is_root {
        for key in of_every_object {
            let is_declared = schema.at(&["properties", key]).is_some();
            if let Some(shape) = built_in_shape(key).filter(|_| !is_declared) {
                fields.add(key, shape);
            }
        }
    }
    Shape { kind: ShapeKind::Object(fields), largest: 0, smallest }
}

/// Whether the schema of a whole object declares no more of its metadata than rules can access.
fn names_itself(schema: &Node) -> bool {
    let is = |path: &[&str], name| {
        let property = path.iter().try_fold(schema, |schema, key| schema.at(&["properties", key]));
        property.and_then(|it| it.str_at(&["type"])) == Some(name)
    };
    is(&["kind"], "string")
        && is(&["apiVersion"], "string")
        && is(&["metadata"], "object")
        && is(&["metadata", "name"], "string")
        && is(&["metadata", "generateName"], "string")
}

/// The shape of a field that every whole object has, whatever its schema declares.
fn built_in_shape(key: &str) -> Option<Arc<Shape>> {
    let string =
        || Arc::new(Shape { kind: ShapeKind::String, largest: LARGEST_REQUEST - 2, smallest: 2 });
    match key {
        "apiVersion" | "kind" => Some(string()),
        "metadata" => {
            let mut fields = Fields::default();
            fields.add("name", string());
            fields.add("generateName", string());
            Some(Arc::new(Shape { kind: ShapeKind::Object(fields), largest: 0, smallest: 2 }))
        }
        _ => None,
    }
}

fn list_identity(schema: &Node) -> Identity {
    match schema.str_at(&["x-kubernetes-list-type"]) {
        Some("set") => Identity::Set,
        Some("map") => {
            let keys = schema.items_at(&["x-kubernetes-list-map-keys"]);
            Identity::Keys(keys.iter().filter_map(Node::as_str).map(LeanStr::from).collect())
        }
        _ => Identity::Atomic,
    }
}

fn size_limit(schema: &Node, keyword: &str) -> Option<u64> {
    Some(u64::try_from(schema.get(keyword)?.as_i64()?).unwrap_or(0))
}

/// Whether the name is a keyword of the grammar, which cannot name a field.
fn is_keyword(name: &str) -> bool {
    matches!(name, "true" | "false" | "null" | "in") || RESERVED.contains(&name)
}

/// Escapes a key as rules must write it; `None` if they cannot access it.
pub(super) fn escape(key: &str) -> Option<Cow<'_, str>> {
    if key.is_empty() || key.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if is_keyword(key) {
        return Some(format!("__{key}__").into());
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if key.chars().all(is_plain) && !key.contains("__") {
        return Some(key.into());
    }
    let mut name = String::with_capacity(key.len() + 16);
    let mut rest = key.chars().peekable();
    while let Some(first) = rest.next() {
        match first {
            '_' if rest.next_if_eq(&'_').is_some() => name.push_str("__underscores__"),
            '.' => name.push_str("__dot__"),
            '-' => name.push_str("__dash__"),
            '/' => name.push_str("__slash__"),
            _ if is_plain(first) => name.push(first),
            _ => return None,
        }
    }
    Some(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    // From the comments of k8s.io/apiserver, `pkg/cel/escaping.go`.
    #[test]
    fn keys_become_names() {
        for (key, name) in [
            ("plain", Some("plain")),
            ("a_b", Some("a_b")),
            ("a__b", Some("a__underscores__b")),
            ("a.b-c/d", Some("a__dot__b__dash__c__slash__d")),
            ("namespace", Some("__namespace__")),
            ("namespaces", Some("namespaces")),
            ("1st", None),
            ("", None),
            ("a b", None),
            ("é", None),
        ] {
            assert_eq!(escape(key).as_deref(), name, "{key}");
        }
    }
}
