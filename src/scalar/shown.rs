//! Strings of the input in messages.

/// A string as shown in messages: without control characters, truncated to one line; an empty one
/// with its quotes.
pub(crate) fn shown(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_string_fits_on_one_line() {
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("a\nb\u{202e}"), "a\\nb\\u{202e}");
        assert_eq!(shown(&"é".repeat(1000)), "é".repeat(80));
    }
}
