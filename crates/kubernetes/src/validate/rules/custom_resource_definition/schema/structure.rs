//! Requirements on a schema outside of junctors (`validateStructuralInvariants`).

use super::reading::{has_properties, is_embedded, preserves_unknown, type_of};
use super::{Level, Site, metadata};
use crate::diag::{Diagnostic, message};
use crate::source::Span;
use crate::tree::{Node, Value};
use crate::validate::rules::custom_resource_definition::{CRD_KEYWORD_MISPLACED, CRD_TYPE_MISSING};
use crate::validate::rules::judge::{Judge, is_true};

const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
const EMBEDDED: &str = "x-kubernetes-embedded-resource";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    check_type(judge, schema, site);
    check_int_or_string(judge, schema);
    check_embedded(judge, schema);
    if site.level == Level::Root || is_embedded(schema) {
        for field in ["apiVersion", "kind"] {
            check_wanted_value(judge, schema, field, "string");
        }
        check_wanted_value(judge, schema, "metadata", "object");
    }
    if site.level == Level::Root {
        metadata::check_root(judge, schema);
    }
}

fn check_type(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    let Some(name) = type_of(schema) else { return };
    if name.is_empty() && !is_embedded(schema) {
        if !is_true(schema, INT_OR_STRING) && !preserves_unknown(schema) {
            check_missing_type(judge, site, schema);
        }
    } else if site.level == Level::Root && !matches!(name, "" | "object") {
        let at = schema.get("type").map_or(site.at, Node::span);
        let message = message!("the root of the schema has type `{name}`");
        let (rule, help) = (&CRD_KEYWORD_MISPLACED, "write `type: object`");
        judge.refuse(rule, (at, (schema, "type")), (message, help));
    }
    // A list of schemas is reported elsewhere.
    let has_items = schema.get("items").is_some_and(|schemas| {
        matches!(schemas.value, Value::Map(_)) || !schemas.items().is_empty()
    });
    if name == "array" && !has_items {
        let text = ("array has no `items`", "needs `items`", "add `items: {type: ...}`");
        judge.fault(&CRD_TYPE_MISSING, (site.at, (schema, "items")), text);
    }
}

fn check_missing_type(judge: &mut Judge<'_>, site: Site, schema: &Node) {
    let what = match site.level {
        Level::Root => "the root of the schema",
        Level::Item => "the schema of the items",
        Level::Field | Level::Junctor => "the schema of the field",
    };
    let finding = Diagnostic::new(&CRD_TYPE_MISSING, site.at, message!("{what} has no `type`"))
        .at("needs `type`")
        .help(if site.level == Level::Root {
            "add `type: object`"
        } else {
            "add `type: ...`; or `x-kubernetes-preserve-unknown-fields: true` for any value, \
             `x-kubernetes-int-or-string: true` for an integer or a string"
        });
    judge.report(finding, (schema, "type"));
}

fn check_int_or_string(judge: &mut Judge<'_>, schema: &Node) {
    if !is_true(schema, INT_OR_STRING) {
        return;
    }
    for other in [PRESERVE, EMBEDDED] {
        let Some(entry) = schema.entry(other).filter(|_| is_true(schema, other)) else { continue };
        let message = message!("schema has both `{INT_OR_STRING}` and `{other}`");
        judge.refuse(&CRD_KEYWORD_MISPLACED, entry, (message, "keep one of the two"));
    }
}

fn check_embedded(judge: &mut Judge<'_>, schema: &Node) {
    let Some(entry) = schema.entry(EMBEDDED).filter(|_| is_embedded(schema)) else { return };
    let key = entry.key_origin().span();
    let mut refuse = |at: Span, message: &'static str, help: &'static str, field: &str| {
        judge.refuse(&CRD_KEYWORD_MISPLACED, (at, (schema, field)), (message, help));
    };
    if type_of(schema).is_some_and(|name| name != "object") {
        let at = schema.get("type").map_or(key, Node::span);
        refuse(at, "embedded object is not of type `object`", "write `type: object`", "type");
    }
    if let Some(entry) = schema.entry("additionalProperties") {
        let at = entry.key_origin().span();
        let help = "declare the fields in `properties`, or set `x-kubernetes-preserve-unknown-fields: true`";
        refuse(at, "embedded object allows any keys", help, "additionalProperties");
    }
    if !preserves_unknown(schema) && !has_properties(schema) {
        let help = "add `properties`, or `x-kubernetes-preserve-unknown-fields: true`";
        refuse(key, "embedded object declares no fields", help, "properties");
    }
}

/// Reports a field of an embedded object whose type differs from that in all objects.
fn check_wanted_value(judge: &mut Judge<'_>, schema: &Node, field: &str, name: &str) {
    // `null` means an empty schema here.
    let property = schema.get("properties").and_then(Node::as_map).and_then(|it| it.entry(field));
    let Some(property) = property else { return };
    let value = &property.value;
    // A missing type is reported elsewhere if it is required.
    let is_free = preserves_unknown(value) || is_true(value, INT_OR_STRING);
    if type_of(value).is_none_or(|own| own == name || own.is_empty() && !is_free) {
        return;
    }
    let at = value.get("type").map_or(property.key_origin().span(), Node::span);
    let message = message!("`{field}` of an embedded object is not of type `{name}`");
    judge.refuse(
        &CRD_KEYWORD_MISPLACED,
        (at, (value, "type")),
        (message, message!("write `type: {name}`")),
    );
}
