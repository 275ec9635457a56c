//! `docs/rules/`: a page for each rule. `tests/rules.rs` compiles the examples.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use sandboxc::rules;

use crate::rules::failures;
use crate::support::cases::{TESTS, pages, sections, split_page};
use crate::support::root;

const HEADINGS: [&str; 4] = ["What it does", "Why is this bad?", "Example", "Use instead"];

#[test]
fn each_page_belongs_to_a_rule() {
    let of_rules = rules::all().into_iter().map(|rule| format!("{}.md", rule.name));
    let expected: BTreeSet<_> = of_rules.chain(["README.md".to_owned()]).collect();
    let entries = fs::read_dir(root().join("docs/rules")).unwrap();
    let found = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(expected, found);
}

/// What `build.rs` embeds.
#[test]
fn users_see_pages_without_cases() {
    let files: BTreeMap<_, _> = pages(&root().join("docs/rules")).into_iter().collect();
    failures(|rule| {
        let (page, _) = split_page(&files[rule.name]);
        let is_page = rules::page(rule) == page && !page.contains(TESTS.trim_end());
        if is_page { vec![] } else { vec!["`explain` prints something else".to_owned()] }
    });
}

#[test]
fn titles_and_severities_match_the_declarations() {
    failures(|rule| {
        let expected = format!("# {}\n\nSeverity: {}\n\n## ", rule.name, rule.severity.as_str());
        if sandboxc::rules::page(rule).starts_with(&expected) {
            vec![]
        } else {
            vec![format!("the page does not start with {expected:?}")]
        }
    });
}

#[test]
fn pages_have_the_four_headings() {
    failures(|rule| {
        let sections = sections(rules::docs(rule));
        let headings: Vec<_> = sections.iter().map(|(heading, _)| *heading).collect();
        let mut failures = Vec::new();
        if headings != HEADINGS {
            failures.push(format!("headings are {headings:?}"));
        }
        for (heading, text) in sections {
            if text.trim().is_empty() {
                failures.push(format!("nothing under {heading:?}"));
            }
        }
        failures
    });
}
