//! Reads the structural schema of a custom resource definition as the types that its objects are
//! checked against.
//!
//! The definition itself is checked elsewhere. Invalid parts of it are ignored here, so that its
//! objects are not reported for them.

use super::constraints;
use crate::schema::{
    self, Arena, Constrained, Constraint, EnumValue, List, ListType, Object, PatchStrategy,
    Property, StringFormat, Type, Versions,
};
use crate::sorted::SortedSet;
use crate::tree::{Map, Node, Value};

/// The metadata of every object.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// The type of the whole object; `schema` is an `openAPIV3Schema`. With a status subresource, the
/// API server drops the status of a new object and only checks its field names.
pub(super) fn root<'s>(
    arena: &'s Arena<'s>,
    kind: &'s str,
    schema: &Node,
    has_status: bool,
) -> Type<'s> {
    let mut properties = read_properties(arena, schema, "");
    if let Some(status) =
        properties.iter_mut().find(|property| has_status && property.name == "status")
    {
        status.value = known_fields(arena, status.value);
        status.is_required = false;
    }
    add_object_fields(arena, schema, &mut properties);
    let object = Object {
        name: kind,
        properties: arena.properties(properties),
        is_atomic: false,
        others: preserves_unknown(schema).then_some(Type::Any),
    };
    constrain(arena, schema, Type::Object(arena.object(object)), Vec::new())
}

/// A type that only checks field names.
fn known_fields<'s>(arena: &'s Arena<'s>, value: Type<'s>) -> Type<'s> {
    let (base, otherwise) = match value {
        Type::Constrained(it) if has_no_fields(it) => return value,
        Type::Constrained(it) => (it.base, it.otherwise()),
        other => (other, None),
    };
    let names = match base {
        Type::Object(object) => {
            let properties = object.properties.iter().map(|property| Property {
                value: known_fields(arena, property.value),
                is_required: false,
                ..*property
            });
            let properties = arena.properties(properties.collect());
            Type::Object(arena.object(Object { properties, ..*object }))
        }
        Type::List(list) => {
            let (items, identity) = (known_fields(arena, list.items), ListType::Atomic);
            Type::List(arena.list(List { items, identity, ..*list }))
        }
        Type::Map(values) => Type::Map(arena.type_(known_fields(arena, *values))),
        _ => return Type::Any,
    };
    let otherwise = otherwise.map_or(Type::Any, |ty| known_fields(arena, ty));
    any_or(arena, names, otherwise)
}

/// The type `base` for values that are maps or lists like it, and `otherwise` for all others.
fn any_or<'s>(arena: &'s Arena<'s>, base: Type<'s>, otherwise: Type<'s>) -> Type<'s> {
    let constraints = arena.constraints(vec![Constraint::Otherwise(otherwise)]);
    Type::Constrained(arena.constrained(Constrained { base, is_nullable: true, constraints }))
}

/// The type of values without declared fields (`additionalProperties: true`).
fn without_fields<'s>(arena: &'s Arena<'s>) -> Type<'s> {
    let constraints = arena.constraints(vec![Constraint::NoFields]);
    let (base, is_nullable) = (Type::Any, true);
    Type::Constrained(arena.constrained(Constrained { base, is_nullable, constraints }))
}

fn has_no_fields(constrained: &Constrained<'_>) -> bool {
    constrained.constraints.iter().any(|constraint| matches!(constraint, Constraint::NoFields))
}

/// What the list around a value does with unknown fields of its items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Unknown fields are dropped unless the schema of the value keeps them.
    Drops,
    /// A list with `x-kubernetes-preserve-unknown-fields` keeps them in its items too (`skipPrune`
    /// of apiextensions-apiserver's `pkg/apiserver/schema/pruning`).
    Keeps,
}

/// The type of a value at `path`.
pub fn type_of<'s>(arena: &'s Arena<'s>, schema: &Node, path: &str) -> Type<'s> {
    type_in(arena, schema, path, Around::Drops)
}

