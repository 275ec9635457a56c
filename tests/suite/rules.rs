//! The registry of rules: names and fixtures.

use std::collections::BTreeSet;

use sandboxc::{Rule, rules};

use crate::support::{NOT_REACHED, cases, root};

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
fn rules_that_no_fixture_raises_have_no_cases() {
    for (name, text) in cases::pages(&root().join("docs/rules")) {
        let has_cases = !cases::cases_of_page(&text).is_empty();
        let is_reached = !NOT_REACHED.contains(&name.as_str());
        assert!(is_reached || !has_cases, "{name} has cases: remove it from NOT_REACHED");
    }
}
