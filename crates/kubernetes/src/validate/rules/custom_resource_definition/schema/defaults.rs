//! Checks defaults against their schema (`ValidateDefaults` of apiextensions-apiserver's
//! `pkg/apiserver/schema/defaulting`).

use super::META_FIELDS;
use super::reading::is_embedded;
use crate::crd::{self, is_int_or_string};
use crate::diag::{About, Diagnostic, FieldPath, Severity, Sink};
use crate::schema::{self, Arena, CheckContext, Type};
use crate::tree::{Entry, Node, Path, Value};
use crate::validate::rules::custom_resource_definition::CRD_DEFAULT_INVALID;
use crate::validate::rules::judge::{Judge, entries, items};

const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// Checks the defaults of a whole schema that is otherwise valid.
pub(super) fn check(judge: &mut Judge<'_>, schema: &Node) {
    if let Some(default) = schema.entry("default") {
        // The whole object is checked like an embedded one, with `apiVersion` and `kind`.
        let mut whole = schema.clone();
        whole.set("x-kubernetes-embedded-resource", Node::bool(true, schema.origin()));
        check_default(judge, &whole, default, &Surroundings::Object);
    }
    check_below(judge, schema, &Surroundings::Object);
}

/// The parent of a default.
enum Surroundings<'s> {
    /// A whole object, either the root or an embedded one.
    Object,
    /// A field of metadata, or of `apiVersion` and `kind`.
    Field(&'s Self, &'s str),
    /// The items of a list in metadata.
    Items(&'s Self),
}

/// Checks the defaults below a schema. Like the API server, it skips the values of maps.
fn check_below(judge: &mut Judge<'_>, schema: &Node, around: &Surroundings<'_>) {
    let is_inside = !matches!(around, Surroundings::Object);
    let is_inside = is_inside && !is_embedded(schema);
    if let Some(items) = schema.get("items") {
        let inner = if is_inside { &Surroundings::Items(around) } else { &Surroundings::Object };
        check_one(judge, items, inner);
    }
    for entry in entries(schema, "properties") {
        let is_meta = is_embedded(schema) && META_FIELDS.contains(&entry.key.as_str());
        let around = if is_inside { around } else { &Surroundings::Object };
        let inner = if is_inside || is_meta {
            &Surroundings::Field(around, &entry.key)
        } else {
            &Surroundings::Object
        };
        check_one(judge, &entry.value, inner);
    }
}

fn check_one(judge: &mut Judge<'_>, schema: &Node, around: &Surroundings<'_>) {
    if let Some(entry) = schema.entry("default") {
        check_default(judge, schema, entry, around);
    }
    check_below(judge, schema, around);
}

fn check_default(judge: &mut Judge<'_>, schema: &Node, default: &Entry, around: &Surroundings<'_>) {
    let context = CheckContext::default_value(judge.kubernetes);
    let is_inside = !matches!(around, Surroundings::Object) && !is_embedded(schema);
    let root = Path::root();
    let mut sink = Sink::new();
    if is_inside {
        let whole = with_surroundings(default.value.clone(), around);
        let metadata = schema::definition(OBJECT_META).map(Type::Object);
        if let (Some(node), Some(metadata)) = (whole.get("metadata"), metadata) {
            schema::check_at(node, root.field("default"), metadata, &context, &mut sink);
        }
    }
    let arena = Arena::new();
    let mut schema = schema.clone();
    forget_int_or_string(&mut schema);
    let value = crd::type_of(&arena, &schema, "default");
    schema::check_at(&default.value, root.field("default"), value, &context, &mut sink);
    // Metadata fields that the schema does not declare are not dropped.
    sink.retain(|finding| !is_inside || !matches!(finding.details().about, About::UnknownField(_)));
    for finding in sink.into_sorted() {
        judge.report_with_path(tell_default(finding, &judge.path_of(default)));
    }
}

/// Removes `x-kubernetes-int-or-string` everywhere in a schema. The API server validates defaults with
/// a schema that has no type in its place (`ToKubeOpenAPI` of `pkg/apiserver/schema`), so a default can
/// be a value that an object cannot have: `1.5`, `true` or `[]`. Only an `anyOf` with both types still
/// excludes these.
fn forget_int_or_string(schema: &mut Node) {
    let origin = schema.origin();
    let is_marked = schema.get("x-kubernetes-int-or-string").and_then(Node::as_bool) == Some(true);
    // An `enum` excludes all other values, whatever their type.
    if is_marked && schema.get("enum").is_none() {
        schema.set("nullable", Node::bool(true, origin));
        if !repeats_types(schema) {
            schema.set("x-kubernetes-int-or-string", Node::bool(false, origin));
            schema.set("properties", Node::map(origin));
        }
    }
    match &mut schema.value {
        Value::Map(map) => map.fields_mut().for_each(|field| forget_int_or_string(field.value)),
        Value::List(items) => items.iter_mut().for_each(forget_int_or_string),
        _ => {}
    }
}

/// Whether a schema with `x-kubernetes-int-or-string` also has the `anyOf` that says the same.
fn repeats_types(schema: &Node) -> bool {
    let all = items(schema, "allOf");
    let mut levels = std::iter::once(schema).chain(all);
    levels.any(|level| level.get("anyOf").is_some_and(|schemas| is_int_or_string(schemas.items())))
}

/// Builds the object that contains a default.
fn with_surroundings(value: Node, around: &Surroundings<'_>) -> Node {
    let origin = value.origin();
    match around {
        Surroundings::Object => value,
        Surroundings::Field(outer, name) => {
            let mut map = Node::map(origin);
            map.set(*name, value);
            with_surroundings(map, outer)
        }
        Surroundings::Items(outer) => with_surroundings(Node::list(vec![value], origin), outer),
    }
}

/// Turns a finding about a default into one about the schema.
fn tell_default(mut finding: Diagnostic, default: &FieldPath) -> Diagnostic {
    // The path of the finding starts at the schema, with the field `default`.
    let path = finding.details().path.as_ref().map(|found| {
        let below = found.steps().iter().skip(1);
        default.steps().iter().chain(below).cloned().collect()
    });
    if finding.severity == Severity::Error {
        finding.rule = &CRD_DEFAULT_INVALID;
    }
    finding.details_mut().path = path;
    finding.note("the API server sets the default in objects, so the schema must accept it")
}
