//! Text for people: on a terminal, in the log of a CI server.
//!
//! A terminal interprets control characters; bidirectional and invisible characters make a text look like
//! another one. A CI server reads commands from a log: GitHub's runner in lines that begin with `::`,
//! after any spaces, and, as Azure's and `TeamCity`, from `##[` or `##name[` anywhere in a line.

use std::borrow::Cow;
use std::fmt::{self, Formatter, Write};

use super::{Format, Insert};

/// Lines for people, with colors. Text is shown on one line.
#[derive(Debug)]
pub enum Terminal {}

impl Format for Terminal {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&visible_line(text))
    }
}

/// A color or weight of text on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ink {
    /// The default color.
    Plain,
    Red,
    Green,
    BoldYellow,
    Cyan,
    Faint,
    Bold,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Red => "\u{1b}[31m",
            Self::Green => "\u{1b}[32m",
            Self::BoldYellow => "\u{1b}[1;33m",
            Self::Cyan => "\u{1b}[36m",
            Self::Faint => "\u{1b}[2m",
            Self::Bold => "\u{1b}[1m",
        }
    }
}

/// Text, or a part of a document, in a color.
#[derive(Clone, Copy, Debug)]
pub struct Inked<T>(pub Ink, pub T);

impl<T: Insert<Terminal>> Insert<Terminal> for Inked<T> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let code = self.0.code();
        f.write_str(code)?;
        self.1.insert(f)?;
        f.write_str(if code.is_empty() { "" } else { "\u{1b}[0m" })
    }
}

/// What a program does to a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Moves to the start of the line and erases it.
    EraseLine,
    /// Erases the screen.
    ClearScreen,
}

impl Control {
    /// The sequence.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EraseLine => "\r\u{1b}[K",
            Self::ClearScreen => "\u{1b}[2J\u{1b}[H",
        }
    }
}

/// The replacement of a character that cannot be shown.
const HIDDEN: char = char::REPLACEMENT_CHARACTER;

/// Replaces each control, bidirectional and invisible character with a visible one, so that the
/// string can neither control the terminal nor look like another string. Line feeds and tabs are
/// kept.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !is_plain(text) && text.chars().any(|c| visible_char(c) != c) {
        Cow::Owned(text.chars().map(visible_char).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Like [`visible`], for one line: line feeds and tabs are replaced as well. For messages, in which
/// such a character can only come from a name in the input.
pub fn visible_line(text: &str) -> Cow<'_, str> {
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

pub(super) const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Whether a character controls a terminal, changes the direction of the text around it, or is not
/// visible. A space is none of them.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    matches!(c, '\n' | '\t') || visible_char(c) != c
}

/// The replacement of one character; always a single character, so that columns are kept.
#[must_use]
pub const fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // The block "Control Pictures" has one symbol for each C0 control, in the same order.
        '\0'..='\u{1f}' => match char::from_u32(0x2400 + c as u32) {
            Some(picture) => picture,
            None => HIDDEN,
        },
        '\u{7f}' => '\u{2421}',
        // C1 controls, line and paragraph separators, interlinear characters, and what Unicode calls
        // default ignorable: the soft hyphen, zero-width and bidirectional marks, fillers, selectors
        // of variations, the byte order mark, tags.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => HIDDEN,
        // Noncharacters.
        _ if c as u32 & 0xfffe == 0xfffe => HIDDEN,
        _ => c,
    }
}

/// What is printed for people, as a whole: nothing in it controls the terminal, except for colors if it
/// has any, and no line of it is a command of a CI server. In text that was escaped before, only
/// commands are left to find: their first character is replaced.
pub fn printable(text: &str, is_colored: bool) -> Cow<'_, str> {
    let is_safe = is_plain(text)
        && memchr::memmem::find(text.as_bytes(), b"::").is_none()
        && memchr::memmem::find(text.as_bytes(), b"##").is_none();
    if is_safe {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        push_printable(line, is_colored, &mut shown);
    }
    Cow::Owned(shown)
}

