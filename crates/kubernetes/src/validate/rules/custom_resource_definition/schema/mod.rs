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
use crate::diag::{Diagnostic, Severity};
use crate::source::Span;
use crate::tree::{Entry, Node, Path, Value};
use crate::validate::rules::judging::{Judging, items, start};
use crate::validate::rules::of_object::ObjectJudge;

/// The fields of every object, which a schema can hardly restrict.
const META_FIELDS: &[&str] = &["apiVersion", "kind", "metadata"];

/// The junctors with a list of schemas.
const JUNCTORS: &[&str] = &["allOf", "anyOf", "oneOf"];

/// Checks the schema of each version.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let versions = items(spec, "versions");
    let list = path.field("versions");
    let has_status = |version: &Node| version.at(&["subresources", "status"]).is_some();
    // The API server treats a schema shared by all versions as one, with a status if any of them
    // has one.
    let first = versions.first().and_then(|it| it.get("schema"));
    let is_shared = versions.iter().all(|version| match (first, version.get("schema")) {
        (Some(first), Some(other)) => first.same_value(other),
        (first, other) => first.is_none() && other.is_none(),
    });
    let has_shared_status = is_shared && versions.iter().any(has_status);
    for (index, version) in versions.iter().enumerate() {
        let Some(schema) = schema_of(version) else { continue };
        let path = list.index(index);
        let (path, holder) = (path.field("schema"), version.get("schema"));
        let path = path.field("openAPIV3Schema");
        let key = holder.and_then(|it| it.entry("openAPIV3Schema")).map(|it| it.key_origin.span());
        let mut walk = Walk { judge, errors: 0 };
        let site = Site::root(key.unwrap_or_else(|| start(schema)));
        let has_status = has_shared_status || !is_shared && has_status(version);
        root::check(&mut walk, schema, has_status, &path);
        walk.schema(schema, site, &path);
        completeness::check(&mut walk, schema, &path);
        if walk.errors == 0 {
            defaults::check(&mut walk, schema, &path);
        }
    }
}

/// A walk through one schema.
struct Walk<'w, 'j, 'o> {
    judge: &'w mut ObjectJudge<'j, 'o>,
    /// The number of errors so far.
    errors: usize,
}

impl Judging for Walk<'_, '_, '_> {
    fn report(&mut self, finding: Diagnostic, path: &Path<'_>) {
        self.errors += usize::from(finding.severity == Severity::Error);
        self.judge.report(finding, path);
    }

    fn is_full(&self) -> bool {
        self.judge.is_full()
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

impl Walk<'_, '_, '_> {
    /// Reports a finding that already has its path.
    fn report_as_is(&mut self, finding: Diagnostic) {
        self.errors += usize::from(finding.severity == Severity::Error);
        self.judge.report_as_is(finding);
    }

    fn schema(&mut self, schema: &Node, site: Site, path: &Path<'_>) {
        keywords::check(self, schema, site, path);
        if site.level == Level::Junctor {
            junctors::check(self, schema, path);
        } else {
            extensions::check(self, schema, path);
            lists::check(self, schema, path);
            structure::check(self, schema, site, path);
        }
        self.properties(schema, site, path);
        self.values(schema, site, path);
        self.junctors(schema, site, path);
    }

    fn properties(&mut self, schema: &Node, site: Site, path: &Path<'_>) {
        let is_root = site.level == Level::Root;
        let is_object = is_root || reading::is_embedded(schema);
        let path = path.field("properties");
        for entry in schema.get("properties").map_or(&[][..], Node::entries) {
            let mut inner = site.below(Level::Field, entry.key_origin.span());
            if is_object && META_FIELDS.contains(&entry.key.as_str()) {
                inner.is_inside_metadata = true;
                if is_root {
                    inner.forbids_default = Some("every object has its own");
                }
            }
            self.schema(&entry.value, inner, &path.key(&entry.key));
        }
    }

    /// Visits the schemas of the values of a map and of the items of a list.
    fn values(&mut self, schema: &Node, site: Site, path: &Path<'_>) {
        let is_schema = |it: &&Entry| matches!(it.value.value, Value::Map(_));
        if let Some(entry) = schema.entry("additionalProperties").filter(is_schema) {
            let mut inner = site.below(Level::Field, entry.key_origin.span());
            if site.is_inside_metadata {
                inner.forbids_default = Some("any keys are allowed");
            }
            let path = path.field("additionalProperties");
            reading::check(self, &entry.value, &path);
            self.schema(&entry.value, inner, &path);
        }
        if let Some(entry) = schema.entry("items").filter(is_schema) {
            let path = path.field("items");
            reading::check(self, &entry.value, &path);
            self.schema(&entry.value, site.below(Level::Item, entry.key_origin.span()), &path);
        }
    }

    fn junctors(&mut self, schema: &Node, site: Site, path: &Path<'_>) {
        let is_structural = site.level != Level::Junctor;
        let inner = |at| Site { level: Level::Junctor, ..site.below(Level::Junctor, at) };
        if let Some(not) = schema.entry("not") {
            self.schema(&not.value, inner(not.key_origin.span()), &path.field("not"));
        }
        for junctor in JUNCTORS {
            let schemas = items(schema, junctor);
            let is_exempt = is_structural || site.has_int_or_string;
            if *junctor == "anyOf" && is_exempt && is_int_or_string(schemas) {
                continue;
            }
            let path = path.field(junctor);
            for (index, schema) in schemas.iter().enumerate() {
                let mut inner = inner(start(schema));
                inner.has_int_or_string = is_structural && *junctor == "allOf" && index == 0;
                self.schema(schema, inner, &path.index(index));
            }
        }
    }
}
