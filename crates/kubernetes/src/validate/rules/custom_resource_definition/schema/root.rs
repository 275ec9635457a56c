//! Restrictions on the root of a schema.

use super::Walk;
use super::reading::is_set;
use crate::tree::{Node, Path};
use crate::validate::rules::custom_resource_definition::CRD_KEYWORD_UNSUPPORTED;
use crate::validate::rules::judging::{Judging, is_true};

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

pub(super) fn check(walk: &mut Walk<'_, '_, '_>, schema: &Node, has_status: bool, path: &Path<'_>) {
    let rule = &CRD_KEYWORD_UNSUPPORTED;
    if let Some(entry) = schema.entry("nullable").filter(|_| is_true(schema, "nullable")) {
        let message = "the root of the schema is nullable";
        let at = entry.key_origin.span();
        walk.refuse(rule, at, (message, "remove `nullable`"), &path.field("nullable"));
    }
    if let Some(entry) = schema.entry("additionalProperties") {
        let message = "the root of the schema has `additionalProperties`";
        let help = "declare the fields in `properties`, or set \
                    `x-kubernetes-preserve-unknown-fields: true`";
        let at = entry.key_origin.span();
        walk.refuse(rule, at, (message, help), &path.field("additionalProperties"));
    }
    if !has_status {
        return;
    }
    for keyword in NOT_WITH_STATUS {
        let Some(entry) = schema.entry(keyword).filter(|it| is_set(&it.value)) else { continue };
        let message =
            format!("`{keyword}` is set at the root of a schema with a `status` subresource");
        let help = "move it into the schema of `spec`, or remove the `status` subresource";
        walk.refuse(rule, entry.key_origin.span(), (message, help), &path.field(keyword));
    }
}
