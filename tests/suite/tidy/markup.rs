//! Only `markup!` writes documents in other formats, and only its module has escapes.

use std::path::Path;

use super::wording::{literals, without_tests};
use super::{SOURCES, texts};

/// The module with the escapes.
const ROOM: &str = "crates/syntax/src/markup/";

/// What is in documents of other formats, and in few other strings.
const MARKS: &[&str] = &[
    "</",
    "/>",
    "<br",
    "<b>",
    "<code",
    "<details",
    "&lt;",
    "&amp;",
    "&quot;",
    "&#",
    "::error",
    "::warning",
    "::notice",
    "%0A",
    "%25",
    "%3A",
    "```",
    "|---",
    "digraph",
    "flowchart",
    "[label=",
    "\\u{1b}",
    "\\x1b",
];

/// Files that read such strings, or print pages of the product alone.
const EXCEPTIONS: &[&str] = &[
    "crates/syntax/src/limits.rs",
    "crates/syntax/src/scalar/url.rs",
    "crates/syntax/src/yaml/fault/pasted.rs",
    "crates/syntax/src/yaml/go/quoted.rs",
    "crates/syntax/src/yaml/hostile.rs",
    "crates/syntax/src/yaml/mutations.rs",
    "src/language/reference.rs",
];

/// Functions that accept a string as markup, and the files that call them with what the product wrote.
const TRUSTED: &[(&str, &[&str])] =
    &[("::of_product(", &["src/ide/hover.rs", "src/language/shape.rs"]), ("write_shown(", &[])];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let files = texts(repository, SOURCES, &["rs"]);
    let is_product = |path: &str| {
        let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
        !path.starts_with(ROOM) && !is_test
    };
    for (path, text) in files.iter().filter(|it| is_product(&it.0)) {
        let code = without_tests(text);
        for (call, callers) in TRUSTED {
            if code.contains(call) && !callers.contains(&path.as_str()) {
                complaints.push(format!("{path}: `{call}` inserts text that is not escaped"));
            }
        }
        if EXCEPTIONS.contains(&path.as_str()) {
            continue;
        }
        let lines: Vec<_> = code.lines().collect();
        for (line, literal) in literals(code) {
            let is_markup = MARKS.iter().any(|it| literal.contains(it));
            if is_markup && !is_in_markup(&lines, line) {
                complaints.push(format!("{path}:{line}: writes markup without `markup!`"));
            }
        }
    }
    complaints
}

/// Whether a literal on a line is an argument of `markup!` or of `literal`.
fn is_in_markup(lines: &[&str], line: usize) -> bool {
    let of_statement = lines[..line].iter().rev().enumerate();
    let mut of_statement =
        of_statement.take_while(|(number, it)| *number == 0 || !it.ends_with(';'));
    of_statement.any(|(_, it)| it.contains("markup!(") || it.contains(".literal("))
}
