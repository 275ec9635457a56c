//! Relative links of Markdown files: the file and the heading exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::texts;

/// Where pages are that link to each other. Those of `fixtures/` are input.
const PAGES: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    ".github/SECURITY.md",
    "docs",
    "site/playground/README.md",
    "site/README.md",
    "integrations",
    "tools",
];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in texts(repository, PAGES, &["md"]) {
        for (line, target) in links(&text) {
            if let Some(complaint) = complaint(repository, &path, target) {
                complaints.push(format!("{path}:{line}: {complaint}"));
            }
        }
    }
    complaints
}

/// What is wrong with a link of a page.
fn complaint(repository: &Path, page: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').map_or((target, None), |(it, id)| (it, Some(id)));
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let found = match file {
        "" => Some(PathBuf::from(page)),
        _ => normalized(&folder.join(file)),
    };
    let Some(found) = found.filter(|it| repository.join(it).exists()) else {
        return Some(format!("the link `{target}` leads to no file"));
    };
    let id = heading?;
    let text = fs::read_to_string(repository.join(found)).unwrap_or_default();
    let has_heading = ids(&text).contains(id);
    (!has_heading).then(|| format!("the link `{target}` leads to no heading"))
}

/// A path without `..`; nothing if it leaves the repository.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if !parts.pop() => return None,
            Component::Normal(name) => parts.push(name),
            _ => {}
        }
    }
    Some(parts)
}

/// The targets of links, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in outside_of_code(text) {
        // What is in backquotes is code.
        let prose = line.split('`').step_by(2);
        for part in prose.flat_map(|it| it.split("](").skip(1)) {
            found.extend(part.split_once(')').map(|(target, _)| (number, target)));
        }
        // The text of a link can be code: `[`a`](b)`.
        for part in line.split("`](").skip(1) {
            found.extend(part.split_once(')').map(|(target, _)| (number, target)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The ids that GitHub and mdBook give to the headings of a page.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for (_, line) in outside_of_code(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let words = title.trim().to_lowercase().replace(' ', "-");
        let is_kept = |it: &char| it.is_alphanumeric() || matches!(it, '-' | '_');
        let id: String = words.chars().filter(is_kept).collect();
        let repeated = (1..).map(|number| format!("{id}-{number}"));
        ids.extend(std::iter::once(id.clone()).chain(repeated).find(|it| !ids.contains(it)));
    }
    ids
}

fn outside_of_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

#[test]
fn ids_of_headings_are_those_of_github() {
    let page = "# Use with *others*\n## `a.b`: c, d\n```\n# no\n```\n## Same\n## Same\n#no\n";
    let expected = ["ab-c-d", "same", "same-1", "use-with-others"].map(str::to_owned);
    assert_eq!(ids(page), BTreeSet::from(expected));
}

#[test]
fn links_are_found() {
    let page = "[a](b.md), [`c`](d.md#e) `[f](g)`\n```\n[h](i)\n```\n";
    assert_eq!(links(page), [(1, "b.md"), (1, "d.md#e")]);
}
