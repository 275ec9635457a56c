//! Only one module writes files.

use std::path::Path;

use super::layers::{code_of, test_modules};
use super::{SOURCES, texts};

/// The module that writes.
const DOOR: &str = "src/cli/writing/";

/// Calls that write, of the standard library and other crates.
const CALLS: &[&str] = &[
    "File::create",
    "File::options",
    "NamedTempFile",
    "append(true)",
    "chown(",
    "create_dir",
    "create_new(",
    "fs::copy",
    "fs::rename",
    "fs::symlink(",
    "fs::symlink;",
    "fs::write",
    "hard_link",
    "linkat",
    "mkdirat",
    "mkfifo",
    "mknod",
    "open_ambient",
    "remove_dir",
    "remove_file",
    "renameat",
    "set_len(",
    "set_permissions",
    "symlink_contents",
    "symlink_dir(",
    "symlink_file(",
    "tempfile::",
    "truncate(true)",
    "write(true)",
];

/// The door for reading opens handles as well.
const READING: (&str, &str) = ("crates/files/", "open_ambient");

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let files = texts(repository, SOURCES, &["rs"]);
    let tests = test_modules(&files);
    let mut complaints = Vec::new();
    for (path, text) in &files {
        let is_product = path.contains("src/") && !tests.iter().any(|it| path.starts_with(it));
        if !is_product || path.starts_with(DOOR) {
            continue;
        }
        let mut lines = (1..).zip(text.lines()).peekable();
        while let Some((number, line)) = lines.next() {
            let is_of_tests =
                line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test");
            let starts_module = |it: &(i32, &str)| it.1.starts_with("mod ") && it.1.ends_with('{');
            // Tests write their input.
            if is_of_tests && lines.peek().is_some_and(starts_module) {
                break;
            }
            let code = code_of(line);
            for call in CALLS.iter().filter(|it| code.contains(**it)) {
                if !(path.starts_with(READING.0) && *call == READING.1) {
                    complaints.push(format!("{path}:{number}: `{call}` belongs to `{DOOR}`"));
                }
            }
            if let Some(name) = imported_function(code) {
                complaints.push(format!("{path}:{number}: import `fs`, and call `fs::{name}`"));
            }
        }
    }
    complaints
}

/// A function of `std::fs` that a line imports by its name.
fn imported_function(code: &str) -> Option<&str> {
    let (_, imported) = code.split_once("use std::fs::")?;
    let names = imported.split(['{', '}', ',', ';', ' ']).filter(|it| !it.is_empty());
    names.into_iter().find(|it| it.starts_with(|it: char| it.is_lowercase()) && *it != "self")
}
