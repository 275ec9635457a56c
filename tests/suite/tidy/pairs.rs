//! Every fixture has a snapshot, and every snapshot has a fixture. The page of a rule is a fixture.

use std::collections::BTreeSet;
use std::path::Path;

use super::texts;
use crate::rules::NOT_REACHED;

const SNAPSHOTS: &str = "tests/suite/snapshots";

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let names = |folder: &str, extension: &str| -> Vec<String> {
        let texts = texts(repository, &[folder], &[extension]);
        texts.into_iter().map(|(path, _)| path).collect()
    };
    let mut fixtures = names("fixtures/diag", "yaml");
    for page in names("docs/rules", "md") {
        let rule = page.trim_start_matches("docs/rules/").trim_end_matches(".md");
        if rule != "README" && !NOT_REACHED.contains(&rule) {
            let example = |sign: &str| format!("fixtures/diag/{rule}/{sign}_page.yaml");
            fixtures.extend([example("err"), example("ok")]);
        }
    }
    let snapshots = names(SNAPSHOTS, "snap");
    for path in &fixtures {
        let file = path.rsplit('/').next().unwrap_or("");
        if !file.starts_with("err_") && !file.starts_with("ok_") {
            complaints.push(format!("{path} starts neither with err_ nor with ok_"));
        }
        if file.starts_with("err_") && !snapshots.contains(&snapshot_of(path)) {
            complaints
                .push(format!("{path} has no snapshot; CONTRIBUTING.md tells how to accept it"));
        }
    }
    let paired: BTreeSet<_> = fixtures.iter().map(|path| snapshot_of(path)).collect();
    for path in &snapshots {
        complaints.extend(name_complaints(repository, path));
        if let Some(fixture) = fixture_of(path)
            && !paired.contains(path)
        {
            complaints.push(format!("{fixture} is missing for its snapshot {path}"));
        }
    }
    complaints
}

/// `fixtures/diag/a-rule/err_x.yaml` to `.../diag__a-rule@err_x.snap`.
fn snapshot_of(fixture: &str) -> String {
    let name = fixture.trim_start_matches("fixtures/diag/").trim_end_matches(".yaml");
    format!("{SNAPSHOTS}/diag__{}.snap", name.replace('/', "@"))
}

fn fixture_of(snapshot: &str) -> Option<String> {
    let name = snapshot.rsplit('/').next()?.strip_prefix("diag__")?.trim_end_matches(".snap");
    Some(format!("fixtures/diag/{}.yaml", name.replace('@', "/")))
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
