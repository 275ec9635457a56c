//! `fixtures/typos/`: common typos in otherwise valid input. Each results in one error, at the typo
//! and with the fix, and in no findings that only follow from it.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sandboxc::{Paint, Severity, render_human};

use crate::support::{Fixture, fixtures, found, root};

/// Objects that a manifest refers to may be in the cluster.
const WARNINGS: &[&str] = &["typos/manifest_unknown_pool.yaml"];

#[test]
fn each_typo_is_one_error_at_its_location() {
    let mut failures = Vec::new();
    for path in fixtures("typos") {
        let fixture = Fixture::read(&path);
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

/// Before you accept a snapshot, ask: would I know immediately what to write?
#[test]
fn messages_say_what_to_write() {
    let mut failures = Vec::new();
    let mut names = BTreeSet::new();
    for path in fixtures("typos") {
        let fixture = Fixture::read(&path);
        let (workspace, compilation) = fixture.compile();
        let text = render_human(&workspace, &compilation.diagnostics, Paint::Plain);
        let name = fixture.name.trim_start_matches("typos/").trim_end_matches(".yaml");
        let name = format!("typos__{name}");
        names.insert(format!("{name}.snap"));
        let compare = || {
            insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(name, text);
            });
        };
        // A rejected snapshot must not hide the next one.
        if catch_unwind(AssertUnwindSafe(compare)).is_err() {
            failures.push(fixture.name.clone());
        }
    }
    let accept = "INSTA_UPDATE=always cargo test --test suite typos";
    assert!(failures.is_empty(), "read, then accept with {accept}\n{}", failures.join("\n"));
    assert_eq!(snapshots(), names, "each snapshot has its fixture");
}

fn snapshots() -> BTreeSet<String> {
    fs::read_dir(root().join("tests/suite/snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("typos__"))
        .collect()
}
