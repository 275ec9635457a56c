//! The names of snapshots: a file of the suite compares each.

use std::path::Path;

use super::texts;

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let snapshots = texts(repository, &["tests/suite/snapshots"], &["snap"]);
    snapshots.iter().flat_map(|(path, _)| name_complaints(repository, path)).collect()
}

fn name_complaints(repository: &Path, path: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let name = path.rsplit('/').next().unwrap_or("").trim_end_matches(".snap");
    let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_@.-".contains(c);
    if !name.chars().all(is_safe) || path.len() > 150 {
        complaints
            .push(format!("{path}: characters other than a-z 0-9 _ @ . - or too long a name"));
    }
    let test = name.split("__").next().unwrap_or("");
    let suite = repository.join("tests/suite");
    if !suite.join(format!("{test}.rs")).is_file() && !suite.join(test).is_dir() {
        complaints.push(format!("{path}: there is no tests/suite/{test}.rs that would compare it"));
    }
    let number = name.rsplit('-').next().unwrap_or("");
    if name.contains('-') && number.chars().all(|c| c.is_ascii_digit()) {
        complaints.push(format!("{path} is numbered: give each snapshot a name"));
    }
    complaints
}
