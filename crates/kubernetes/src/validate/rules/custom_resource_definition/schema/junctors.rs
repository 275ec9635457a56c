//! Restrictions on schemas inside `allOf`, `anyOf`, `oneOf` and `not`
//! (`validateNestedValueValidation`).

use super::reading::is_set;
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::custom_resource_definition::{
    CRD_METADATA_RESTRICTED, CRD_NOT_STRUCTURAL,
};
use crate::validate::rules::judge::Judge;

/// The keywords that describe a value instead of restricting it.
const DESCRIBING: &[&str] = &[
    "type",
    "default",
    "title",
    "description",
    "nullable",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node) {
    for entry in schema.entries() {
        let keyword = entry.key.as_str();
        let value = &entry.value;
        let is_describing = match keyword {
            // These have an effect even with an empty value.
            "default" | "x-kubernetes-list-type" | "x-kubernetes-map-type" => !value.is_null(),
            "additionalProperties" => value.as_map().is_some() || value.as_bool() == Some(true),
            "x-kubernetes-list-map-keys" | "x-kubernetes-validations" => !value.items().is_empty(),
            _ => DESCRIBING.contains(&keyword) && is_set(value),
        };
        if is_describing {
            let message = message!("`{keyword}` is set inside `allOf`, `anyOf`, `oneOf` or `not`");
            let help = "move it outside of them: they can only restrict declared values";
            judge.refuse(&CRD_NOT_STRUCTURAL, entry, (message, help));
        }
    }
    let properties = schema.get("properties").and_then(Node::as_map);
    if let Some(entry) = properties.and_then(|it| it.entry("metadata")) {
        let message = "`metadata` is restricted inside `allOf`, `anyOf`, `oneOf` or `not`";
        let rule = &CRD_METADATA_RESTRICTED;
        let help = "move it outside of them, for `name` and `generateName` only";
        judge.refuse(rule, entry, (message, help));
    }
}
