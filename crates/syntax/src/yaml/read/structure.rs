//! Syntax that Kubernetes' reader and YAML 1.2 interpret as different structures, or that one of
//! them rejects.

use super::event::{Style, Tag};
use crate::diag::{Diagnostic, Severity, declare_rules, message};
use crate::source::{FileSpan, Slice as _};
use crate::yaml::scalar;

declare_rules! {
    COLON_BEFORE_BRACKET = "colon-before-bracket", Error;
    UNQUOTED_TEXT_IN_BRACKETS = "unquoted-text-in-brackets", Error;
    KEY_OVER_LINES = "key-over-lines", Error;
    TAG_BEFORE_COMMA = "tag-before-comma", Warning;
    ESCAPE_NOT_PORTABLE = "escape-not-portable", Error;
    LINE_SEPARATOR = "line-separator", Error;
    INVISIBLE_SPACE = "invisible-space", Error;
    TYPOGRAPHIC_QUOTES = "typographic-quotes", Warning;
}

/// Checks a plain scalar inside brackets; `text` is the scalar as written at `span` of `source`.
pub(super) fn plain_in_brackets(span: FileSpan, text: &str, source: &str) -> Option<Diagnostic> {
    let found = if text.starts_with(':') { 0 } else { text.find('?')? };
    let at = u32::try_from(found).ok()?;
    let shown = text.get(found..=found)?;
    let mark = FileSpan { start: span.start + at, end: span.start + at + 1, ..span };
    let whole = whole_string(span, source);
    let shown_whole = source.get(whole.range()).unwrap_or(text);
    Some(
        Diagnostic::new(
            &UNQUOTED_TEXT_IN_BRACKETS,
            mark,
            message!("unquoted string in brackets contains `{shown}`"),
        )
        .note(
            "Kubernetes' parser treats it as the indicator of a key or value, and rejects the \
            document",
        )
        .fix(whole, scalar::quote(shown_whole), "quote the string"),
    )
}

/// The unquoted string in brackets that begins with the scalar at `span`: Kubernetes' parser and YAML
/// 1.2 differ in where it ends.
fn whole_string(span: FileSpan, source: &str) -> FileSpan {
    let rest = source.slice(span.start as usize..);
    let end = rest.find([',', '[', ']', '{', '}', '\n', '\r']).unwrap_or(rest.len());
    let rest = rest.get(..end).unwrap_or(rest);
    let end = rest.find(": ").unwrap_or(rest.len());
    let length = rest.get(..end).unwrap_or(rest).trim_end_matches([' ', '\t']).len();
    let end = span.start + u32::try_from(length).unwrap_or(0);
    FileSpan { end: end.max(span.end), ..span }
}

/// A key inside brackets that Kubernetes reads with its colon, since no space follows: `{a:}`.
pub(super) fn key_with_colon(span: FileSpan, name: &str) -> Diagnostic {
    let colon = FileSpan { start: span.end.saturating_sub(1), ..span };
    Diagnostic::new(
        &COLON_BEFORE_BRACKET,
        colon,
        message!("`{name}:` without a space after the colon is ambiguous"),
    )
    .note(message!(
        "Kubernetes reads the string `{name}:`, YAML 1.2 parsers the key `{name}` without a value"
    ))
    .suggest(colon, ": null", "write the value")
}

/// An unquoted string inside brackets that ends with a colon, as Kubernetes reads it: a value, not a
/// key.
pub(super) fn string_with_colon(span: FileSpan, text: &str) -> Diagnostic {
    let message = message!("unquoted string `{text}` in brackets ends with a colon");
    let mut finding = Diagnostic::new(&COLON_BEFORE_BRACKET, span, message)
        .note("Kubernetes reads this string, but YAML 1.2 parsers read a key without a value")
        .fix(span, scalar::quote(text), "quote the string");
    finding.severity = Severity::Warning;
    finding
}

/// A key continues in the next line.
pub(super) fn key_over_lines(span: FileSpan) -> Diagnostic {
    Diagnostic::new(&KEY_OVER_LINES, span, "key spans several lines")
        .note("Kubernetes' parser requires a key and its colon on one line")
        .help("join the lines, or add a comma between two entries")
}

/// Checks a tag inside brackets.
pub(super) fn tag_in_brackets(tag: &Tag, span: FileSpan, source: &str) -> Option<Diagnostic> {
    let place = FileSpan { start: tag.start, end: tag.end, ..span };
    let text = source.get(place.range())?.trim_start_matches("!<");
    let glued = text.chars().find(|c| matches!(c, ',' | '[' | ']'))?;
    Some(
        Diagnostic::new(&TAG_BEFORE_COMMA, place, "missing space after a tag")
            .note(message!("Kubernetes' parser makes `{glued}` part of the tag"))
            .help("remove the tag, or write its value after it"),
    )
}

