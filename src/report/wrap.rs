//! Lines that fit into a terminal.

/// Breaks a line between words, so that it fits into `columns` after a prefix of `indent` columns.
/// The renderer indents the lines after the first.
pub(super) fn wrapped(text: &str, columns: Option<usize>, indent: usize) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    // Leave room for a few words after very long prefixes.
    let most = columns.saturating_sub(indent).max(columns / 3);
    let mut lines = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > most {
            lines.push('\n');
            width = 0;
        } else if !lines.is_empty() {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_between_words() {
        let text = "one two three";
        assert_eq!(wrapped(text, None, 4), text);
        assert_eq!(wrapped(text, Some(20), 7), "one two three");
        assert_eq!(wrapped(text, Some(20), 8), "one two\nthree");
        assert_eq!(wrapped(text, Some(20), 13), "one two\nthree");
        assert_eq!(wrapped(text, Some(9), 8), "one\ntwo\nthree");
        assert_eq!(wrapped("a  b", Some(80), 0), "a  b", "spaces of a quoted value are kept");
    }
}
