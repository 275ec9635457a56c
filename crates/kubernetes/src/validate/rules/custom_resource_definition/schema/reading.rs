//! The way the API server decodes a schema: which values count as set, and which are decoded
//! leniently.

use crate::crd::JSON_SCHEMA;
use crate::diag::{Severity, Sink};
use crate::schema::{self, CheckContext, Type, UNKNOWN_FIELD};
use crate::tree::{Node, Path, Value};
use crate::validate::rules::judge::{Judge, is_true};

/// Checks a schema whose type the tables do not have. The server decodes it separately and ignores
/// unknown fields in it (`JSONSchemaPropsOrArray` and `JSONSchemaPropsOrBool`).
pub(super) fn check(judge: &mut Judge<'_>, node: &Node) {
    let Some(definition) = schema::definition(JSON_SCHEMA) else { return };
    let mut sink = Sink::new();
    let context = CheckContext::built_in(judge.kubernetes, "JSONSchemaProps");
    schema::check_at(node, Path::root(), Type::Object(definition), &context, &mut sink);
    for mut finding in sink.into_sorted() {
        if finding.rule == &UNKNOWN_FIELD {
            finding.severity = Severity::Warning;
            finding = finding.note("the API server silently drops it");
        }
        let path = finding.details().path.as_ref().map(|below| judge.path_of(node).join(below));
        finding.details_mut().path = path;
        judge.report_with_path(finding);
    }
}

/// The type that a schema declares; empty for none, and `None` for a value that is not a string.
pub(super) fn type_of(schema: &Node) -> Option<&str> {
    schema.get("type").map_or(Some(""), Node::as_str)
}

/// Whether a keyword has an effect: Go's zero value has none.
pub(super) fn is_set(node: &Node) -> bool {
    !matches!(&node.value, Value::Null | Value::Bool(false))
        && node.as_str().is_none_or(|text| !text.is_empty())
}

pub(super) fn is_embedded(schema: &Node) -> bool {
    is_true(schema, "x-kubernetes-embedded-resource")
}

pub(super) fn preserves_unknown(schema: &Node) -> bool {
    is_true(schema, "x-kubernetes-preserve-unknown-fields")
}

/// Whether the schema has properties.
pub(super) fn has_properties(schema: &Node) -> bool {
    schema.get("properties").is_some_and(|properties| !properties.entries().is_empty())
}
