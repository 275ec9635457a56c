//! Snippets of editors, in which `$1` is a place to fill in, and `$NAME` a value of the editor.

use std::fmt::{self, Write};

use super::{Format, visible_line};

/// A snippet.
#[derive(Debug)]
pub enum Snippet {}

impl Format for Snippet {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        for character in visible_line(text).chars() {
            if matches!(character, '\\' | '$' | '}') {
                out.write_char('\\')?;
            }
            out.write_char(character)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;

    #[test]
    fn a_name_is_not_a_variable() {
        let text = Markup::<Snippet>::of("$CLIPBOARD${1:a}\\\n").into_string();
        assert_eq!(text, "\\$CLIPBOARD\\${1:a\\}\\\\␊");
    }
}
