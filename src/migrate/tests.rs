//! `check` and `migrate` agree on what is old.

use std::path::Path;

use super::migrate;
use crate::compile::{Options, compile};
use crate::diag::Diagnostic;
use crate::fuzzing::tests::mutations::cases::inputs;
use crate::scalar::Versions;
use crate::schema::store;
use crate::source::Workspace;

/// The rules of `check` about a version that is not served, or will not be.
const RULES: [&str; 6] = [
    "api-version-deprecated",
    "api-version-not-served",
    "api-version-removed",
    "api-version-wrong",
    "kind-not-in-version",
    "kind-unknown",
];

/// Whether `migrate` has something to do for a file and a target version, or how `check` contradicts it.
fn is_touched(text: &str, target: &str) -> Result<bool, String> {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let mut options = Options::default();
    options.kubernetes = Versions::parse(target).expect("a version");
    let migrated = migrate(&workspace, &options).edited;
    let is_touched = !migrated.files.is_empty() || !migrated.diagnostics.is_empty();
    let found = compile(&workspace, &options).diagnostics;
    let helps = |it: &Diagnostic| {
        let mut helps = it.details().help.iter();
        helps.any(|help| help.as_prose().to_string().contains("sandboxc migrate"))
    };
    let is_told = found.iter().any(helps);
    let has_old_version = found.iter().any(|it| RULES.contains(&it.rule.name));
    let names: Vec<_> = found.iter().map(|it| it.rule.name).collect();
    if is_told && !is_touched || is_touched && !has_old_version {
        return Err(format!("{target}: migrate {is_touched}, check {names:?}\n{text}"));
    }
    Ok(is_touched)
}

/// The number of files that `migrate` has something to do for.
fn touched(found: impl Iterator<Item = Result<bool, String>>) -> usize {
    let (found, wrong): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
    let wrong: Vec<_> = wrong.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{} contradictions:\n{}", wrong.len(), wrong.join("\n"));
    found.into_iter().filter(|it| *it == Ok(true)).count()
}

#[test]
fn check_and_migrate_agree_on_each_version_of_each_kind() {
    let text = |kind: &store::Kind| {
        let (version, kind) = (kind.api_version(), kind.kind);
        format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\n")
    };
    let targets: Vec<_> = Versions::ALL.iter().map(|it| it.to_string()).collect();
    let all = store::kinds().iter().flat_map(|kind| targets.iter().map(move |it| (kind, it)));
    assert!(touched(all.map(|(kind, target)| is_touched(&text(kind), target))) > 30);
}

#[test]
fn check_and_migrate_agree_on_the_fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = inputs(root, "migrate").into_iter().map(|(_, bytes)| String::from_utf8(bytes));
    let texts: Vec<_> = texts.map(|text| text.expect("UTF-8")).collect();
    let documents = texts.iter().flat_map(|text| text.split("\n---\n"));
    let documents = documents.filter(|document| document.contains("apiVersion:"));
    let found: Vec<_> = documents.map(|document| is_touched(document, "1.37")).collect();
    assert!(touched(found.into_iter()) > 50);
}