fn push_printable(line: &str, is_colored: bool, out: &mut String) {
    let body = line.strip_suffix('\n').unwrap_or(line);
    // Files can have lines that end with both.
    let body = body.strip_suffix('\r').unwrap_or(body);
    let mut is_start = true;
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        if is_colored && let Some(length) = color_length(rest) {
            let (code, after) = rest.split_at(length);
            out.push_str(code);
            rest = after;
            continue;
        }
        let is_command = is_start && begins_line(rest) || begins_command(rest);
        out.push(if is_command { HIDDEN } else { visible_char(character) });
        is_start &= character.is_whitespace();
        rest = rest.split_at(character.len_utf8()).1;
    }
    out.push_str(line.get(body.len()..).unwrap_or(""));
}

/// The length of a sequence that selects a color, at the start of a text.
fn color_length(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    let is_color = parameters.get(end..)?.starts_with('m');
    is_color.then_some("\u{1b}[".len() + end + 1)
}

/// Whether a line is a command of a CI server, or has one.
#[must_use]
pub fn is_command(line: &str) -> bool {
    find_command(line).is_some()
}

/// Whether a text begins with `::name`, with which commands begin a line.
fn begins_line(text: &str) -> bool {
    text.strip_prefix("::")
        .is_some_and(|rest| rest.starts_with(|character: char| character.is_ascii_alphabetic()))
}

/// Whether a text begins with `##[` or `##name[`, with which commands begin anywhere in a line.
#[must_use]
pub fn begins_command(text: &str) -> bool {
    let Some(name) = text.strip_prefix("##") else { return false };
    name.trim_start_matches(|character: char| character.is_ascii_alphabetic()).starts_with('[')
}

/// The position of the first command in a line.
pub(super) fn find_command(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    if line.get(start..).is_some_and(begins_line) {
        return Some(start);
    }
    line.match_indices("##").map(|it| it.0).find(|at| line.get(*at..).is_some_and(begins_command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup;
    use crate::markup::Markup;

    #[test]
    fn terminal_escapes_become_control_pictures() {
        assert_eq!(visible("a\u{1b}[31mb\u{7f}\u{9b}c"), "a␛[31mb␡\u{fffd}c");
        assert_eq!(visible("line\r\nnext\ttab"), "line␍\nnext\ttab");
    }

    #[test]
    fn reordering_and_invisible_characters_are_shown() {
        assert_eq!(visible("\u{202e}x\u{200b}y\u{feff}"), "\u{fffd}x\u{fffd}y\u{fffd}");
        assert_eq!(visible("a\u{fe00}\u{e0100}\u{1ffff}"), "a\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(visible_line("a\r\nb\tc"), "a␍␊b␉c");
        assert!(matches!(visible_line("größe: 1"), Cow::Borrowed(_)));
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(visible("größe: 1 日本語"), Cow::Borrowed(_)));
        assert!(matches!(printable("a: 1\n\tb\n", false), Cow::Borrowed(_)));
    }

    #[test]
    fn no_line_is_a_command_of_a_server() {
        for (text, expected) in [
            ("a\n \u{3000}::add-mask::b\n", "a\n \u{3000}\u{fffd}:add-mask::b\n"),
            ("a ::b::c", "a ::b::c"),
            ("  ::: a.yaml:1:1", "  ::: a.yaml:1:1"),
            ("a ##[add-mask]b", "a \u{fffd}#[add-mask]b"),
            ("##vso[task.setvariable]x", "\u{fffd}#vso[task.setvariable]x"),
            ("###[group]", "#\u{fffd}#[group]"),
            ("## a [b]", "## a [b]"),
            ("a\r::stop-commands::b\r\n", "a␍::stop-commands::b\r\n"),
        ] {
            assert_eq!(printable(text, false), expected);
        }
    }

    #[test]
    fn colors_are_kept_where_there_are_any() {
        let mut line = Markup::<Terminal>::new();
        markup!(line, "{} {}\n", Inked(Ink::Red, "a\u{1b}[2J\nb"), Inked(Ink::Plain, "c"));
        assert_eq!(line.as_str(), "\u{1b}[31ma␛[2J␊b\u{1b}[0m c\n");
        assert_eq!(printable(line.as_str(), true), line.as_str());
        assert_eq!(printable(line.as_str(), false), "␛[31ma␛[2J␊b␛[0m c\n");
        assert_eq!(printable("\u{1b}[2m  ::a::\u{1b}[K", true), "\u{1b}[2m  \u{fffd}:a::␛[K");
    }
}
