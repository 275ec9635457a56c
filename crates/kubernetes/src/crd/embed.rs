//! Kubernetes types inside a custom resource, as controller-gen writes their schema.
//!
//! A custom resource is only checked against its schema, so the validation of the built-in kind
//! does not apply: values of an enum are any string, and only the defaults named by a marker on the
//! Go field remain.

use super::plant::Plant;
use crate::schema::{self, ListType, Object, Property, StringFormat, Type};
use crate::sorted::CompactSort as _;
use crate::tree::Node;

/// The pattern of a quantity in a custom resource. Unlike the parser of built-in kinds, it requires
/// a digit and accepts any integer.
const QUANTITY_PATTERN: &str = concat!(
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))",
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$",
);

/// Metadata inside a custom resource: controller-gen only declares it as an object, so none of its
/// fields is known there.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// `LocalObjectReference` and the Go structs that embed it. They are atomic for server-side apply,
/// and their `name` defaults to the empty string; the OpenAPI definitions list the field but not
/// this origin.
const LOCAL_OBJECT_REFERENCES: &[&str] = &[
    "io.k8s.api.core.v1.ConfigMapEnvSource",
    "io.k8s.api.core.v1.ConfigMapKeySelector",
    "io.k8s.api.core.v1.ConfigMapProjection",
    "io.k8s.api.core.v1.ConfigMapVolumeSource",
    "io.k8s.api.core.v1.LocalObjectReference",
    "io.k8s.api.core.v1.SecretEnvSource",
    "io.k8s.api.core.v1.SecretKeySelector",
    "io.k8s.api.core.v1.SecretProjection",
];

