//! Messages are for users: no stage makes decisions based on the text of a finding.

use std::path::Path;

use super::layers::test_modules;
use super::{SOURCES, texts};

/// The fields of a finding that contain prose.
const PROSE: &[&str] = &[".message", ".primary.text", ".help", ".notes"];

/// The modules that create findings, redact secrets in them, compare them with expectations, and render
/// them.
const OWNERS: &[&str] =
    &["crates/syntax/src/diag/", "crates/wasm/", "src/secrecy/", "src/testing/", "src/report/"];

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
            if PROSE.iter().any(|field| reads(line, field)) {
                complaints.push(format!(
                    "{path}:{number}: reads what a finding says; give it what it is about as data"
                ));
            }
        }
    }
    complaints
}

/// Whether a line of code reads a field of a finding. Adding to the field does not count.
fn reads(line: &str, field: &str) -> bool {
    let is_comment = line.trim_start().starts_with("//");
    let of_finding = |at: usize| {
        let before = line.get(..at).unwrap_or_default();
        let names = ["finding", "it", "cause", "diagnostic", "error", "details()"];
        names.iter().any(|name| before.ends_with(name))
    };
    let is_read = |at: usize| {
        let rest = line.get(at + field.len()..).unwrap_or_default();
        let is_name = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '(');
        !(is_name || rest.starts_with(".push(") || rest.starts_with(".extend("))
    };
    let mut places = line.match_indices(field).map(|(at, _)| at);
    !is_comment && places.any(|at| of_finding(at) && is_read(at))
}
