//! Strings of the input in messages.

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
    shown
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
}
