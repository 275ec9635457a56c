//! Checks of every file of the repository: layers, form, links, pairs, wording. Each check is also tested
//! with a faulty file, about which it must complain.

mod actions;
mod architecture;
mod form;
mod layers;
mod leaks;
mod links;
mod markup;
mod packages;
mod pairs;
mod programs;
mod prose;
mod ratios;
mod reading;
mod systems;
mod wording;
mod writes;

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::support::cases::split_page;
use crate::support::root;

/// The folders with code of the product.
const SOURCES: &[&str] = &["src", "crates"];

/// The files below `folders` of a repository that have one of the extensions: the path with `/` as
/// separator, and the text.
fn texts(repository: &Path, folders: &[&str], extensions: &[&str]) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for folder in folders {
        let mut walk = ignore::WalkBuilder::new(repository.join(folder));
        // Without what other programs leave: caches, packages, builds.
        walk.standard_filters(false).git_ignore(true).require_git(false).parents(true);
        for entry in walk.sort_by_file_name(Ord::cmp).build() {
            let Ok(entry) = entry else { continue };
            let extension = entry.path().extension().and_then(|it| it.to_str()).unwrap_or("");
            if entry.path().is_file() && extensions.contains(&extension) {
                let path = entry.path().strip_prefix(repository).unwrap();
                let bytes = fs::read(entry.path()).unwrap();
                texts.push((
                    path.to_str().unwrap().replace('\\', "/"),
                    String::from_utf8_lossy(&bytes).into_owned(),
                ));
            }
        }
    }
    texts
}

/// What is written for readers: input can end with spaces, and outputs quote it.
fn without_cases<'t>(path: &str, text: &'t str) -> &'t str {
    if path.starts_with("docs/rules/") { split_page(text).0 } else { text }
}

fn complaints(repository: &Path) -> Vec<String> {
    let complaints = [
        actions::complaints,
        architecture::complaints,
        layers::complaints,
        leaks::complaints,
        links::complaints,
        markup::complaints,
        form::complaints,
        pairs::complaints,
        programs::complaints,
        prose::complaints,
        ratios::complaints,
        reading::complaints,
        systems::complaints,
        wording::complaints,
        writes::complaints,
    ];
    complaints.par_iter().flat_map_iter(|complaints| complaints(repository)).collect()
}

