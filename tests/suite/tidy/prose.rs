//! Messages are for users: no stage makes decisions based on the text of a finding.
//!
//! A message is no string: its text is only available by these methods.

use std::path::Path;

use super::layers::test_modules;
use super::{SOURCES, texts};

/// The methods that give the text of a message, or parts of it.
const READERS: &[&str] = &[".as_prose()", "Message::as_prose", "Message::quotes", "Message::words"];

/// The modules that build messages, redact secrets in them, compare them with expectations, and show them. The
/// message of a policy is that of its author.
const OWNERS: &[&str] = &[
    "crates/kubernetes/src/validate/policies/",
    "crates/syntax/src/diag/",
    "crates/syntax/src/message/",
    "crates/python/",
    "crates/wasm/",
    "src/cli/",
    "src/diff/report/",
    "src/ide/",
    "src/lower/dialect.rs",
    "src/object_query.rs",
    "src/report/",
    "src/findings/secrecy/",
    "src/testing/",
    "src/why/",
];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let files = texts(repository, SOURCES, &["rs"]);
    let tests = test_modules(&files);
    for (path, text) in &files {
        let is_owner = OWNERS.iter().any(|owner| path.starts_with(owner));
        if is_owner || tests.iter().any(|test| path.starts_with(test)) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with("mod tests {") {
                break;
            }
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && READERS.iter().any(|reader| line.contains(reader)) {
                complaints.push(format!(
                    "{path}:{number}: reads what a finding says; give it what it is about as data"
                ));
            }
        }
    }
    complaints
}
