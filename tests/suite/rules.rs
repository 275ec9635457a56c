//! The registry of rules: names and fixtures.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{Rule, rules};

use crate::support::root;

/// Rules that no fixture can raise. Their examples are not compiled either.
pub(crate) const NOT_REACHED: &[&str] = &[
    // An internal error, which has a unit test.
    "internal",
    // Only reported with `--lossy`; it has a unit test.
    "import-lossy",
    // Only reported by `import` of custom resources.
    "import-default",
    "import-kept",
    // Only reported by `migrate`.
    "migration-default",
    "migration-doubtful",
    "not-migrated",
    // Only reported by `test`, which has tests for each expectation.
    "test-failed",
    // The schema check of a definition reports these faults first, under other rules.
    "list-item-without-key",
    "override-type-mismatch",
];

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

/// The page of a rule has an example that raises it, and one that does not; more cases are here.
#[test]
fn fixtures_belong_to_rules() {
    for entry in fs::read_dir(root().join("fixtures/diag")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(rules::find(&name).is_some(), "fixtures/diag/{name}: there is no such rule");
        let is_reached = !NOT_REACHED.contains(&name.as_str());
        assert!(is_reached, "{name} has fixtures: remove it from NOT_REACHED");
    }
}
