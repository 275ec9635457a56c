//! The outputs in a Markdown file with cases: compared, or written when `INSTA_UPDATE=always` accepts them.

use std::env;
use std::fs;

use similar::TextDiff;

use super::cases::with_outputs;
use super::root;

/// The difference between the accepted outputs of a file and those of now, by the names of the cases.
/// `filter` selects the test that calls this, for the command that accepts them.
pub(crate) fn difference(
    path: &str,
    outputs: &[(String, Option<String>)],
    filter: &str,
) -> Option<String> {
    let file = root().join(path);
    let title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(&file).unwrap_or_else(|_| format!("# {title}\n"));
    let updated = with_outputs(&text, outputs);
    if updated == text {
        return None;
    }
    if env::var_os("INSTA_UPDATE").is_some_and(|it| it == "always") {
        fs::write(file, updated).expect("a file that can be written");
        return None;
    }
    let difference = TextDiff::from_lines(&text, &updated);
    let difference =
        difference.unified_diff().context_radius(3).header("accepted", "found").to_string();
    Some(format!(
        "{path} has another output; read it, then accept it with INSTA_UPDATE=always cargo test --test {filter}\n{difference}"
    ))
}
