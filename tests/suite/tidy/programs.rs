//! Other programs are started by one module, which decides where they are found and what they are given.

use std::path::Path;

use super::layers::{code_of, test_modules};
use super::{SOURCES, texts};

/// The module.
const DOOR: &str = "src/cli/programs/";

/// What starts a process, or replaces this one.
const STARTS: [&str; 4] = ["process::Command", "Command::new(", "CommandExt", "posix_spawn"];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let files = texts(repository, SOURCES, &["rs"]);
    let tests = test_modules(&files);
    let mut complaints = Vec::new();
    for (path, text) in &files {
        let is_test = path.ends_with("_tests.rs") || tests.iter().any(|it| path.starts_with(it));
        if path.starts_with(DOOR) || is_test {
            continue;
        }
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or("");
        for (at, line) in code.lines().enumerate() {
            let code = code_of(line);
            if STARTS.iter().any(|it| code.contains(it)) || imports_process(code) {
                complaints.push(format!("{path}:{}: only `{DOOR}` starts programs", at + 1));
            }
        }
    }
    complaints
}

/// Whether a line imports the module as such, or several of its names.
fn imports_process(code: &str) -> bool {
    code.trim() == "use std::process;"
        || code.contains("std::process::{") && code.contains("Command")
        || code.contains("std::{") && code.contains("process")
}
