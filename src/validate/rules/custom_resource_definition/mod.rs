//! `CustomResourceDefinition`: after `ValidateCustomResourceDefinition` of apiextensions-apiserver's
//! `pkg/apis/apiextensions/validation`.
//!
//! The rules of `x-kubernetes-validations` are not looked at here.

mod columns;
mod conversion;
mod names;
mod pages;
mod scale;
mod schema;
mod selectable_fields;
mod versions;

use super::judging::{Judging, items};
use super::of_object::ObjectJudge;
use crate::diag::Rule;
use crate::tree::{Node, Path};

/// The rules of definitions.
pub(crate) static RULES: &[&[&Rule]] =
    &[pages::names::RULES, pages::versions::RULES, pages::schema::RULES, pages::structure::RULES];

/// Checks one definition.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let Some(spec) = object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    names::check(judge, spec, &path);
    judge.listed(spec, "scope", &["Namespaced", "Cluster"], &path);
    if let Some(conversion) = spec.get("conversion") {
        conversion::check(judge, conversion, &path.field("conversion"));
    }
    versions::check(judge, spec, &path);
    let versions = path.field("versions");
    for (index, version) in items(spec, "versions").iter().enumerate() {
        let path = versions.index(index);
        columns::check(judge, version, &path);
        scale::check(judge, version, &path);
    }
    selectable_fields::check(judge, spec, &path);
    schema::check(judge, spec, &path);
}

/// The schema of a version.
fn schema_of(version: &Node) -> Option<&Node> {
    version.at(&["schema", "openAPIV3Schema"])
}

/// Whether a path is one as the API server takes it for columns and for scaling: it looks at the first
/// character alone (`validateSimpleJSONPath`).
fn starts_with_dot(path: &str) -> bool {
    path.starts_with('.')
}
