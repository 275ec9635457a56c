//! Restrictions on the root of a schema.

use super::reading::is_set;
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::custom_resource_definition::CRD_KEYWORD_UNSUPPORTED;
use crate::validate::rules::judge::{Judge, is_true};

/// The keywords that are not allowed with a status subresource, whose schema is validated
/// separately (`allowedFieldsAtRootSchema` has all others).
const NOT_WITH_STATUS: &[&str] = &[
    "default",
    "maxProperties",
    "minProperties",
    "enum",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node, has_status: bool) {
    let rule = &CRD_KEYWORD_UNSUPPORTED;
    if let Some(entry) = schema.entry("nullable").filter(|_| is_true(schema, "nullable")) {
        let message = "the root of the schema is nullable";
        judge.refuse(rule, entry, (message, "remove `nullable`"));
    }
    if let Some(entry) = schema.entry("additionalProperties") {
        let message = "the root of the schema has `additionalProperties`";
        let help = "declare the fields in `properties`, or set \
                    `x-kubernetes-preserve-unknown-fields: true`";
        judge.refuse(rule, entry, (message, help));
    }
    if !has_status {
        return;
    }
    for keyword in NOT_WITH_STATUS {
        let Some(entry) = schema.entry(keyword).filter(|entry| is_set(&entry.value)) else {
            continue;
        };
        let message =
            message!("`{keyword}` is set at the root of a schema with a `status` subresource");
        let help = "move it into the schema of `spec`, or remove the `status` subresource";
        judge.refuse(rule, entry, (message, help));
    }
}