#[test]
fn the_repository_is_tidy() {
    let complaints = complaints(root());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Writes faulty files into an empty directory and returns the complaints about them.
fn complaints_about(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    complaints(folder.path())
}

#[test]
fn a_second_door_for_reading_is_found() {
    for (path, code, word) in [
        ("src/cli/a.rs", "fs::read_to_string(b)", "fs::read"),
        ("src/cli/lsp/a.rs", "File::open(b)", "File::open"),
        ("crates/python/src/a.rs", "WalkBuilder::new(b)", "WalkBuilder"),
    ] {
        let complaints = complaints_about(&[(path, &format!("//! x\nlet a = {code};\n"))]);
        let expected = format!("{path}:2: `{word}` belongs to `crates/files`");
        assert!(complaints.contains(&expected), "{complaints:?}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a case for each check")]
fn tidy_can_fail() {
    let long = "//! x\n".repeat(601);
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[(
                "src/lower/a.rs",
                "//! x\nif finding.primary.text.as_prose() == \"needs `a`\" {}\n",
            )],
            "reads what a finding says",
        ),
        (
            &[("src/source/a.rs", "//! x\nuse crate::tree::Node;\n")],
            "`source` may not import `tree`",
        ),
        (&[("src/diag/a.rs", "//! x\nuse crate::{source, tree};\n")], "write one `use` per module"),
        (&[("src/diag/a.rs", "//! x\nuse crate::Span;\n")], "`diag` may not import `Span`"),
        (&[("src/nowhere/a.rs", "//! x\n")], "`nowhere` has no line in the table"),
        (&[("src/diag.rs", "//! x\nuse super::tree::Node;\n")], "`super` leads out of `diag`"),
        (&[("src/diag/a.rs", "//! x\nuse super::super::tree;\n")], "`super` leads out of `diag`"),
        (
            &[("src/dialect/kelos/a.rs", "//! x\nuse crate::dialect::idegym::b;\n")],
            "`dialect/kelos` may not import `dialect/idegym`",
        ),
        (
            &[
                ("src/dialect/kelos/mod.rs", "//! x\n"),
                ("src/dialect/mod.rs", "//! x\nmod kelos;\n"),
                ("src/dialect.rs", "//! x\nuse crate::dialect::kelos::b;\n"),
            ],
            "src/dialect.rs:2: `kelos` belongs to `src/dialect/kelos/`",
        ),
        (
            &[
                ("src/dialect/kelos/a.rs", "//! x\nconst GROUP: &str = \"kelos.dev\";\n"),
                ("src/kube/a.rs", "//! x\nfn a() -> &'static str {\n    \"kelos.dev/v1\"\n}\n"),
            ],
            "src/kube/a.rs:3: `kelos.dev` belongs to `src/dialect/kelos/`",
        ),
        (
            &[("src/cli/a.rs", "//! x\nuse std::process::{Command, Stdio};\n")],
            "src/cli/a.rs:2: only `src/cli/programs/` starts programs",
        ),
        (
            &[("src/cli/a.rs", "//! x\nlet a = std::process::Command::new(b);\n")],
            "only `src/cli/programs/` starts programs",
        ),
        (&[("src/diag/a.rs", "//! x\nuse clap::Parser;\n")], "`clap` belongs to `cli`"),
        (&[("src/diag/a.rs", "//! x\nuse std::fs;\n")], "`std::fs` belongs to `cli`"),
        (
            &[("src/cli/a.rs", "//! x\nfn a() {\n    fs::write(b, c);\n}\n")],
            "src/cli/a.rs:3: `fs::write` belongs to `src/cli/writing/`",
        ),
        (
            &[("src/cli/a.rs", "//! x\nuse std::fs::{self, write};\n")],
            "src/cli/a.rs:2: import `fs`, and call `fs::write`",
        ),
        (
            &[("crates/a/src/a.rs", "//! x\nfn a() {\n    file.set_permissions(b);\n}\n")],
            "crates/a/src/a.rs:3: `set_permissions` belongs to",
        ),
        (
            &[(
                "src/diag/a.rs",
                "//! x\nuse memchr::{Memchr, memchr};\npub fn a(\n    b: Memchr<'_>,\n) {\n",
            )],
            "`Memchr` of another crate is public",
        ),
        (
            &[("src/diag/a.rs", "//! x\nuse regex::Regex as R;\npub enum A {\n    B(R),\n}\n")],
            "`R` of another crate is public",
        ),
        (
            &[("src/diag/a.rs", "//! x\npub struct A {\n    pub b: regex::Regex,\n}\n")],
            "`regex` of another crate is public",
        ),
        (&[("src/diag/a.rs", "//! x\npub use regex::Regex;\n")], "`regex` of another crate"),
        (&[("src/diag/a.rs", "use std::fmt;\n")], "does not start with `//!`"),
        (
            &[(
                "src/report/a.rs",
                "//! x\nfn a(b: &str) -> String {\n    format!(\"<b>{b}</b>\")\n}\n",
            )],
            "src/report/a.rs:3: writes markup without `markup!`",
        ),
        (
            &[("src/cli/a.rs", "//! x\nfn a() {\n    a(Markup::of_product(b));\n}\n")],
            "src/cli/a.rs: `::of_product(` inserts text that is not escaped",
        ),
        (&[("src/diag/a.rs", &long)], "601 lines, at most 600"),
        (&[("src/diag/a.rs", "//! x \n")], ":1: space at the end of the line"),
        (&[("src/diag/utils.rs", "//! x\n")], "says nothing about what it holds"),
        (&[("src/diag/a.rs", "//! x\n#[ignore]\nfn a() {}\n")], ":2: `#[ignore]`"),
        (&[("docs/a.md", "x")], "no line feed at the end"),
        (&[("docs/rules/a.md", "x \n\n## Tests\n")], ":1: space at the end of the line"),
        (&[("tests/suite/snapshots/cli__A::b.snap", "")], "characters other than"),
        (&[("tests/suite/snapshots/none__a.snap", "")], "there is no tests/suite/none.rs"),
        (&[("tests/suite/snapshots/tidy__a-2.snap", "")], "is numbered"),
    ];
    for (files, expected) in cases {
        let complaints = complaints_about(files);
        assert!(
            complaints.iter().any(|it| it.contains(expected)),
            "nothing says {expected:?}, but: {complaints:?}"
        );
    }
}