/// Defaults of markers that equal the zero value, which the tables omit.
const ZERO_DEFAULTS: &[(&str, &str, &str)] = &[
    ("io.k8s.api.core.v1.AzureDiskVolumeSource", "readOnly", "false"),
    ("io.k8s.api.core.v1.FileKeySelector", "optional", "false"),
    ("io.k8s.api.core.v1.GRPCAction", "service", r#""""#),
];

/// Defaults whose marker refers to a Go constant, which controller-gen does not resolve.
const UNRESOLVED_DEFAULTS: &[(&str, &str)] = &[
    ("io.k8s.api.core.v1.AzureDiskVolumeSource", "cachingMode"),
    ("io.k8s.api.core.v1.AzureDiskVolumeSource", "kind"),
];

/// The entries of a schema node.
type Keywords = Vec<(&'static str, Node)>;

/// The schema of the type called `name` in the OpenAPI definitions of Kubernetes.
pub(super) fn definition(plant: Plant, name: &str) -> Node {
    match schema::definition(name) {
        Some(object) => schema_of(plant, Type::Object(object)),
        // Unreachable: a test ensures that every name in a description exists.
        None => any_schema(plant),
    }
}

fn schema_of(plant: Plant, value: Type<'static>) -> Node {
    let typed = |name: &str| ("type", plant.text(name));
    let keywords: Keywords = match value.resolve() {
        // `resolve` leaves no reference. No custom resource accepts a name instead of a definition.
        Type::Any | Type::NameOr(_) | Type::Reference(_) => return any_schema(plant),
        Type::Bool => vec![typed("boolean")],
        Type::Int32 => vec![("format", plant.text("int32")), typed("integer")],
        Type::Int64 => vec![("format", plant.text("int64")), typed("integer")],
        Type::Number => vec![typed("number")],
        Type::String(format) => text_keywords(plant, format),
        Type::Enum(_) | Type::Choice(_) => vec![typed("string")],
        Type::IntOrString => int_or_string(plant),
        Type::Quantity => {
            let mut keywords = int_or_string(plant);
            keywords.push(("pattern", plant.text(QUANTITY_PATTERN)));
            keywords
        }
        Type::List(list) => {
            let mut keywords = vec![("items", schema_of(plant, list.items)), typed("array")];
            keywords.extend(list_keywords(plant, list.identity));
            keywords
        }
        Type::Map(values) => {
            vec![("additionalProperties", schema_of(plant, *values)), typed("object")]
        }
        Type::Object(it) => object_keywords(plant, it),
        Type::Constrained(it) => return schema_of(plant, it.base),
    };
    plant.map(keywords)
}

fn any_schema(plant: Plant) -> Node {
    plant.map([("x-kubernetes-preserve-unknown-fields", plant.bool(true))])
}

fn text_keywords(plant: Plant, format: StringFormat) -> Keywords {
    let format = match format {
        StringFormat::Plain => None,
        StringFormat::Byte => Some("byte"),
        StringFormat::DateTime | StringFormat::MicroTime => Some("date-time"),
    };
    let mut keywords = vec![("type", plant.text("string"))];
    keywords.extend(format.map(|format| ("format", plant.text(format))));
    keywords
}

fn int_or_string(plant: Plant) -> Keywords {
    let types = ["integer", "string"].map(|name| plant.map([("type", plant.text(name))]));
    vec![("anyOf", plant.list(types)), ("x-kubernetes-int-or-string", plant.bool(true))]
}

fn list_keywords(plant: Plant, identity: ListType<'_>) -> Keywords {
    let (name, keys) = match identity {
        ListType::Atomic => ("atomic", None),
        ListType::Set => ("set", None),
        ListType::Map(keys) => ("map", Some(keys)),
    };
    let mut keywords = vec![("x-kubernetes-list-type", plant.text(name))];
    keywords
        .extend(keys.map(|keys| ("x-kubernetes-list-map-keys", plant.texts(keys.iter().copied()))));
    keywords
}

fn object_keywords(plant: Plant, object: &Object<'static>) -> Keywords {
    if object.name == OBJECT_META {
        return vec![("type", plant.text("object"))];
    }
    let properties =
        || object.properties.iter().filter(|property| property.versions.contains(plant.embeds));
    let mut keywords = vec![("type", plant.text("object"))];
    let schemas: Vec<_> = properties()
        .map(|field| (field.name, property_schema(plant, object.name, field)))
        .collect();
    if !schemas.is_empty() {
        keywords.push(("properties", plant.map(schemas)));
    }
    let required: Vec<_> = properties().filter(|it| it.is_required).map(|it| it.name).collect();
    if !required.is_empty() {
        keywords.push(("required", plant.texts(required)));
    }
    if object.is_atomic || LOCAL_OBJECT_REFERENCES.contains(&object.name) {
        keywords.push(("x-kubernetes-map-type", plant.text("atomic")));
    }
    keywords
}

fn property_schema(plant: Plant, owner: &str, property: &Property<'static>) -> Node {
    let mut schema = schema_of(plant, property.value);
    schema.set_some("default", marked_default(plant, owner, property));
    if schema::is_atomic_field(owner, property.name) {
        schema.set("x-kubernetes-map-type", plant.text("atomic"));
    }
    if let Some(map) = schema.as_map_mut() {
        map.edit(|entries| entries.compact_sort_by(|a, b| a.key.cmp(&b.key)));
    }
    schema
}

/// The default, if controller-gen finds it: a marker of the Go field states it literally.
fn marked_default(plant: Plant, owner: &str, property: &Property<'static>) -> Option<Node> {
    if property.name == "name" && LOCAL_OBJECT_REFERENCES.contains(&owner) {
        return Some(plant.text(""));
    }
    let is_own = |(of, field, _): &&(&str, &str, &str)| (*of, *field) == (owner, property.name);
    if let Some((_, _, default)) = ZERO_DEFAULTS.iter().find(is_own) {
        return plant.json(default);
    }
    let default = property.default.filter(|_| !property.is_required)?;
    let is_resolved = !UNRESOLVED_DEFAULTS.contains(&(owner, property.name));
    is_resolved.then(|| plant.json(default)).flatten()
}
