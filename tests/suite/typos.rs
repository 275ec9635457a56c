//! `fixtures/typos/cases.md`: common typos in otherwise valid input. Each results in one error, at the typo
//! and with the fix, and in no findings that only follow from it.

use sandboxc::{Paint, Severity, render_human};

use crate::support::{Fixture, accepted, fixtures, found};

/// Objects that a manifest refers to may be in the cluster.
const WARNINGS: &[&str] = &["typos/manifest_unknown_pool.yaml"];

#[test]
fn each_typo_is_one_error_at_its_location() {
    let mut failures = Vec::new();
    for fixture in fixtures("typos") {
        let (workspace, compilation) = fixture.compile();
        let found = found(&workspace, &compilation);
        let is_one_error = matches!(
            compilation.diagnostics.as_slice(),
            [finding] if finding.severity == Severity::Error
                || WARNINGS.contains(&fixture.name.as_str())
        );
        if !is_one_error || found != fixture.expected {
            let expected = &fixture.expected;
            failures
                .push(format!("{}\n  announced {expected:?}\n  found     {found:?}", fixture.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Before you accept an output, ask: would I know immediately what to write?
#[test]
fn messages_say_what_to_write() {
    let output = |fixture: Fixture| {
        let (workspace, compilation) = fixture.compile();
        let text = render_human(&workspace, &compilation.diagnostics, Paint::Plain);
        (fixture.case(), Some(text))
    };
    let outputs: Vec<_> = fixtures("typos").into_iter().map(output).collect();
    let difference = accepted::difference("fixtures/typos/cases.md", &outputs, "suite typos");
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}