#[test]
fn the_pages_of_the_architecture_can_be_wrong() {
    let page = "# x\n\n## Folders\n\n| package | folder | content |\n|---|---|---|\n\
        | syntax | `source/` | a |\n| sandboxc | `utils/` | a |\n| syntax | `limits.rs` | a |\n\n\
        ## Dependencies\n\n| crate | why |\n|---|---|\n| `gone` | a |\n";
    let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nserde.workspace = true\n";
    let complaints = complaints_about(&[
        ("docs/architecture.md", page),
        ("CONTRIBUTING.md", "`src/gone.rs`, `src/<system>/`\n"),
        ("Cargo.toml", manifest),
        ("crates/syntax/src/source/a.rs", "//! x\n"),
        ("crates/syntax/src/limits.rs", "//! x\n"),
    ]);
    let expected = [
        "`sandboxc` has no `utils/`",
        "`source` is above `limits`",
        "no row for `scalar`",
        "`utils` is not a module",
        "no reason for the dependency `serde`",
        "`gone` is not a dependency",
        "CONTRIBUTING.md: there is no `src/gone.rs`",
    ];
    for expected in expected {
        assert!(complaints.iter().any(|it| it.contains(expected)), "{expected}: {complaints:?}");
    }
    assert!(!complaints.iter().any(|it| it.contains("has no `source/`")), "{complaints:?}");
}

#[test]
fn wording_can_fail() {
    let cases = [
        ("docs/a.md", "a\nThe server refuses it.\n", "docs/a.md:2: `refuses`: write rejects"),
        ("docs/a.md", "```text\nstands\n```\n", "docs/a.md:2: `stands`"),
        (
            "src/cli/a.rs",
            "//! x\nfn a() -> &'static str { \"it is \\\n  no\" }\n",
            "a.rs:2: `is no`",
        ),
        (
            "src/a.rs",
            "/// What\n/// it takes\n/// is no\n/// place.\nfn a() {}\n",
            "a.rs:1: `is no`",
        ),
        ("docs/a.md", "# A\n\n[b](b.md)\n", "docs/a.md:3: the link `b.md` leads to no file"),
        ("docs/a.md", "# A\n[`b`](#b)\n", "docs/a.md:2: the link `#b` leads to no heading"),
        ("docs/a.md", "[b](../../b)\n", "docs/a.md:1: the link `../../b` leads to no file"),
    ];
    for (path, text, expected) in cases {
        let complaints = complaints_about(&[(path, text)]);
        assert!(complaints.iter().any(|it| it.contains(expected)), "{expected}: {complaints:?}");
    }
}

#[test]
fn tidy_accepts_correct_code() {
    let files = [
        ("src/main.rs", "//! x\nmod cli;\n"),
        ("src/diag/a.rs", "//! x\nuse crate::diag::b;\nuse crate::source::Span; // crate::tree\n"),
        ("src/diag/b.rs", "//! x\nmod tests {\n    use super::super::a;\n}\n"),
        (
            "src/report/a.rs",
            "//! x\nfn a() {\n    markup!(\n        b,\n        \"<b>{}</b>\",\n        c\n    );\n}\n",
        ),
        ("src/diag/c/mod.rs", "//! x\n#[cfg(test)]\npub(crate) mod samples;\n"),
        ("src/diag/c/samples.rs", "//! x\nuse crate::yaml;\n"),
        (
            "src/diag/d.rs",
            "//! x\nuse regex::Regex;\npub struct A {\n    pub(crate) b: Regex,\n    pub c: u8,\n}\n",
        ),
        ("src/cli/a.rs", "//! x\nuse clap::Parser;\nuse std::fs;\n"),
        ("src/cli/b.rs", "//! x\nfn a() -> &'static str { \"is no longer `behind`\" } // shall\n"),
        (
            "docs/a.md",
            "# A b\n```yaml\nstands: 1\n```\n[b](#a-b), [c](https://c#d), [e](rules/a-rule.md)\n",
        ),
        ("docs/rules/a-rule.md", "x\n\n## Tests\n\n### err_a\n\n```yaml\na: 1 \n```\n"),
        ("tests/suite/diag.rs", "//! x\n"),
        ("crates/a/.gitignore", "/.cache/\n"),
        ("crates/a/.cache/ids", "without a line feed"),
        ("tests/suite/snapshots/diag__err_x@a.snap", "a \n"),
    ];
    assert_eq!(complaints_about(&files), [""; 0]);
}
