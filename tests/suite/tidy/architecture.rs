//! `docs/architecture.md` has a row for each module, below those that the module imports, and a reason
//! for each dependency. The files that the pages name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::layers::LAYERS;

const PAGE: &str = "docs/architecture.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
/// Each package and its folder.
const PACKAGES: [(&str, &str); 6] = [
    ("syntax", "crates/syntax"),
    ("kubernetes", "crates/kubernetes"),
    ("files", "crates/files"),
    ("sandboxc", "."),
    ("wasm", "crates/wasm"),
    ("python", "crates/python"),
];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let read = |page: &str| fs::read_to_string(repository.join(page)).ok();
    let folders = read(PAGE).map(|page| folder_complaints(repository, section(&page, "Folders")));
    let dependencies =
        read(PAGE).map(|page| dependency_complaints(repository, section(&page, "Dependencies")));
    let paths = [PAGE, CONTRIBUTING].map(|page| missing_paths(repository, page));
    folders.into_iter().chain(dependencies).chain(paths).flatten().collect()
}

/// The files and folders of the source that a page names but that do not exist.
fn missing_paths(repository: &Path, page: &str) -> Vec<String> {
    let text = fs::read_to_string(repository.join(page)).unwrap_or_default();
    let is_path = |name: &&str| {
        name.starts_with("src/") || name.starts_with("crates/") || name.starts_with("tests/suite/")
    };
    let is_missing = |path: &&str| !path.contains('<') && !repository.join(path).exists();
    let missing = names(&text).filter(is_path).filter(is_missing);
    missing.map(|path| format!("{page}: there is no `{path}`")).collect()
}

fn section<'p>(page: &'p str, title: &str) -> &'p str {
    let (_, text) = page.split_once(&format!("\n## {title}\n")).unwrap_or_default();
    text.split("\n## ").next().unwrap_or("")
}

/// The names in backquotes of a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn folder_complaints(repository: &Path, table: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for line in table.lines().filter(|it| it.contains("| `")) {
        let mut cells = line.split('|').skip(1).map(str::trim);
        let (package, paths) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        let folder = PACKAGES.iter().find(|(name, _)| *name == package).map_or("", |it| it.1);
        for path in names(paths) {
            if !repository.join(folder).join("src").join(path.trim_end_matches('*')).exists() {
                complaints.push(format!("{PAGE}: `{package}` has no `{path}`"));
            }
            let module = path.split(['/', '.']).next().unwrap_or("");
            if !rows.contains(&module) {
                rows.push(module);
            }
        }
    }
    let row_of = |module: &str| rows.iter().position(|it| *it == module);
    for (module, imported) in LAYERS {
        let Some(own) = row_of(module) else {
            complaints.push(format!("{PAGE}: no row for `{module}`"));
            continue;
        };
        let below = imported.iter().filter(|it| row_of(it).is_some_and(|row| row > own));
        complaints.extend(below.map(|it| format!("{PAGE}: `{module}` is above `{it}`")));
    }
    let unknown = rows.iter().filter(|it| !LAYERS.iter().any(|(module, _)| module == *it));
    complaints.extend(unknown.map(|it| format!("{PAGE}: `{it}` is not a module")));
    complaints
}

fn dependency_complaints(repository: &Path, text: &str) -> Vec<String> {
    let mut dependencies = BTreeSet::new();
    for (_, folder) in PACKAGES {
        let manifest = fs::read_to_string(repository.join(folder).join("Cargo.toml"));
        let mut is_list = false;
        for line in manifest.unwrap_or_default().lines() {
            if line.starts_with('[') {
                is_list = line.ends_with("dependencies]") && line != "[workspace.dependencies]";
            } else if is_list && line.starts_with(|it: char| it.is_ascii_lowercase()) {
                dependencies.extend(line.split([' ', '.', '=']).next().map(str::to_owned));
            }
        }
    }
    dependencies.retain(|it| it != "sandboxc" && !it.starts_with("sandboxc-"));
    let explained: BTreeSet<_> = names(text).collect();
    let lacking = dependencies.iter().filter(|it| !explained.contains(it.as_str()));
    let mut complaints: Vec<_> =
        lacking.map(|it| format!("{PAGE}: no reason for the dependency `{it}`")).collect();
    for row in text.lines().filter(|it| it.starts_with("| `")) {
        let crates = names(row.split('|').nth(1).unwrap_or(""));
        let unused = crates.filter(|it| !dependencies.contains(*it));
        complaints.extend(unused.map(|it| format!("{PAGE}: `{it}` is not a dependency")));
    }
    complaints
}
