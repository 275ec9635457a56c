//! Actions of GitHub, in workflows and in examples: each has the full hash of a commit and its version as a comment, and one
//! version is used everywhere.

use std::collections::BTreeMap;
use std::path::Path;

use super::{complaints_about, texts};

/// Where workflows, and examples of workflows, are.
const FILES: &[&str] =
    &["action.yml", ".github", "docs", "integrations", "src/cli/starter", "README.md"];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut versions: BTreeMap<String, String> = BTreeMap::new();
    for (path, text) in texts(repository, FILES, &["md", "yml", "yaml"]) {
        for (number, line) in text.lines().enumerate() {
            let Some(reference) = reference(line) else { continue };
            let place = format!("{path}:{}", number + 1);
            let Some((action, version)) = pinned(reference) else {
                complaints.push(format!(
                    "{place}: `{reference}` has no full hash with its version: `owner/name@HASH # v1.2.3`"
                ));
                continue;
            };
            let known = versions.entry(action.to_owned()).or_insert_with(|| version.to_owned());
            if known != version {
                complaints.push(format!("{place}: `{action}` is `{known}` elsewhere"));
            }
        }
    }
    complaints
}

/// The action in a line such as `- uses: owner/name@v1`, but for those of an imaginary organization.
fn reference(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("- ");
    let reference = line.strip_prefix("uses: ")?;
    (!reference.starts_with("your-organization/")).then_some(reference)
}

/// The name of an action, and the commit with its version.
fn pinned(reference: &str) -> Option<(&str, &str)> {
    let (action, version) = reference.split_once('@')?;
    let (hash, comment) = version.split_once(" # ")?;
    let is_hash = hash.len() == 40 && hash.bytes().all(|it| it.is_ascii_hexdigit());
    let mut numbers = comment.strip_prefix('v')?.split('.');
    let is_version = numbers.clone().count() == 3 && numbers.all(|it| it.parse::<u32>().is_ok());
    (is_hash && is_version).then_some((action, version))
}

#[test]
fn actions_can_be_unpinned() {
    let hash = "0".repeat(40);
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[(".github/a.yml", "  - uses: a/b@v4 # v4.0.0\n")],
            ".github/a.yml:1: `a/b@v4 # v4.0.0` has",
        ),
        (&[("docs/a.md", &format!("- uses: a/b@{hash} # v4\n"))], "docs/a.md:1: `a/b@000"),
        (&[("action.yml", "uses: ./a\n")], "action.yml:1: `./a` has no full hash"),
        (
            &[
                ("docs/a.md", &format!("- uses: a/b@{hash} # v4.0.0\n")),
                ("action.yml", &format!("uses: a/b@{hash} # v4.0.1\n")),
            ],
            "docs/a.md:1: `a/b` is `0000000000000000000000000000000000000000 # v4.0.1` elsewhere",
        ),
    ];
    for (files, expected) in cases {
        let complaints = complaints_about(files);
        assert!(complaints.iter().any(|it| it.contains(expected)), "{expected}: {complaints:?}");
    }
}
