//! Everything specific to a system is in its folder: no other file contains the name of its module
//! or its API groups.

use std::collections::BTreeSet;
use std::path::Path;

use super::layers::{code_of, test_modules};
use super::{SOURCES, texts};

/// The list of all systems.
const LIST: &str = "src/dialect/mod.rs";

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let files = texts(repository, SOURCES, &["rs"]);
    let tests = test_modules(&files);
    let mut complaints = Vec::new();
    for system in systems(&files) {
        let folder = format!("src/dialect/{system}");
        let is_own = |path: &str| path.starts_with(&folder);
        let own = files.iter().filter(|(path, _)| is_own(path));
        let mut names: BTreeSet<_> = own.flat_map(|(_, text)| groups(text)).collect();
        names.insert(system.to_owned());
        let others = files.iter().filter(|(path, _)| !is_own(path) && path != LIST);
        for (path, text) in others.filter(|(path, _)| !tests.iter().any(|it| path.starts_with(it)))
        {
            let code = text.split("mod tests {").next().unwrap_or("");
            for (number, line) in (1..).zip(code.lines().map(code_of)) {
                for name in names.iter().filter(|name| has_word(line, name)) {
                    complaints.push(format!("{path}:{number}: `{name}` belongs to `{folder}/`"));
                }
            }
        }
    }
    complaints
}

/// The folders of the systems.
fn systems(files: &[(String, String)]) -> BTreeSet<&str> {
    let below = files.iter().filter_map(|(path, _)| path.strip_prefix("src/dialect/"));
    below.filter_map(|path| path.split_once('/')).map(|(system, _)| system).collect()
}

/// The API groups that a file declares: constants whose names end in `GROUP`.
fn groups(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(": &str = \"")?;
        let value = value.strip_suffix("\";")?;
        (name.ends_with("GROUP") && value.contains('.')).then(|| value.to_owned())
    })
}

/// Whether the line contains the name as a whole word.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
