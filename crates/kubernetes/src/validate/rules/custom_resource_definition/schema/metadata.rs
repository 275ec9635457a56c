//! Restrictions on the schema of an object's metadata.

use super::Walk;
use crate::crd::says_nothing;
use crate::tree::{Entry, Node, Path};
use crate::validate::rules::custom_resource_definition::CRD_METADATA_RESTRICTED;
use crate::validate::rules::judging::Judging;

/// The only fields that can be restricted (`validateStructuralMetadataInvariants`).
const NAMES: &[&str] = &["name", "generateName"];

pub(super) fn check_root(walk: &mut Walk<'_, '_, '_>, schema: &Node, path: &Path<'_>) {
    let Some(metadata) = schema.at(&["properties", "metadata"]) else { return };
    let properties = path.field("properties");
    let path = properties.key("metadata");
    let mut refuse = |entry: &Entry, what: &str, path: &Path<'_>| {
        let message = format!("schema of `metadata` has {what}");
        let help = "write `metadata: {type: object}`: the API server has the full schema";
        let at = entry.key_origin.span();
        walk.refuse(&CRD_METADATA_RESTRICTED, at, (message, help), path);
    };
    for entry in metadata.entries() {
        // A default is reported separately.
        let is_free = matches!(entry.key.as_str(), "type" | "default" | "properties");
        if !is_free && !says_nothing(&entry.key, &entry.value) {
            refuse(entry, "a keyword other than `properties`", &path.field(&entry.key));
        }
    }
    let fields = path.field("properties");
    for entry in metadata.get("properties").map_or(&[][..], Node::entries) {
        if !NAMES.contains(&entry.key.as_str()) {
            refuse(
                entry,
                "a property other than `name` and `generateName`",
                &fields.key(&entry.key),
            );
        }
    }
}
