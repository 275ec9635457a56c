//! Text that is safe to show on a terminal.

use std::borrow::Cow;

/// `text` with each control, bidirectional and invisible character replaced by a visible one, so
/// that it can neither command the terminal nor look like another text. Line feeds and tabs stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(|c| visible_char(c) != c) {
        Cow::Owned(text.chars().map(visible_char).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// As [`visible`], on one line: line feeds and tabs are replaced as well. For words of ours, in which
/// such a character can only come from a name of the input.
pub(super) fn visible_line(text: &str) -> Cow<'_, str> {
    let visible = visible(text);
    if visible.contains(['\n', '\t']) {
        Cow::Owned(visible.replace('\n', "\u{240a}").replace('\t', "\u{2409}"))
    } else {
        visible
    }
}

/// What is shown for one character; always one character, so that columns stay.
pub(super) fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // The block "Control Pictures" has one sign for each of C0, in the same order.
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{7f}' => '\u{2421}',
        // C1 controls, the soft hyphen, zero-width and bidirectional marks, line and paragraph
        // separators, the byte order mark, interlinear and tag characters, and noncharacters.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_the_terminal_become_pictures() {
        assert_eq!(visible("a\u{1b}[31mb\u{7f}\u{9b}c"), "a␛[31mb␡\u{fffd}c");
        assert_eq!(visible("line\r\nnext\ttab"), "line␍\nnext\ttab");
    }

    #[test]
    fn reordering_and_invisible_characters_are_shown() {
        assert_eq!(visible("\u{202e}x\u{200b}y\u{feff}"), "\u{fffd}x\u{fffd}y\u{fffd}");
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(visible_line("a\r\nb\tc"), "a␍␊b␉c");
        assert!(matches!(visible_line("größe: 1"), Cow::Borrowed(_)));
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(visible("größe: 1 日本語"), Cow::Borrowed(_)));
    }
}
