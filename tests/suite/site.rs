//! What the site is made of: the table of rules, and the summary of all pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use sandboxc::{Rule, Safety, rules};
use serde_json::{Value, json};

use crate::support::{Compiled, diag, has_all, root, updates};

/// The rules as the site filters them, one in each line. A rule is fixable if a finding of its
/// examples or fixtures has a suggestion.
pub(crate) fn table_of_rules() -> String {
    let fixes = fixes();
    let mut table = String::new();
    for rule in rules::all() {
        let row = json!({
            "name": rule.name,
            "severity": rule.severity.as_str(),
            "subjects": rules::subjects(rule),
            "fix": fixes.get(rule.name).map(|it| it.as_str()),
            "summary": rules::summary(rule),
        });
        let separator = if table.is_empty() { "[\n" } else { ",\n" };
        let _ = write!(table, "{separator}{row}");
    }
    table + "\n]\n"
}

/// The safest suggestion of each rule: only all cases have it. A sample must have no safer one than the table.
fn fixes() -> BTreeMap<String, Safety> {
    let mut fixes = if has_all() { BTreeMap::new() } else { known_fixes() };
    let all: Vec<&Compiled> = diag().iter().chain(updates()).collect();
    for finding in all.iter().flat_map(|it| &it.compilation.diagnostics) {
        for suggestion in &finding.details().suggestions {
            let known = fixes.entry(finding.rule.name.to_owned()).or_insert(suggestion.safety);
            *known = suggestion.safety.min(*known);
        }
    }
    fixes
}

/// The suggestions in the table.
fn known_fixes() -> BTreeMap<String, Safety> {
    let text = fs::read_to_string(root().join("site/rules.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let fix = |row: &Value| {
        let mut all = [Safety::Safe, Safety::Unsafe].into_iter();
        let safety = all.find(|it| row["fix"] == it.as_str())?;
        Some((row["name"].as_str()?.to_owned(), safety))
    };
    rows.iter().filter_map(fix).collect()
}

/// A row has what the filters of the site need.
#[test]
fn subjects_include_the_system() {
    let subjects = |name: &str| rules::subjects(rules::find(name).unwrap());
    assert_eq!(subjects("warm-pool-not-found"), ["agent-sandbox"]);
    assert_eq!(subjects("yaml-syntax"), ["yaml"]);
    let has_none = |rule: &&'static Rule| rules::subjects(rule).is_empty();
    assert_eq!(rules::all().into_iter().find(has_none), None);
}

/// The site only has the pages of its summary.
#[test]
fn the_summary_has_each_page() {
    let summary = fs::read_to_string(root().join("site/SUMMARY.md")).unwrap();
    let listed = summary.lines().filter_map(|line| Some(line.split_once("](")?.1));
    let listed: Vec<_> = listed.filter_map(|it| it.strip_suffix(')')).map(str::to_owned).collect();
    let unique: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");

    let files = fs::read_dir(root().join("docs")).unwrap().map(|it| it.unwrap());
    let files = files.filter(|it| it.path().extension().is_some_and(|it| it == "md"));
    let pages = files.map(|it| format!("docs/{}", it.file_name().into_string().unwrap()));
    // The build adds the page of each rule.
    let others = ["README.md", "CONTRIBUTING.md", "docs/rules/README.md"].map(str::to_owned);
    assert_eq!(unique, pages.chain(others).collect());
}
