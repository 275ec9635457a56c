//! Comments in YAML, which end with their line.
//!
//! Readers of YAML 1.1 also end a line at U+0085, U+2028 and U+2029, and reject a file with control
//! characters.

use std::fmt::{self, Write};

use super::terminal::find_command;
use super::{Format, visible_line};

/// Comments in YAML. Text is the rest of a line after `# `.
#[derive(Debug)]
pub enum YamlComment {}

/// The start of comments that this program itself reads, such as `sandboxc: allow`.
const OWN: &str = "sandboxc:";

impl Format for YamlComment {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        let text = visible_line(text);
        if !text.contains(OWN) && find_command(&text).is_none() {
            return out.write_str(&text);
        }
        let text = text.replace(OWN, "sandboxc\u{fffd}");
        let mut rest = &*text;
        while let Some(at) = find_command(rest) {
            let (before, after) = rest.split_at(at);
            out.write_str(before)?;
            out.write_char(char::REPLACEMENT_CHARACTER)?;
            rest = after.split_at(1).1;
        }
        out.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;

    #[test]
    fn a_comment_is_one_line_that_says_nothing_to_a_program() {
        for (text, expected) in [
            ("web/größe.yaml", "web/größe.yaml"),
            ("a\nkind: Pod", "a␊kind: Pod"),
            ("a\u{85}b\u{2028}c\u{2029}d\re", "a\u{fffd}b\u{fffd}c\u{fffd}d␍e"),
            ("sandboxc: allow x", "sandboxc\u{fffd} allow x"),
            ("a ##[add-mask]b ##[c]", "a \u{fffd}#[add-mask]b \u{fffd}#[c]"),
        ] {
            assert_eq!(Markup::<YamlComment>::of(text).into_string(), expected);
        }
    }
}
