//! Restrictions on the schema of an object's metadata.

use crate::crd::says_nothing;
use crate::diag::message;
use crate::tree::{Entry, Node};
use crate::validate::rules::custom_resource_definition::CRD_METADATA_RESTRICTED;
use crate::validate::rules::judge::{Judge, entries};

/// The only fields that can be restricted (`validateStructuralMetadataInvariants`).
const NAMES: &[&str] = &["name", "generateName"];

pub(super) fn check_root(judge: &mut Judge<'_>, schema: &Node) {
    let Some(metadata) = schema.at(&["properties", "metadata"]) else { return };
    let mut refuse = |entry: &Entry, what: &str| {
        let message = message!("schema of `metadata` has {what}");
        let help = "write `metadata: {type: object}`: the API server has the full schema";
        judge.refuse(&CRD_METADATA_RESTRICTED, entry, (message, help));
    };
    for entry in metadata.entries() {
        // A default is reported separately.
        let is_free = matches!(entry.key.as_str(), "type" | "default" | "properties");
        if !is_free && !says_nothing(&entry.key, &entry.value) {
            refuse(entry, "a keyword other than `properties`");
        }
    }
    for entry in entries(metadata, "properties") {
        if !NAMES.contains(&entry.key.as_str()) {
            refuse(entry, "a property other than `name` and `generateName`");
        }
    }
}
