//! The outputs in a Markdown file with cases: compared, or written when `INSTA_UPDATE=always` accepts them.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use similar::TextDiff;

use super::cases::{page_with_outputs, with_outputs};
use super::root;

/// The difference between the accepted outputs of a file and those of now, by the names of the cases.
/// `filter` selects the test that calls this, for the command that accepts them.
pub(crate) fn difference(
    path: &str,
    outputs: &[(String, Option<String>)],
    filter: &str,
) -> Option<String> {
    let file = root().join(path);
    let text = fs::read_to_string(&file).expect("a file with cases");
    let is_page = path.starts_with("docs/rules/");
    let updated =
        if is_page { page_with_outputs(&text, outputs) } else { with_outputs(&text, outputs) };
    if updated == text {
        return None;
    }
    if env::var_os("INSTA_UPDATE").is_some_and(|it| it == "always") {
        write(&file, &updated).expect("a file that can be written");
        return None;
    }
    let difference = TextDiff::from_lines(&text, &updated);
    let difference =
        difference.unified_diff().context_radius(3).header("accepted", "found").to_string();
    Some(format!(
        "{path} has another output; read it, then accept it with INSTA_UPDATE=always cargo test --test {filter}\n{difference}"
    ))
}

/// Writes outputs. The file keeps its time, because they are not part of the program: Cargo, which compares
/// times, would compile it again.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let modified = fs::metadata(file)?.modified()?;
    fs::write(file, text)?;
    File::options().append(true).open(file)?.set_modified(modified)
}
