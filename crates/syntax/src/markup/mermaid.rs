//! Mermaid's flowcharts. Text is in double quotes, in a label.
//!
//! A label is Markdown and HTML, in which `#name;` is a character. Characters that could be markup are
//! written with their numbers.

use std::fmt::{self, Write};

use super::{Format, visible_line};

/// A flowchart.
#[derive(Debug)]
pub enum Mermaid {}

impl Format for Mermaid {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        let text = visible_line(text);
        let mut before = None;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let after = characters.peek().copied();
            if is_inert(before, character, after) {
                out.write_char(character)?;
            } else {
                write!(out, "#{};", u32::from(character))?;
            }
            before = Some(character);
        }
        Ok(())
    }
}

/// Whether a character between two others has no meaning: a dash at the start would begin a list, and
/// `www.` an address.
fn is_inert(before: Option<char>, character: char, after: Option<char>) -> bool {
    let is_word = |neighbor: Option<char>| neighbor.is_some_and(char::is_alphanumeric);
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        ' ' | '-' => is_word(before) && is_word(after),
        '.' => is_word(before) && is_word(after) && !matches!(before, Some('w' | 'W')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;

    #[test]
    fn only_words_are_written_as_they_are() {
        for (text, expected) in [
            ("web-1.example", "web-1.example"),
            ("a b", "a b"),
            ("- a", "#45;#32;a"),
            ("1. a", "1#46;#32;a"),
            ("www.a_b", "www#46;a#95;b"),
            ("a\"]\n%%`", "a#34;#93;#9226;#37;#37;#96;"),
            ("\u{202e}<b>&", "#65533;#60;b#62;#38;"),
            ("https://a", "https#58;#47;#47;a"),
        ] {
            assert_eq!(Markup::<Mermaid>::of(text).into_string(), expected);
        }
    }
}