fn type_in<'s>(arena: &'s Arena<'s>, schema: &Node, path: &str, around: Around) -> Type<'s> {
    let around = if preserves_unknown(schema) { Around::Keeps } else { around };
    let mut extra = Vec::new();
    let base = if schema.is_true("x-kubernetes-int-or-string") {
        Type::IntOrString
    } else {
        match schema.str_at(&["type"]) {
            Some("boolean") => Type::Bool,
            Some("integer") if schema.str_at(&["format"]) == Some("int32") => Type::Int32,
            Some("integer") => Type::Int64,
            Some("number") => Type::Number,
            Some("string") => text_type(arena, schema),
            Some("array") => list_type(arena, schema, path, around),
            Some("object") => object_type(arena, schema, path, around, &mut extra),
            _ => type_of_untyped(arena, schema, path, around, &mut extra),
        }
    };
    constrain(arena, schema, base, extra)
}

/// Adds the constraints of the schema to `base`.
fn constrain<'s>(
    arena: &'s Arena<'s>,
    schema: &Node,
    base: Type<'s>,
    extra: Vec<Constraint<'s>>,
) -> Type<'s> {
    let mut constraints = constraints::read(arena, schema, constraints::Position::Structural);
    constraints.extend(extra);
    // The values of a string enum are part of the type.
    if matches!(base, Type::Enum(_)) {
        constraints.retain(|constraint| !matches!(constraint, Constraint::OneOfValues(_)));
    }
    constraints.extend(undeclared_required(arena, schema));
    let is_nullable = schema.is_true("nullable");
    if constraints.is_empty() && !is_nullable {
        return base;
    }
    let constraints = arena.constraints(constraints);
    Type::Constrained(arena.constrained(Constrained { base, is_nullable, constraints }))
}

fn text_type<'s>(arena: &'s Arena<'s>, schema: &Node) -> Type<'s> {
    let values = schema.items_at(&["enum"]);
    let texts: Vec<_> = values.iter().filter_map(Node::as_str).collect();
    if texts.is_empty() || texts.len() < values.len() {
        return Type::String(StringFormat::Plain);
    }
    let values = texts
        .into_iter()
        .map(|value| EnumValue { value: arena.text(value), versions: Versions::ALL });
    Type::Enum(arena.enum_values(values.collect()))
}

/// The type of a schema without `type`, whose values can be maps with the declared fields, lists with
/// the declared items, and anything else.
fn type_of_untyped<'s>(
    arena: &'s Arena<'s>,
    schema: &Node,
    path: &str,
    around: Around,
    extra: &mut Vec<Constraint<'s>>,
) -> Type<'s> {
    let has = |keyword: &str| schema.get(keyword).is_some_and(|value| !value.is_null());
    let list_only = || any_or(arena, list_type(arena, schema, path, around), Type::Any);
    let otherwise = if has("items") { list_only() } else { Type::Any };
    if !has("properties") && !has("additionalProperties") {
        return otherwise;
    }
    extra.push(Constraint::Otherwise(otherwise));
    object_type(arena, schema, path, around, extra)
}

fn list_type<'s>(arena: &'s Arena<'s>, schema: &Node, path: &str, around: Around) -> Type<'s> {
    let items = schema
        .get("items")
        .map_or(Type::Any, |items| type_in(arena, items, &format!("{path}[]"), around));
    let identity = match schema.str_at(&["x-kubernetes-list-type"]) {
        Some("set") => ListType::Set,
        Some("map") => {
            let keys = schema.items_at(&["x-kubernetes-list-map-keys"]);
            let names = keys.iter().filter_map(Node::as_str).map(|key| arena.text(key));
            ListType::Map(arena.names(names.collect()))
        }
        _ => ListType::Atomic,
    };
    // The API server offers no strategic merge patch for custom resources.
    Type::List(arena.list(List { items, identity, patch: PatchStrategy::Replace }))
}

