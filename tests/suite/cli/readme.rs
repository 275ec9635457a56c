//! The console blocks of `README.md` show the actual output.
//!
//! In a `console` block, each command starts with `$ ` and is followed by its output; a line `...`
//! matches any number of lines. A command without output is not run.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{binary, root};

#[test]
fn console_blocks_print_what_they_show() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = readme.split("```console\n").skip(1).filter_map(|it| it.split_once("```"));
    let mut failures = Vec::new();
    for (block, _) in blocks {
        let shown = commands(block).into_iter().filter(|(_, expected)| !expected.is_empty());
        for (command, expected) in shown {
            let printed = run(&command);
            if !is_as_shown(&printed, &expected) {
                failures.push(format!("$ {command}\n{printed}\ninstead of\n{expected}"));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

/// The commands of a block, each with the lines after it.
pub(super) fn commands(block: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), String::new()));
        } else if let Some((_, expected)) = commands.last_mut() {
            expected.push_str(line);
            expected.push('\n');
        }
    }
    commands
}

/// Runs a line in a shell at the root of the repository.
fn run(command: &str) -> String {
    run_in(root(), command)
}

/// Runs a line in a shell; `sandboxc` is the built binary.
pub(super) fn run_in(folder: &Path, command: &str) -> String {
    let binary = binary();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary.parent().unwrap().to_owned());
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
    let command = command.replace("cargo run --release -- ", "sandboxc ");
    let output = Command::new("bash")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether lines match; `...` matches any lines.
pub(super) fn is_as_shown(printed: &str, expected: &str) -> bool {
    let (printed, expected): (Vec<_>, Vec<_>) =
        (printed.lines().collect(), expected.lines().collect());
    fits(&printed, &expected)
}

fn fits(printed: &[&str], expected: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["...", rest @ ..] => (0..=printed.len()).any(|at| fits(&printed[at..], rest)),
        [line, rest @ ..] => printed.first() == Some(line) && fits(&printed[1..], rest),
    }
}

/// The commands in sentences, without those that are shortened or need another program.
#[test]
fn commands_in_sentences_run() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let prose: String = readme.split("```").step_by(2).collect();
    let commands = prose.split('`').skip(1).step_by(2).filter(|it| it.starts_with("sandboxc "));
    let mut count = 0;
    for command in commands.filter(|it| !it.contains("...")) {
        let command = command.split(" > ").next().unwrap();
        let status = run(&format!("{command} > /dev/null; echo $?"));
        assert_eq!(status, "0\n", "{command}");
        count += 1;
    }
    assert!(count >= 3, "{count}");
}

/// The page has the numbers that the README sums up.
#[test]
fn the_numbers_of_real_repositories_are_those_of_the_page() {
    let read = |path| fs::read_to_string(root().join(path)).unwrap();
    let page = read("docs/real-repositories.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|it| it.starts_with("| ") && it.contains(" | `"))
        .map(|it| it.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let sum =
        |column: usize| -> u32 { rows.iter().map(|it| it[column].parse::<u32>().unwrap()).sum() };
    let (objects, warnings) = (sum(2), sum(4));
    let claim = format!(
        "On {} public repositories with {},{:03} objects, `check` reports {:.1} warnings per 100 objects",
        rows.len(),
        objects / 1_000,
        objects % 1_000,
        f64::from(warnings) * 100.0 / f64::from(objects),
    );
    assert!(read("README.md").contains(&claim), "{claim}");
}

#[test]
fn no_heading_has_more_levels_than_markdown() {
    let pages = walkdir::WalkDir::new(root().join("docs")).into_iter().map(Result::unwrap);
    for page in pages.filter(|it| it.path().extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(page.path()).unwrap();
        assert!(!text.lines().any(|it| it.starts_with("#######")), "{}", page.path().display());
    }
}

#[test]
fn a_wrong_block_is_noticed() {
    assert!(is_as_shown("a\nb\nc\n", "a\n...\nc\n"));
    assert!(!is_as_shown("a\nb\n", "a\n...\nc\n"));
    assert_eq!(
        run("sandboxc build --nothing").lines().next().map(|it| it.contains("error")),
        Some(true)
    );
}
