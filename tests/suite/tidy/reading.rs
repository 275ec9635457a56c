//! One door for reading: only `crates/files` opens, lists and resolves files of the input.

use std::path::Path;

use super::layers::{code_of, test_modules};
use super::texts;

/// The code that uses files.
const FOLDERS: &[&str] = &["src/cli", "crates/python"];

/// The door.
const DOOR: &str = "crates/files";

/// Files and folders that do not read input, by the start of their paths, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("src/cli/writing/", "writes output"),
    ("src/cli/directory", "writes the output directory"),
    ("src/cli/exchange.rs", "writes the output directory"),
    ("src/cli/guard.rs", "locks the output directory"),
    ("src/cli/fixes.rs", "writes the files that were read"),
    ("src/cli/edits.rs", "reads the list of an output directory"),
    ("src/cli/init.rs", "writes a new project"),
    ("src/cli/report_files.rs", "writes reports"),
    ("src/cli/output_file.rs", "recognizes the file of standard output"),
];

/// What opens, lists or resolves a path. Whether a path exists is asked elsewhere, too: it shows nothing.
const READING: &[&str] = &[
    "fs::read",
    "read_dir(",
    "File::open",
    "fs::OpenOptions",
    "fs::metadata",
    "fs::symlink_metadata",
    "fs::canonicalize",
    ".canonicalize()",
    "read_link(",
    "WalkBuilder",
    "open_ambient_dir",
];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let files = texts(repository, FOLDERS, &["rs"]);
    let tests = test_modules(&files);
    let mut complaints = Vec::new();
    for (path, text) in &files {
        let is_exception = EXCEPTIONS.iter().any(|(start, _)| path.starts_with(start));
        if is_exception || tests.iter().any(|it| path.starts_with(it)) {
            continue;
        }
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or("");
        for (number, line) in (1..).zip(code.lines().map(code_of)) {
            for word in READING.iter().filter(|it| line.contains(**it)) {
                complaints.push(format!("{path}:{number}: `{word}` belongs to `{DOOR}`"));
            }
        }
    }
    complaints
}
