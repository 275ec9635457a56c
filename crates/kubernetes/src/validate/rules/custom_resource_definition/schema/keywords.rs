//! JSON Schema keywords that definitions cannot use anywhere.

use super::Site;
use super::reading::{has_properties, type_of};
use crate::diag::{Message, message};
use crate::schema::check_go_pattern;
use crate::tree::{Entry, Node, Value};
use crate::validate::rules::custom_resource_definition::{
    CRD_KEYWORD_UNSUPPORTED, CRD_METADATA_RESTRICTED, CRD_PATTERN_INVALID,
};
use crate::validate::rules::judge::{Judge, is_true, shown, text_of};

const EMBEDDED: &str = "x-kubernetes-embedded-resource";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object"];

/// Keywords that are rejected whatever their value.
const ABSENT: &[(&str, &str)] = &[
    ("$ref", "write the referenced schema inline"),
    ("additionalItems", "remove it: all items have the same schema"),
    ("dependencies", "use a rule in `x-kubernetes-validations`, or `anyOf` with `required`"),
];

/// Keywords that are rejected unless their value is empty.
const EMPTY: &[(&str, &str)] = &[
    ("$schema", "remove it"),
    ("id", "remove it"),
    ("definitions", "write each schema inline where it is used"),
    ("patternProperties", "use `additionalProperties`, which applies to all keys"),
];

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node, site: Site) {
    check_type(judge, schema);
    check_unsupported(judge, schema);
    check_pattern(judge, schema);
    if let Some(entry) = schema.entry("default")
        && let Some(reason) = site.forbids_default
    {
        let message = "`metadata` has a default";
        let help = message!("remove it: {reason}");
        judge.refuse(&CRD_METADATA_RESTRICTED, entry, (message, help));
    }
    if let Some(entry) = schema.entry(EMBEDDED).filter(|_| site.is_inside_metadata)
        && is_true(schema, EMBEDDED)
    {
        let message = "embedded object in the metadata of another object";
        judge.refuse(&CRD_METADATA_RESTRICTED, entry, (message, "remove it"));
    }
}

fn check_type(judge: &mut Judge<'_>, schema: &Node) {
    match type_of(schema) {
        None | Some("") => {}
        Some("null") => {
            let at = schema.get("type").map_or_else(|| schema.span(), Node::span);
            let message = "`null` is not a valid type";
            let help = "write the type of the other values, and `nullable: true`";
            let rule = &CRD_KEYWORD_UNSUPPORTED;
            judge.refuse(rule, (at, (schema, "type")), (message, help));
        }
        Some(_) => judge.listed(schema, "type", TYPES),
    }
}

fn check_unsupported(judge: &mut Judge<'_>, schema: &Node) {
    let mut refuse = |entry: &Entry, message: Message, help: &'static str| {
        judge.refuse(&CRD_KEYWORD_UNSUPPORTED, entry, (message, help));
    };
    let not_known = |keyword: &str| message!("the API server does not support `{keyword}`");
    for (keyword, help) in ABSENT {
        if let Some(entry) = schema.entry(keyword) {
            refuse(entry, not_known(keyword), help);
        }
    }
    for (keyword, help) in EMPTY {
        let says = |entry: &&Entry| entry.value.as_str() != Some("") && !is_empty_map(&entry.value);
        if let Some(entry) = schema.entry(keyword).filter(says) {
            refuse(entry, not_known(keyword), help);
        }
    }
    if let Some(entry) = schema.entry("uniqueItems").filter(|_| is_true(schema, "uniqueItems")) {
        let help = "write `x-kubernetes-list-type: set`";
        refuse(entry, "`uniqueItems: true` is not supported".into(), help);
    }
    if let Some(entry) = schema.entry(PRESERVE).filter(|entry| entry.value.as_bool() == Some(false))
    {
        refuse(
            entry,
            message!("`{PRESERVE}` must not be `false`"),
            "remove it: unknown fields are dropped by default",
        );
    }
    if let Some(entry) =
        schema.entry("items").filter(|entry| matches!(entry.value.value, Value::List(_)))
        && !entry.value.items().is_empty()
    {
        let help = "write one schema for all items";
        refuse(entry, "list has several item schemas".into(), help);
    }
    if let Some(entry) = schema.entry("additionalProperties") {
        let (is_true, is_bool) = (entry.value.as_bool() == Some(true), entry.value.as_bool());
        if has_properties(schema) && !is_true {
            let help = "keep `properties`, or a schema for the values of all keys";
            let message = "`additionalProperties` is set together with `properties`";
            refuse(entry, message.into(), help);
        } else if is_bool.is_none() && entry.value.as_map().is_none() {
            let message = message!(
                "`additionalProperties` must be a schema or a boolean, not {}",
                entry.value.describe()
            );
            refuse(entry, message, "write a schema for the values, or `true`");
        }
    }
}

fn is_empty_map(node: &Node) -> bool {
    node.as_map().is_some_and(|map| map.entries().is_empty())
}

fn check_pattern(judge: &mut Judge<'_>, schema: &Node) {
    let Some(node) = schema.get("pattern") else { return };
    let Some(Err(fault)) = node.as_str().map(check_go_pattern) else { return };
    let message = message!("pattern `{}` {fault}", shown(text_of(node)));
    let help = "write a regular expression that Go's `regexp` package accepts";
    judge.refuse(&CRD_PATTERN_INVALID, node, (message, help));
}
