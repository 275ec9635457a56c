//! The registry of rules: names and fixtures.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{Rule, rules};

use crate::support::root;

/// Rules that no fixture can raise. Remove a rule from the list when it gets a fixture.
pub(crate) const NOT_REACHED: &[&str] = &[
    // An internal error, which has a unit test.
    "internal",
    // Only reported with `--lossy`; it has a unit test.
    "import-lossy",
    // The schema check of a definition reports these faults first, under other rules.
    "list-item-without-key",
    "override-type-mismatch",
];

/// Rules whose fixture would have to be as large as their limit, or have as many findings.
const TOO_LARGE: &[&str] = &[
    "annotations-too-large",
    "argument-too-long",
    "data-too-large",
    "file-too-large",
    "object-too-large",
    "plugins-too-large",
    "too-many-findings",
];

fn is_reached(rule: &Rule) -> bool {
    !NOT_REACHED.contains(&rule.name) && !TOO_LARGE.contains(&rule.name)
}

/// The faults of all rules.
pub(crate) fn failures(check: impl Fn(&Rule) -> Vec<String>) {
    let failures: Vec<_> = rules::all()
        .into_iter()
        .flat_map(|rule| check(rule).into_iter().map(|it| format!("{}: {it}", rule.name)))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn names_are_kebab_case_and_unique() {
    let names: Vec<_> = rules::all().iter().map(|rule| rule.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    failures(|rule| {
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        let is_kebab_case = rule.name.split('-').all(is_word);
        if is_kebab_case { vec![] } else { vec!["not kebab-case".to_owned()] }
    });
}

#[test]
fn each_rule_has_err_and_ok_fixtures() {
    let folder = root().join("fixtures/diag");
    failures(|rule| {
        if !is_reached(rule) {
            let is_free = !folder.join(rule.name).exists();
            return if is_free {
                vec![]
            } else {
                vec!["has fixtures: no longer NOT_REACHED".into()]
            };
        }
        let files: Vec<_> = fs::read_dir(folder.join(rule.name))
            .map(|entries| entries.map(|it| it.unwrap().file_name()).collect())
            .unwrap_or_default();
        let has = |sign: &str| files.iter().any(|it| it.to_str().unwrap().starts_with(sign));
        ["err_", "ok_"]
            .into_iter()
            .filter(|sign| !has(sign))
            .map(|sign| format!("no fixtures/diag/{}/{sign}*.yaml", rule.name))
            .collect()
    });
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(rules::find(&name).is_some(), "fixtures/diag/{name}: there is no such rule");
    }
}
