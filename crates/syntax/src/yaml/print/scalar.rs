//! Printing of strings: plain, quoted, or as a literal block.

use crate::source::Slice as _;
use std::fmt::Write;

use super::doubt::is_doubtful;
use super::push_indent;
use super::substituted::can_become_doubtful;
use crate::markup::{begins_command, is_command};

/// The layout of a printed string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// On one line, or in a block whose last line break is not part of the value.
    Inline,
    /// In a block whose last line breaks are part of the value.
    BlockWithLineEnds,
}

/// The styles of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Plain,
    Single,
    Double,
    Literal,
}

/// Writes a string after `key: ` or `- `; the lines of a block are at `column`. A string that the author
/// wrote without quotes has none if it could become another type by substitution, which can be intended.
pub(super) fn write_text(
    text: &str,
    is_plain_in_source: impl FnOnce() -> bool,
    column: usize,
    out: &mut String,
) -> Written {
    match form_of(text) {
        Form::Plain if is_open(text) && !is_plain_in_source() => write_double_quoted(text, out),
        Form::Plain => out.push_str(text),
        Form::Single => write_single_quoted(text, out),
        Form::Double => write_double_quoted(text, out),
        Form::Literal => {
            write_literal(text, column, out);
            if text.ends_with('\n') {
                return Written::BlockWithLineEnds;
            }
        }
    }
    Written::Inline
}

/// Writes a key, always on one line.
pub(super) fn write_key(text: &str, out: &mut String) {
    // The names of fields.
    if are_letters(text.as_bytes()) && !is_doubtful(text) {
        out.push_str(text);
        return;
    }
    match form_of(text) {
        // `a:[b: c` is a key to YAML and a missing space to the reader, and `::a` begins a command.
        Form::Plain if has_colon_before_bracket(text) || is_command(text) => {
            write_single_quoted(text, out);
        }
        Form::Plain => out.push_str(text),
        Form::Single => write_single_quoted(text, out),
        Form::Double | Form::Literal => write_double_quoted(text, out),
    }
}

fn has_colon_before_bracket(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| matches!(pair, [b':', b'[' | b'{']))
}

/// The treatment that a byte requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// None.
    Safe,
    Colon,
    Hash,
    LineFeed,
    Tab,
    /// An escape.
    Control,
    /// The first byte of a character that may need an escape, or may be a space.
    Lead,
}

const CLASSES: [Class; 256] = table_of_classes();

const fn table_of_classes() -> [Class; 256] {
    let mut classes = [Class::Safe; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
        #[expect(clippy::cast_possible_truncation, reason = "the index is below 256")]
        {
            classes[byte] = match byte as u8 {
                b':' => Class::Colon,
                b'#' => Class::Hash,
                b'\n' => Class::LineFeed,
                b'\t' => Class::Tab,
                0x00..=0x1f | 0x7f => Class::Control,
                0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef => Class::Lead,
                _ => Class::Safe,
            };
        }
        byte += 1;
    }
    classes
}

fn class_of(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Control)
}

/// The style of a string as the value of a key.
fn form_of(text: &str) -> Form {
    let bytes = text.as_bytes();
    let mut at = special_from(bytes, 0);
    if at == bytes.len() {
        // Most strings of a manifest return here.
        if bytes.first().is_some_and(|first| starts_plain(*first)) && bytes.last() != Some(&b' ') {
            return Form::Plain;
        }
        let is_plain = !starts_with_indicator(bytes)
            && !matches!(bytes.first(), Some(b' '))
            && !matches!(bytes.last(), Some(b' '));
        return one_line(text, is_plain);
    }
    // Invisible spaces of Unicode at an end are quoted too: Helm trims them.
    let is_blank = |it: char| it.is_whitespace() && it != '\n';
    let ends_in_blank = text.ends_with(is_blank);
    let mut is_plain =
        !starts_with_indicator(bytes) && !text.starts_with(is_blank) && !ends_in_blank;
    let (mut has_lines, mut has_tab) = (false, false);
    while at < bytes.len() {
        let next = at + 1;
        match bytes.get(at).map_or(Class::Control, |byte| class_of(*byte)) {
            Class::Colon => is_plain &= !matches!(bytes.get(next), None | Some(b' ')),
            // A log of a CI server would read a command.
            Class::Hash if begins_command(text.slice(at..)) => return Form::Double,
            Class::Hash => is_plain &= at == 0 || bytes.get(at - 1) != Some(&b' '),
            Class::LineFeed => has_lines = true,
            Class::Tab => has_tab = true,
            Class::Control => return Form::Double,
            Class::Lead if needs_escape(bytes, at) => return Form::Double,
            Class::Safe | Class::Lead => {}
        }
        at = special_from(bytes, next);
    }
    if has_lines {
        let is_empty = bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        let is_double = is_empty || ends_in_blank || text.lines().any(is_command);
        return if is_double { Form::Double } else { Form::Literal };
    }
    if has_tab { Form::Double } else { one_line(text, is_plain) }
}

