//! The structure of a SARIF log, as far as findings need it. The names are the standard's.

use std::borrow::Cow;

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log<R> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<R> {
    pub(super) tool: Tool,
    pub(super) column_kind: &'static str,
    pub(super) newline_sequences: [&'static str; 3],
    pub(super) results: R,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) information_uri: Option<&'static str>,
    pub(super) rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) short_description: Message<String>,
    pub(super) full_description: Message<String>,
    pub(super) help: Page,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    pub(super) properties: Tags,
    pub(super) default_configuration: Configuration,
}

/// The tags by which code scanning services filter rules.
#[derive(Serialize)]
pub(super) struct Tags {
    pub(super) tags: Vec<&'static str>,
}

#[derive(Serialize)]
pub(super) struct Page {
    pub(super) text: &'static str,
    pub(super) markdown: &'static str,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding<'r> {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Message<String>,
    pub(super) locations: [SarifLocation<'r>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occurrence_count: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<SarifLocation<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix<'r>>,
    pub(super) partial_fingerprints: Fingerprint<'r>,
}

#[derive(Serialize)]
pub(super) struct Message<T> {
    pub(super) text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<Logical>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message<Cow<'r, str>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub(super) artifact_location: Artifact,
    pub(super) region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Logical {
    pub(super) fully_qualified_name: String,
    pub(super) kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) start_column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'r> {
    pub(super) description: Message<Cow<'r, str>>,
    pub(super) artifact_changes: [Change<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change<'r> {
    pub(super) artifact_location: Artifact,
    pub(super) replacements: [Replacement<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'r> {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: Message<&'r str>,
}

#[derive(Serialize)]
pub(super) struct Fingerprint<'r> {
    #[serde(rename = "finding/v1")]
    pub(super) finding: &'r str,
}
