//! The schemas of the versions, after `ValidateCustomResourceDefinitionOpenAPISchema`, and
//! `ValidateStructural` of apiextensions-apiserver's `pkg/apiserver/schema`.

mod completeness;
mod defaults;
mod extensions;
mod junctors;
mod keywords;
mod lists;
mod metadata;
mod reading;
mod root;
mod structure;

use super::schema_of;
use crate::crd::is_int_or_string;
use crate::source::Span;
use crate::tree::{Entry, Node, Value};
use crate::validate::rules::judge::{Judge, entries, items, start};

/// The fields of every object, which a schema can hardly restrict.
const META_FIELDS: &[&str] = &["apiVersion", "kind", "metadata"];

/// The junctors with a list of schemas.
const JUNCTORS: &[&str] = &["allOf", "anyOf", "oneOf"];

/// Checks the schema of each version.
pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let versions = items(spec, "versions");
    let has_status = |version: &Node| version.at(&["subresources", "status"]).is_some();
    // The API server treats a schema shared by all versions as one, with a status if any of them
    // has one.
    let first = versions.first().and_then(|it| it.get("schema"));
    let is_shared = versions.iter().all(|version| match (first, version.get("schema")) {
        (Some(first), Some(other)) => first.same_value(other),
        (first, other) => first.is_none() && other.is_none(),
    });
    let has_shared_status = is_shared && versions.iter().any(has_status);
    for version in versions {
        let Some(schema) = schema_of(version) else { continue };
        let holder = version.get("schema");
        let key = holder
            .and_then(|it| it.entry("openAPIV3Schema"))
            .map(|entry| entry.key_origin().span());
        let errors = judge.errors;
        let site = Site::root(key.unwrap_or_else(|| start(schema)));
        let has_status = has_shared_status || !is_shared && has_status(version);
        root::check(judge, schema, has_status);
        check_schema(judge, schema, site);
        completeness::check(judge, schema);
        if judge.errors == errors {
            defaults::check(judge, schema);
        }
    }
}

/// The position of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// The whole object.
    Root,
    /// The items of a list.
    Item,
    /// A field, or the values of a map.
    Field,
    /// A schema inside `allOf`, `anyOf`, `oneOf` or `not`.
    Junctor,
}

/// The context of a schema.
#[derive(Clone, Copy)]
struct Site {
    level: Level,
    /// The span to report for a missing keyword.
    at: Span,
    /// Whether the schema is inside `apiVersion`, `kind` or `metadata`, of the root or of an
    /// embedded object.
    is_inside_metadata: bool,
    /// The reason that a default is not allowed here.
    forbids_default: Option<&'static str>,
    /// Whether the `anyOf` declares an integer or a string, and is allowed to.
    has_int_or_string: bool,
}

impl Site {
    fn root(at: Span) -> Self {
        Self {
            level: Level::Root,
            at,
            is_inside_metadata: false,
            forbids_default: None,
            has_int_or_string: false,
        }
    }

    fn below(self, level: Level, at: Span) -> Self {
        let level = if self.level == Level::Junctor { Level::Junctor } else { level };
        Self { level, at, has_int_or_string: false, ..self }
    }
}

fn check_schema(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    keywords::check(judge, schema, site);
    if site.level == Level::Junctor {
        junctors::check(judge, schema);
    } else {
        extensions::check(judge, schema);
        lists::check(judge, schema);
        structure::check(judge, schema, site);
    }
    check_properties(judge, schema, site);
    check_values(judge, schema, site);
    check_junctors(judge, schema, site);
}

fn check_properties(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    let is_root = site.level == Level::Root;
    let is_object = is_root || reading::is_embedded(schema);
    for entry in entries(schema, "properties") {
        let mut inner = site.below(Level::Field, entry.key_origin().span());
        if is_object && META_FIELDS.contains(&entry.key.as_str()) {
            inner.is_inside_metadata = true;
            if is_root {
                inner.forbids_default = Some("every object has its own");
            }
        }
        check_schema(judge, &entry.value, inner);
    }
}

/// Visits the schemas of the values of a map and of the items of a list.
fn check_values(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    let is_schema = |entry: &&Entry| matches!(entry.value.value, Value::Map(_));
    if let Some(entry) = schema.entry("additionalProperties").filter(is_schema) {
        let mut inner = site.below(Level::Field, entry.key_origin().span());
        if site.is_inside_metadata {
            inner.forbids_default = Some("any keys are allowed");
        }
        reading::check(judge, &entry.value);
        check_schema(judge, &entry.value, inner);
    }
    if let Some(entry) = schema.entry("items").filter(is_schema) {
        reading::check(judge, &entry.value);
        check_schema(judge, &entry.value, site.below(Level::Item, entry.key_origin().span()));
    }
}

fn check_junctors(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    let is_structural = site.level != Level::Junctor;
    let below = |at| Site { level: Level::Junctor, ..site.below(Level::Junctor, at) };
    if let Some(not) = schema.entry("not") {
        check_schema(judge, &not.value, below(not.key_origin().span()));
    }
    for junctor in JUNCTORS {
        let schemas = items(schema, junctor);
        let is_exempt = is_structural || site.has_int_or_string;
        if *junctor == "anyOf" && is_exempt && is_int_or_string(schemas) {
            continue;
        }
        for (index, schema) in schemas.iter().enumerate() {
            let mut inner = below(start(schema));
            inner.has_int_or_string = is_structural && *junctor == "allOf" && index == 0;
            check_schema(judge, schema, inner);
        }
    }
}
