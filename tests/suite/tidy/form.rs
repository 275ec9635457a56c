//! The form of each file.

use std::path::Path;

use super::{texts, without_cases};

/// The maximum number of lines of a file.
const MAX_LINES: usize = 600;

/// Names that do not describe the content of a file.
const EMPTY_NAMES: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "misc", "manager", "shared", "stuff", "v2"];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in texts(repository, &["src", "crates", "tests", "benches", "tools"], &["rs"])
    {
        complaints.extend(code_complaints(&path, &text));
    }
    let folders = ["src", "crates", "tests", "benches", "tools", "docs", ".ci"];
    let texts = texts(repository, &folders, &["rs", "md", "toml", ""]);
    for (path, text) in &texts {
        complaints.extend(text_complaints(path, without_cases(path, text)));
    }
    complaints
}

fn code_complaints(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !text.starts_with("//!") {
        complaints.push(format!("{path} does not start with `//!` and what lives there"));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complaints.push(format!("{path} has {lines} lines, at most {MAX_LINES} are allowed"));
    }
    let parts = path.trim_end_matches(".rs").split('/');
    for name in parts.filter(|name| EMPTY_NAMES.contains(name)) {
        complaints.push(format!("{path}: `{name}` says nothing about what it holds"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("#[ignore") {
            complaints.push(format!("{path}:{number}: `#[ignore]`: assert what happens instead"));
        }
    }
    complaints
}

fn text_complaints(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.ends_with([' ', '\t']) {
            complaints.push(format!("{path}:{number}: space at the end of the line"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(format!("{path}: no line feed at the end"));
    }
    complaints
}