/// The style of a string without line breaks and escapes; `is_plain` is whether it can be plain.
fn one_line(text: &str, is_plain: bool) -> Form {
    if is_doubtful(text) {
        Form::Double
    } else if is_plain {
        Form::Plain
    } else {
        Form::Single
    }
}

/// Whether substitution of a placeholder can change the type of a plain string.
fn is_open(text: &str) -> bool {
    !text.bytes().next().is_some_and(starts_plain) && can_become_doubtful(text)
}

/// Whether all bytes are ASCII letters.
fn are_letters(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
}

/// The position of the first byte at or after `at` that requires treatment; the length if there is
/// none.
fn special_from(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.slice(at..);
    at + rest.iter().position(|byte| class_of(*byte) != Class::Safe).unwrap_or(rest.len())
}

/// Whether a text that begins with this letter is neither an indicator nor doubtful.
const fn starts_plain(letter: u8) -> bool {
    let letter = letter.to_ascii_lowercase();
    letter.is_ascii_alphabetic()
        && !matches!(letter, b'y' | b'n' | b't' | b'f' | b'o' | b'i' | b'e')
}

/// Whether a plain scalar cannot begin with these bytes.
fn starts_with_indicator(bytes: &[u8]) -> bool {
    match bytes {
        [
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`',
            ..,
        ]
        | [b'-', b'-', b'-', ..]
        | [b'.', b'.', b'.', ..] => true,
        [b'-' | b'?' | b':', rest @ ..] => matches!(rest, [] | [b' ' | b'\t' | b'\n', ..]),
        _ => false,
    }
}

/// Whether the character at `at` is a C1 control, a line break of YAML 1.1, a byte order mark, a
/// noncharacter, or a mark that changes the direction of the text: U+0080 to U+009F, U+2028, U+2029,
/// U+FEFF, U+FFFE, U+FFFF; U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
fn needs_escape(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at..),
        Some(
            [0xc2, 0x80..=0x9f, ..]
                | [0xd8, 0x9c, ..]
                | [0xe2, 0x80, 0x8e | 0x8f | 0xa8..=0xae, ..]
                | [0xe2, 0x81, 0xa6..=0xa9, ..]
                | [0xef, 0xbb, 0xbf, ..]
                | [0xef, 0xbf, 0xbe | 0xbf, ..]
        )
    )
}

fn write_single_quoted(text: &str, out: &mut String) {
    out.push('\'');
    let mut parts = text.split('\'');
    out.push_str(parts.next().unwrap_or(""));
    for part in parts {
        out.push_str("''");
        out.push_str(part);
    }
    out.push('\'');
}

/// Writes a string in double quotes on one line.
pub(super) fn write_double_quoted(text: &str, out: &mut String) {
    out.push('"');
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'#'))
    {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut from = 0;
    for (at, character) in text.char_indices() {
        let escape = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            '\r' => "\\r",
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\u{b}' => "\\v",
            '\u{c}' => "\\f",
            '\u{1b}' => "\\e",
            '\u{85}' => "\\N",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            '\u{1}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => "",
            '#' if text.get(at..).is_some_and(begins_command) => "",
            _ => continue,
        };
        out.push_str(text.slice(from..at));
        from = at + character.len_utf8();
        if escape.is_empty() {
            let code = u32::from(character);
            // Writing to a `String` cannot fail.
            let _ = if code < 0x100 {
                write!(out, "\\x{code:02X}")
            } else {
                write!(out, "\\u{code:04X}")
            };
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(text.slice(from..));
    out.push('"');
}

/// Writes a literal block without its last line feed. The string has a character other than spaces.
fn write_literal(text: &str, column: usize, out: &mut String) {
    out.push('|');
    // Without this, readers take the leading spaces of the first line as indentation.
    if text.starts_with([' ', '\t', '\n']) {
        out.push('2');
    }
    let body = match text.strip_suffix('\n') {
        None => {
            out.push('-');
            text
        }
        Some(body) => {
            if body.ends_with('\n') {
                out.push('+');
            }
            body
        }
    };
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            push_indent(column, out);
            out.push_str(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{are_letters, write_text};

    /// Without quotes the author may mean a number.
    #[test]
    fn a_placeholder_without_quotes_stays_without() {
        for (is_plain_in_source, expected) in [(true, "${SIZE}"), (false, "\"${SIZE}\"")] {
            let mut out = String::new();
            write_text("${SIZE}", || is_plain_in_source, 0, &mut out);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn each_byte_of_a_name_is_compared() {
        for length in 0..20 {
            let name = vec![b'Z'; length];
            assert!(are_letters(&name), "{length}");
            for (at, byte) in (0..length).flat_map(|at| (0..=u8::MAX).map(move |it| (at, it))) {
                let mut other = name.clone();
                other[at] = byte;
                assert_eq!(are_letters(&other), byte.is_ascii_alphabetic(), "{other:?}");
            }
        }
    }
}
