//! `CustomResourceDefinition`, after `ValidateCustomResourceDefinition` of
//! apiextensions-apiserver's `pkg/apis/apiextensions/validation`.
//!
//! The rules in `x-kubernetes-validations` are checked elsewhere.

mod columns;
mod conversion;
mod names;
mod scale;
mod schema;
mod selectable_fields;
mod versions;

use super::judge::{Judge, items};
use crate::diag::declare_rules;
use crate::tree::Node;

declare_rules! {
    CRD_APPROVAL_MISSING = "crd-approval-missing", Error;
    CRD_COLUMN_INVALID = "crd-column-invalid", Error;
    CRD_CONVERSION_INVALID = "crd-conversion-invalid", Error;
    CRD_DEFAULT_INVALID = "crd-default-invalid", Error;
    CRD_DEPRECATION_WARNING_INVALID = "crd-deprecation-warning-invalid", Error;
    CRD_GROUP_INVALID = "crd-group-invalid", Error;
    CRD_KEYWORD_MISPLACED = "crd-keyword-misplaced", Error;
    CRD_KEYWORD_UNSUPPORTED = "crd-keyword-unsupported", Error;
    CRD_LIST_TYPE_INVALID = "crd-list-type-invalid", Error;
    CRD_METADATA_RESTRICTED = "crd-metadata-restricted", Error;
    CRD_NAMES_INVALID = "crd-names-invalid", Error;
    CRD_NAME_MISMATCH = "crd-name-mismatch", Error, follows = [SamePlace];
    CRD_NOT_STRUCTURAL = "crd-not-structural", Error;
    CRD_PATTERN_INVALID = "crd-pattern-invalid", Error;
    CRD_SCALE_PATH_INVALID = "crd-scale-path-invalid", Error;
    CRD_SCHEMA_MISSING = "crd-schema-missing", Error, follows = [Misplaced];
    CRD_SELECTABLE_FIELD_INVALID = "crd-selectable-field-invalid", Error;
    CRD_STORAGE_VERSION_NOT_ONE = "crd-storage-version-not-one", Error, follows = [Misplaced];
    CRD_TYPE_MISSING = "crd-type-missing", Error, follows = [Misplaced];
    CRD_UNKNOWN_FIELDS_PRESERVED = "crd-unknown-fields-preserved", Error;
    CRD_VERSION_NAME_INVALID = "crd-version-name-invalid", Error;
}

/// Checks one definition.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    // The fields of removed versions differ.
    if object.gvk.version != "v1" {
        return;
    }
    let Some(spec) = object.root.get("spec") else { return };
    names::check(judge, spec);
    judge.listed(spec, "scope", &["Namespaced", "Cluster"]);
    if let Some(conversion) = spec.get("conversion") {
        conversion::check(judge, conversion);
    }
    versions::check(judge, spec);
    for version in items(spec, "versions") {
        columns::check(judge, version);
        scale::check(judge, version);
    }
    selectable_fields::check(judge, spec);
    schema::check(judge, spec);
}

/// The schema of a version.
fn schema_of(version: &Node) -> Option<&Node> {
    version.at(&["schema", "openAPIV3Schema"])
}

/// Whether the API server accepts a path of a column or scale field: it only checks the first
/// character (`validateSimpleJSONPath`).
fn starts_with_dot(path: &str) -> bool {
    path.starts_with('.')
}
