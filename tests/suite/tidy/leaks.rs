//! No type of another project's crate is part of the public interface of the main package.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::layers::{code_of, test_modules};
use super::texts;
use crate::support::root;

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let crates = dependencies();
    let files = texts(repository, &["src"], &["rs"]);
    let tests = test_modules(&files);
    let is_public = |path: &str| {
        !path.starts_with("src/cli/") && !tests.iter().any(|test| path.starts_with(test))
    };
    for (path, text) in files.iter().filter(|(path, _)| is_public(path)) {
        let text = text.split("mod tests {").next().unwrap_or("");
        let lines: Vec<_> = text.lines().map(code_of).collect();
        let mut foreign = crates.clone();
        foreign.extend(imported(&lines, &crates));
        for (number, declaration) in public_declarations(&lines) {
            for word in words(&declaration).filter(|word| foreign.contains(*word)) {
                complaints.push(format!("{path}:{number}: `{word}` of another crate is public"));
            }
        }
    }
    complaints
}

/// The names of the crates that `Cargo.toml` lists, as code writes them.
fn dependencies() -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = manifest.split("[dependencies]\n").nth(1).unwrap();
    let names = section.lines().take_while(|line| !line.starts_with('['));
    let names = names.filter_map(|line| {
        let name = line.split_once(" = ")?.0;
        Some(name.trim_end_matches(".workspace").replace('-', "_"))
    });
    let names: BTreeSet<_> = names.filter(|it| !it.starts_with("sandboxc_")).collect();
    assert!(names.contains("lean_string"), "the dependencies are found: {names:?}");
    names
}

/// The names that `use` declarations import from those crates.
fn imported(lines: &[&str], crates: &BTreeSet<String>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let Some(path) = line.strip_prefix("use ") else { continue };
        let mut path = path.to_owned();
        while !path.ends_with(';') {
            let Some(next) = lines.next() else { break };
            path.push_str(next);
        }
        let Some((first, rest)) = path.split_once("::") else { continue };
        if crates.contains(first) {
            names.extend(
                words(rest).filter(|it| !it.starts_with(char::is_lowercase)).map(str::to_owned),
            );
        }
    }
    names
}

/// Each item or field that starts with `pub`, with its first line. All of an enum or a trait is
/// public, but only the signature of a function.
fn public_declarations(lines: &[&str]) -> Vec<(usize, String)> {
    let mut declarations = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let Some(declared) = line.trim_start().strip_prefix("pub ") else { continue };
        let is_function = declared.contains("fn ");
        let is_whole = declared.starts_with("enum ") || declared.starts_with("trait ");
        let is_end = |line: &&str| {
            if is_whole {
                line.len() == indent + 1 && line.ends_with('}')
            } else {
                line.ends_with(['{', ';', '}']) || !is_function && line.ends_with(',')
            }
        };
        let count = lines.get(at..).unwrap_or(&[]).iter().position(is_end);
        let end = count.map_or(at, |count| at + count);
        declarations.push((at + 1, lines.get(at..=end).unwrap_or(&[]).join(" ")));
    }
    declarations
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
