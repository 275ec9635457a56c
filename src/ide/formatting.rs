//! The layout of a file, as edits of the lines that change: an editor keeps its cursor and folds.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

use crate::format::{Unformatted, format};

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// The range to replace.
    pub range: Range<usize>,
    /// The text to write.
    pub text: String,
}

/// Returns the edits that bring a text into its canonical layout; none if it has it.
///
/// # Errors
/// If the text cannot be read.
pub fn formatting(text: &str) -> Result<Vec<TextEdit>, Box<Unformatted>> {
    let formatted = format(text)?;
    if formatted == text {
        return Ok(Vec::new());
    }
    let diff = TextDiff::from_lines(text, formatted.as_str());
    let old = starts(diff.old_slices());
    let new = starts(diff.new_slices());
    let slice = |starts: &[usize], range: Range<usize>| {
        Some(*starts.get(range.start)?..*starts.get(range.end)?)
    };
    let edits = diff.ops().iter().filter(|it| it.tag() != DiffTag::Equal).filter_map(|it| {
        let range = slice(&old, it.old_range())?;
        let text = formatted.get(slice(&new, it.new_range())?)?.to_owned();
        Some(TextEdit { range, text })
    });
    Ok(edits.collect())
}

/// The offset of each line, and of the end.
fn starts(lines: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for line in lines {
        at += line.len();
        starts.push(at);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_change_are_replaced() {
        let text = "kind: List\nitems:\n-   kind: Pod # one\n# two\n";
        let edits = formatting(text).unwrap();
        let lines: Vec<_> = edits.iter().map(|it| &text[it.range.clone()]).collect();
        assert_eq!(lines, ["-   kind: Pod # one\n"]);
        assert_eq!(edits[0].text, "  - kind: Pod # one\n");
        assert_eq!(formatting("a: 1\n").unwrap(), []);
        assert!(formatting("a: [").is_err());
    }

    #[test]
    fn the_edits_produce_the_canonical_layout() {
        for text in
            ["a:   1\r\nb:\r\n- c\r\n-  d", "a: 1", "\u{feff}a:\n    - b\n    -   é: 1\n\n\n\n"]
        {
            let mut edited = text.to_owned();
            for edit in formatting(text).unwrap().into_iter().rev() {
                edited.replace_range(edit.range, &edit.text);
            }
            assert_eq!(edited, format(text).unwrap());
        }
    }
}
