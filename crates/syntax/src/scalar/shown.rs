//! Strings of the input in messages.

use std::fmt::{self, Display, Write};

/// The noncharacters around a quote in a string that becomes a message.
pub const QUOTE_MARKS: [char; 2] = ['\u{fdd2}', '\u{fdd3}'];

/// A name or value of the input, for a message that shows it without backquotes, or whose own
/// backquotes must not end it. Only for strings that become a [`Message`](crate::diag::Message).
pub fn quote(value: impl Display) -> impl Display {
    Quoted(value)
}

struct Quoted<T>(T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [start, end] = QUOTE_MARKS;
        f.write_char(start)?;
        write!(Unmarked(f), "{}", self.0)?;
        f.write_char(end)
    }
}

/// Leaves out the marks of a value, so that it cannot end its quote.
struct Unmarked<'w, W>(&'w mut W);

impl<W: Write> Write for Unmarked<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.split(QUOTE_MARKS).try_for_each(|piece| self.0.write_str(piece))
    }
}

/// A string as shown in messages: without control characters, truncated to one line; an empty one
/// with its quotes.
pub fn shown(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let mut shown = String::new();
    for c in text.chars().take(80) {
        match c {
            // The author reads them as they are written.
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if shown.contains('`') { quote(shown).to_string() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_fits_on_one_line() {
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("a\nb\u{202e}"), "a\\nb\\u{202e}");
        assert_eq!(shown(r#"^\d"'$"#), r#"^\d"'$"#);
        assert_eq!(shown(&"é".repeat(1000)), "é".repeat(80));
    }

    #[test]
    fn a_value_cannot_end_its_quote() {
        let [start, end] = QUOTE_MARKS;
        assert_eq!(quote(format!("a{end}b{start}")).to_string(), format!("{start}ab{end}"));
        assert_eq!(shown("`a`"), format!("{start}`a`{end}"));
    }
}
