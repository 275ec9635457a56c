//! The DOT language of Graphviz. Text is in double quotes, in a label.
//!
//! Of a string in quotes, DOT only reads `\"`; a label then reads backslashes as escapes, such as `\N`
//! and `\l`, and `&name;` as a character.

use std::fmt::{self, Write};

use super::terminal::begins_command;
use super::{Format, visible_line};

/// A graph in DOT.
#[derive(Debug)]
pub enum Dot {}

impl Format for Dot {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        let text = visible_line(text);
        for (at, character) in text.char_indices() {
            match character {
                '\\' => out.write_str("\\\\")?,
                '"' => out.write_str("\\\"")?,
                '&' => out.write_str("&amp;")?,
                '#' if text.get(at..).is_some_and(begins_command) => out.write_str("&#35;")?,
                other => out.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;

    #[test]
    fn names_cannot_hide_or_end_a_string() {
        let text = Markup::<Dot>::of("a\"\\N\u{1b}[31m\u{202e}&lt;\n##[b]").into_string();
        assert_eq!(text, r#"a\"\\N␛[31m�&amp;lt;␊&#35;#[b]"#);
    }
}
