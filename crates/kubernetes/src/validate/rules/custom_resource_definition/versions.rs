//! The versions: their names, the storage version, and their schemas.

use super::{
    CRD_DEPRECATION_WARNING_INVALID, CRD_SCHEMA_MISSING, CRD_STORAGE_VERSION_NOT_ONE,
    CRD_UNKNOWN_FIELDS_PRESERVED, CRD_VERSION_NAME_INVALID, schema_of,
};
use crate::diag::{Diagnostic, message};
use crate::scalar::check_service_name;
use crate::tree::{Entry, Node, Value};
use crate::validate::rules::judge::{
    Absence, Judge, filled, is_true, key_or_start, shown, text_node, texts_in,
};
use crate::validate::rules::repeated::repeated;

/// The longest deprecation warning, in bytes.
const WARNING_LIMIT: usize = 256;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    if let Some(node) =
        spec.get("preserveUnknownFields").filter(|value| value.as_bool() == Some(true))
    {
        let message = "`preserveUnknownFields: true` is not allowed in `apiextensions.k8s.io/v1`";
        let help = "remove it, and set `x-kubernetes-preserve-unknown-fields: true` in the schema where unknown fields are allowed";
        judge.refuse(&CRD_UNKNOWN_FIELDS_PRESERVED, node, (message, help));
    }
    let Some(list) = spec.entry("versions") else { return };
    let versions = list.value.items();
    for version in versions {
        check_version(judge, version);
    }
    check_unique(judge, versions);
    // A value that is not a list is reported by the schema.
    if matches!(list.value.value, Value::List(_)) {
        check_storage(judge, list);
    }
}

fn check_version(judge: &mut Judge<'_>, version: &Node) {
    judge.needed(version, "name", Absence::BySchema);
    if let Some(name) = filled(version, "name") {
        let help = |_: &str| "write it like `v1`, `v1beta2` or `v2alpha1`".into();
        let what = (&CRD_VERSION_NAME_INVALID, "version name");
        judge.form(name, what, check_service_name, help);
    }
    check_warning(judge, version);
    let is_misread = |node: &Node| !node.is_null() && node.as_map().is_none();
    let schema = version.get("schema");
    let is_reported = schema.is_some_and(|holder| {
        is_misread(holder) || holder.get("openAPIV3Schema").is_some_and(is_misread)
    });
    if schema_of(version).is_none() && !is_reported {
        let message =
            message!("version `{}` has no schema", shown(version.str_at(&["name"]).unwrap_or("?")));
        let at = key_or_start(version, "schema");
        let help = "add `schema: {openAPIV3Schema: {type: object, ...}}`, with `x-kubernetes-preserve-unknown-fields: true` to allow any fields";
        let place = (version, "schema.openAPIV3Schema");
        judge.refuse(&CRD_SCHEMA_MISSING, (at, place), (message, help));
    }
}

fn check_unique(judge: &mut Judge<'_>, versions: &[Node]) {
    let names = texts_in(versions, "name");
    repeated(names, |name, node, first| {
        let message = message!("duplicate version `{}`", shown(name));
        let texts = (message, "repeated", "remove or rename one of them");
        judge.conflict(&CRD_VERSION_NAME_INVALID, node, texts, (first, "first defined here"));
    });
}

fn check_storage(judge: &mut Judge<'_>, list: &Entry) {
    let mut stored = list.value.items().iter().filter(|version| is_true(version, "storage"));
    let Some(first) = stored.next() else {
        let message = "no version is the storage version";
        let help = "write `storage: true` in one version, and `storage: false` in the others";
        let label = "without a storage version";
        judge.fault(&CRD_STORAGE_VERSION_NOT_ONE, list, (message, label, help));
        return;
    };
    let at = |version: &Node| version.get("storage").map_or_else(|| version.span(), Node::span);
    for version in stored {
        let message = "more than one version has `storage: true`";
        let finding = Diagnostic::new(&CRD_STORAGE_VERSION_NOT_ONE, at(version), message)
            .at("another storage version")
            .label(at(first), "first defined here")
            .help("keep `storage: true` in one version");
        judge.report(finding, (version, "storage"));
    }
}

fn check_warning(judge: &mut Judge<'_>, version: &Node) {
    let Some((node, text)) = text_node(version, "deprecationWarning") else { return };
    let (message, help) = if !is_true(version, "deprecated") {
        (
            "`deprecationWarning` is set on a version that is not deprecated",
            "write `deprecated: true`, or remove it",
        )
    } else if text.is_empty() {
        ("`deprecationWarning` is empty", "remove it: the API server has a default warning")
    } else if text.len() > WARNING_LIMIT {
        ("`deprecationWarning` is longer than 256 bytes", "shorten it")
    } else if !text.chars().all(is_printable) {
        ("`deprecationWarning` contains non-printable characters", "write one line of plain text")
    } else {
        return;
    };
    judge.refuse(&CRD_DEPRECATION_WARNING_INVALID, node, (message, help));
}

/// Approximates Go's `unicode.IsPrint`: no control and format characters, no spaces but the plain
/// one, no private use characters.
fn is_printable(character: char) -> bool {
    let is_format = matches!(
        character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{e007f}' | '\u{f0000}'..
    );
    character == ' ' || !(character.is_control() || character.is_whitespace() || is_format)
}
