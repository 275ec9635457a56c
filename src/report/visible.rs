//! Makes strings safe to print on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Replaces each control, bidirectional and invisible character with a visible one, so that the
/// string can neither control the terminal nor look like another string. Line feeds and tabs are
/// kept.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !is_plain(text) && text.chars().any(|c| visible_char(c) != c) {
        Cow::Owned(text.chars().map(visible_char).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Like [`visible`], for one line: line feeds and tabs are replaced as well. For messages, in which
/// such a character can only come from a name in the input.
pub(crate) fn visible_line(text: &str) -> Cow<'_, str> {
    let visible = visible(text);
    if visible.contains(['\n', '\t']) {
        Cow::Owned(visible.replace('\n', "\u{240a}").replace('\t', "\u{2409}"))
    } else {
        visible
    }
}

/// Whether all characters are printable ASCII, line feeds or tabs, which are not replaced. Most of
/// a long report is, and bytes are compared faster than characters.
fn is_plain(text: &str) -> bool {
    text.bytes().all(is_plain_byte)
}

const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Escapes each control, bidirectional and invisible character of JSON, which can only be in
/// strings.
pub(crate) fn escaped_json(json: String) -> String {
    if is_plain(&json) {
        return json;
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = json.as_str();
    loop {
        let plain = rest.bytes().position(|byte| !is_plain_byte(byte)).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        text.push_str(before);
        let mut after = after.chars();
        let Some(character) = after.next() else { return text };
        push_escaped(character, &mut text);
        rest = after.as_str();
    }
}

fn push_escaped(character: char, json: &mut String) {
    if visible_char(character) == character {
        json.push(character);
        return;
    }
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(json, "\\u{unit:04x}");
    }
}

/// The replacement of one character; always a single character, so that columns are kept.
pub(super) fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // The block "Control Pictures" has one symbol for each C0 control, in the same order.
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
    fn terminal_escapes_become_control_pictures() {
        assert_eq!(visible("a\u{1b}[31mb\u{7f}\u{9b}c"), "a␛[31mb␡\u{fffd}c");
        assert_eq!(visible("line\r\nnext\ttab"), "line␍\nnext\ttab");
    }

    #[test]
    fn reordering_and_invisible_characters_are_shown() {
        assert_eq!(visible("\u{202e}x\u{200b}y\u{feff}"), "\u{fffd}x\u{fffd}y\u{fffd}");
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let text = "a\u{9b}\u{202e}\u{feff}\u{e0001}\n\"\u{1b}\u{7f}b";
        let json = escaped_json(serde_json::to_string(text).unwrap());
        assert_eq!(json, r#""a\u009b\u202e\ufeff\udb40\udc01\n\"\u001b\u007fb""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
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
