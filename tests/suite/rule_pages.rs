//! `docs/rules/`: a page for each rule, with examples that raise the rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use sandboxc::{Rule, rules};

use crate::rules::failures;
use crate::support::cases::{TESTS, pages, sections, split_page};
use crate::support::{EXAMPLE, REPAIRED, diag, fixture_name, root, updates};

/// Examples that necessarily raise another rule as well.
const ALSO_RAISED: &[(&str, &str)] = &[
    // Only a Runner that compiles to no objects has settings without effect.
    ("runner-setting-unused", "runner-not-compiled"),
    // Only a deprecated version has claims of a template.
    ("claim-of-any-pool", "api-version-deprecated"),
    // The files differ, but they define the same object.
    ("definition-ambiguous", "object-in-several-files"),
    // The kubelet also rejects the forbidden setting.
    ("pod-security-run-as-root", "run-as-non-root-conflict"),
    // The error remains.
    ("exception-for-error", "unknown-field"),
    // A Sandbox name that leaves no room for `work-` is always too long for a label.
    ("volume-claim-name-long", "sandbox-name-long"),
    // The findings that exceed the limit.
    ("too-many-findings", "field-missing"),
    // The API server requires the host network for a HostProcess container.
    ("pod-security-host-process", "pod-security-host-namespaces"),
    ("pod-security-host-process", "template-host-network"),
];

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

#[test]
fn each_example_raises_its_rule_and_nothing_else() {
    failures(|rule| {
        let also = ALSO_RAISED.iter().filter(|(name, _)| *name == rule.name);
        let expected: BTreeSet<_> = also.map(|(_, other)| *other).chain([rule.name]).collect();
        let raised = raised_by(rule, EXAMPLE).filter(|it| *it != expected);
        raised.map(|it| format!("the example raises {it:?}")).into_iter().collect()
    });
}

/// `tests/rules.rs` compares the findings of both blocks in full.
#[test]
fn the_repaired_example_does_not_raise_the_rule() {
    failures(|rule| {
        let raised = raised_by(rule, REPAIRED).filter(|it| it.contains(rule.name));
        raised.map(|_| "what to use instead raises it as well".to_owned()).into_iter().collect()
    });
}

/// The rules that a code block of a page raises.
fn raised_by(rule: &Rule, file: &str) -> Option<BTreeSet<&'static str>> {
    let name = fixture_name(rule, file);
    let compiled = diag().iter().chain(updates()).find(|it| it.fixture.name == name)?;
    Some(compiled.compilation.diagnostics.iter().map(|it| it.rule.name).collect())
}