fn object_type<'s>(
    arena: &'s Arena<'s>,
    schema: &Node,
    path: &str,
    around: Around,
    extra: &mut Vec<Constraint<'s>>,
) -> Type<'s> {
    let additional = schema.get("additionalProperties");
    let others = match additional.map(|values| (values, &values.value)) {
        // The values of a map are pruned even if the map keeps unknown fields.
        Some((values, Value::Map(_))) => Some(type_of(arena, values, &format!("{path}{{}}"))),
        Some((_, Value::Bool(true))) => Some(without_fields(arena)),
        Some((_, Value::Bool(false))) => None,
        _ => (around == Around::Keeps).then_some(Type::Any),
    };
    let has_properties =
        schema.get("properties").is_some_and(|declared| !declared.entries().is_empty());
    if let Some(values) = others.filter(|_| additional.is_some() && !has_properties) {
        return Type::Map(arena.type_(values));
    }
    let mut properties = read_properties(arena, schema, path);
    if schema.is_true("x-kubernetes-embedded-resource") {
        add_object_fields(arena, schema, &mut properties);
        extra.push(Constraint::EmbeddedResource);
    }
    Type::Object(arena.object(Object {
        name: arena.text(path),
        properties: arena.properties(properties),
        is_atomic: schema.str_at(&["x-kubernetes-map-type"]) == Some("atomic"),
        others,
    }))
}

fn read_properties<'s>(arena: &'s Arena<'s>, schema: &Node, path: &str) -> Vec<Property<'s>> {
    let required = required_keys(schema);
    let declared = schema.entries_at(&["properties"]);
    declared
        .iter()
        .map(|entry| {
            let key = entry.key.as_str();
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            Property {
                name: arena.text(key),
                prefix: schema::prefix(key),
                value: type_of(arena, &entry.value, &path),
                is_required: required.contains(key),
                default: entry
                    .value
                    .get("default")
                    .map(|default| arena.text(&default.to_json().to_string())),
                versions: Versions::ALL,
            }
        })
        .collect()
}

/// Adds the fields that every object has; the API server checks them whatever the schema declares.
fn add_object_fields<'s>(arena: &'s Arena<'s>, schema: &Node, properties: &mut Vec<Property<'s>>) {
    let text = Type::String(StringFormat::Plain);
    let metadata = schema::definition(OBJECT_META).map_or(Type::Any, Type::Object);
    let metadata = limited_names(arena, schema, metadata);
    for (name, value) in [("apiVersion", text), ("kind", text), ("metadata", metadata)] {
        properties.retain(|property| property.name != name);
        properties.push(Property::new(name, value, false));
    }
}

/// The type of metadata with the limits of the schema on the name, the only ones that it may have.
fn limited_names<'s>(arena: &'s Arena<'s>, schema: &Node, metadata: Type<'s>) -> Type<'s> {
    let of_name = |field: &'static str| {
        let schema = schema.at(&["properties", "metadata", "properties", field])?;
        let limits = constraints::read(arena, schema, constraints::Position::Structural);
        (!limits.is_empty()).then(|| (field, arena.constraints(limits)))
    };
    let names: Vec<_> = ["name", "generateName"].into_iter().filter_map(of_name).collect();
    if names.is_empty() {
        return metadata;
    }
    let constraints = arena.constraints(vec![Constraint::Properties(arena.named_groups(names))]);
    let (base, is_nullable) = (metadata, false);
    Type::Constrained(arena.constrained(Constrained { base, is_nullable, constraints }))
}

/// Required keys that no property declares.
fn undeclared_required<'s>(arena: &'s Arena<'s>, schema: &Node) -> Option<Constraint<'s>> {
    let properties = Map::of(schema.get("properties"));
    let names: Vec<_> = required_keys(schema)
        .into_iter()
        .filter(|name| properties.get(name).is_none())
        .map(|name| arena.text(name))
        .collect();
    (!names.is_empty()).then(|| Constraint::Required(arena.names(names)))
}

fn required_keys(schema: &Node) -> SortedSet<&str> {
    schema.items_at(&["required"]).iter().filter_map(Node::as_str).collect()
}

fn preserves_unknown(schema: &Node) -> bool {
    schema.is_true("x-kubernetes-preserve-unknown-fields")
}
