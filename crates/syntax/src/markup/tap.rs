//! The Test Anything Protocol. Text is the description of a test, in which `#` begins a directive; a block
//! of YAML has strings in quotes.

use std::fmt::{self, Formatter, Write};

use super::{Format, Insert, visible_line, yaml_string};

/// Results of tests.
#[derive(Debug)]
pub enum Tap {}

impl Format for Tap {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        for character in visible_line(text).chars() {
            if matches!(character, '\\' | '#') {
                out.write_char('\\')?;
            }
            out.write_char(character)?;
        }
        Ok(())
    }
}

/// A string in a block of YAML.
#[derive(Clone, Copy, Debug)]
pub struct JsonString<'t>(pub &'t str);

impl Insert<Tap> for JsonString<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&yaml_string(self.0))
    }
}