/// Checks the escapes of a double-quoted scalar; `text` is the scalar as written at `span`.
pub(super) fn escapes(span: FileSpan, text: &str) -> Option<Diagnostic> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..)?) {
        let start = at + found;
        let (length, replacement) = match bytes.get(start + 1..)? {
            [b'/', ..] => (2, "/".to_owned()),
            [b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => {
                (12, surrogate_pair(text.get(start..start + 12)?)?.to_string())
            }
            _ => {
                at = start + 2;
                continue;
            }
        };
        let offset = span.start + u32::try_from(start).ok()?;
        let place = FileSpan { start: offset, end: offset + length, ..span };
        let shown = text.get(start..start + length as usize)?;
        return Some(
            Diagnostic::new(
                &ESCAPE_NOT_PORTABLE,
                place,
                message!("unsupported escape `{shown}` in Kubernetes' parser"),
            )
            .fix(place, replacement, "write the character itself"),
        );
    }
    None
}

/// The character of `\uD83D\uDE00`.
fn surrogate_pair(text: &str) -> Option<char> {
    let high = u16::from_str_radix(text.get(2..6)?, 16).ok()?;
    let low = u16::from_str_radix(text.get(8..12)?, 16).ok()?;
    char::decode_utf16([high, low]).next()?.ok()
}

/// The Unicode line separators in `text`, by offset and length in bytes.
pub(super) fn line_separators(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<_> = ["\u{85}", "\u{2028}", "\u{2029}"]
        .iter()
        .flat_map(|separator| {
            memchr::memmem::find_iter(text.as_bytes(), separator.as_bytes())
                .map(|at| (at, separator.len()))
        })
        .collect();
    found.sort_unstable();
    found
}

/// Whether Kubernetes' reader changes a line separator in quotes: it turns U+0085 into a space, and
/// removes spaces before and after the others.
pub(super) fn is_folded_in_quotes(text: &str, at: usize, length: usize) -> bool {
    let is_blank = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let bytes = text.as_bytes();
    length == 2 || is_blank(bytes.get(at.wrapping_sub(1))) || is_blank(bytes.get(at + length))
}

/// Reports a line separator that readers interpret differently.
pub(super) fn line_separator(place: FileSpan, text: &str) -> Diagnostic {
    let code = text.chars().next().map_or(0, u32::from);
    Diagnostic::new(
        &LINE_SEPARATOR,
        place,
        message!(
            "U+{code:04X} is a line break in Kubernetes and an ordinary character in other \
            parsers"
        ),
    )
    .suggest(
        place,
        " ",
        "replace the character with a space, or write `\\N`, `\\L` or `\\P` in double quotes",
    )
}

/// Checks a key for an invisible space at its start.
pub(in crate::yaml) fn invisible_space(span: FileSpan, text: &str) -> Option<Diagnostic> {
    let is_blank = |c: char| !c.is_ascii() && c.is_whitespace();
    let rest = text.trim_start_matches(is_blank);
    let first = text.chars().next().filter(|_| rest.len() < text.len())?;
    let length = u32::try_from(text.len() - rest.len()).ok()?;
    let count = text.chars().take_while(|c| is_blank(*c)).count();
    let place = FileSpan { end: span.start + length, ..span };
    Some(
        Diagnostic::new(
            &INVISIBLE_SPACE,
            place,
            message!("key starts with U+{:04X}, which only looks like a space", u32::from(first)),
        )
        .suggest(place, " ".repeat(count), "use ordinary spaces"),
    )
}

/// Checks an unquoted string for typographic quotes around it.
pub(super) fn typographic_quotes(span: FileSpan, text: &str) -> Option<Diagnostic> {
    const PAIRS: &[(char, &[char])] = &[
        ('“', &['”', '“', '"']),
        ('”', &['”']),
        ('„', &['“', '”']),
        ('‘', &['’', '‘', '\'']),
        ('’', &['’']),
        ('«', &['»']),
    ];
    let (opening, closing) = PAIRS.iter().find(|pair| text.starts_with(pair.0))?;
    let inner = text.strip_prefix(*opening)?.strip_suffix(*closing)?;
    if inner.contains(['“', '”', '„', '‘', '’', '«', '»', '\n', '\r']) {
        return None;
    }
    let message = "typographic quotes around a value are part of it";
    Some(
        Diagnostic::new(&TYPOGRAPHIC_QUOTES, span, message)
            .at("not quoted")
            .same_mistake_as(span)
            .note("only `\"` and `'` are quotes in YAML")
            .suggest(span, scalar::quote(inner), "use ordinary quotes"),
    )
}

/// Whether a scalar is written in double quotes and has escapes.
pub(super) fn has_escapes(style: Style, text: &str) -> bool {
    style == Style::Quoted
        && text.starts_with('"')
        && memchr::memchr(b'\\', text.as_bytes()).is_some()
}
