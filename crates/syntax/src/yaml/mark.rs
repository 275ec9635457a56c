//! Searches for document markers, and for the bytes around them that YAML readers interpret
//! differently.

use crate::source::Slice as _;
use std::ops::Range;

use memchr::{memchr, memmem};

/// The kind of a line that begins with `---` or `...` at column 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MarkKind {
    /// `---`, and a space, a line break or the end of the input after it.
    Start,
    /// `...`, likewise.
    End,
    /// `---` and anything else; such a line is content.
    Lookalike,
}

/// A line that begins with `---` or `...`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mark {
    /// The offset of the first of the three characters.
    pub(super) at: usize,
    /// Its kind.
    pub(super) kind: MarkKind,
}

/// An unusual feature at the boundaries of a stream. Ordinary streams have none, and then every
/// YAML reader sees the same documents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Oddity {
    /// Content on the line of a `---`.
    MarkerWithContent,
    /// A line that begins with `---` and continues with text.
    TextAfterDashes,
    /// A line that begins with `---` and continues with `#`, or with a space that YAML does not
    /// recognize.
    CommentAfterDashes,
    /// Content after a `...`, without its own `---`.
    DocumentWithoutMarker,
    /// Text on the line of a `...`.
    EndWithText,
    /// A `%` line.
    Directive,
    /// A CR without LF that ends the line of a marker or the line before it.
    LoneCarriageReturn,
    /// U+0085, U+2028 or U+2029, followed by what looks like a marker.
    UnicodeLineBreak,
    /// U+FEFF after the start of the stream.
    ByteOrderMark,
    /// A `...` with no content before it in its document.
    EndWithoutContent,
    /// The last line is a marker, something follows on it, and it has no line feed.
    UnfinishedMarkerLine,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The line breaks of YAML 1.1 that YAML 1.2 does not have.
const UNICODE_BREAKS: [&str; 3] = ["\u{85}", "\u{2028}", "\u{2029}"];

/// The length of the byte order mark at the start of the text, in bytes.
pub(super) fn byte_order_mark_len(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The length of a byte order mark at `at`, in bytes; the grammar allows one in a document prefix.
pub(super) fn leading_mark(bytes: &[u8], at: usize, is_prefix: bool) -> usize {
    let is_mark = bytes.get(at..).is_some_and(|rest| rest.starts_with(BYTE_ORDER_MARK.as_bytes()));
    if is_prefix && is_mark { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The start of a marker's line; a byte order mark can precede the marker.
pub(super) fn start_of_line(bytes: &[u8], marker: usize) -> usize {
    let before = bytes.slice(..marker);
    before.strip_suffix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(before).len()
}

/// The first byte at or after `at` that is neither a space nor a tab.
pub(super) fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let blanks = bytes.slice(at..).iter();
    at + blanks.take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// All marks of a text, in order.
pub(super) fn find(text: &str, is_ascii: bool) -> Vec<Mark> {
    let bytes = text.as_bytes();
    let mut marks = Vec::new();
    let mut collect = |needle: &[u8], offset: usize| {
        for found in memmem::find_iter(bytes, needle) {
            marks.extend(mark_at(bytes, found + offset));
        }
    };
    collect(b"\n---", 1);
    collect(b"\n...", 1);
    if memchr(b'\r', bytes).is_some() {
        collect(b"\r---", 1);
        collect(b"\r...", 1);
    }
    // Between two documents the grammar allows a byte order mark before the `---`.
    let after_start = byte_order_mark_len(text);
    if !is_ascii && contains_byte_order_mark(text, after_start) {
        collect("\n\u{feff}---".as_bytes(), 1 + BYTE_ORDER_MARK.len());
        collect("\r\u{feff}---".as_bytes(), 1 + BYTE_ORDER_MARK.len());
    }
    marks.extend(mark_at(bytes, after_start));
    // Few sorted runs, which the stable sort merges in linear time.
    marks.sort();
    marks
}

fn contains_byte_order_mark(text: &str, from: usize) -> bool {
    let rest = text.as_bytes().slice(from..);
    memmem::find(rest, BYTE_ORDER_MARK.as_bytes()).is_some()
}

/// The mark at the start of a line, if any.
fn mark_at(bytes: &[u8], at: usize) -> Option<Mark> {
    let is_ended = matches!(bytes.get(at + 3), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    let kind = match (bytes.get(at..at + 3)?, is_ended) {
        (b"---", true) => MarkKind::Start,
        (b"...", true) => MarkKind::End,
        (b"---", false) if at == 0 || bytes.get(at - 1) != Some(&b'\r') => MarkKind::Lookalike,
        _ => return None,
    };
    Some(Mark { at, kind })
}

/// Byte order marks after the start, and line breaks of YAML 1.1 with a marker after them. A text of
/// ASCII has none.
pub(super) fn find_unicode_oddities(text: &str) -> Vec<(Range<usize>, Oddity)> {
    let mut oddities = Vec::new();
    let bytes = text.as_bytes();
    let start = byte_order_mark_len(text);
    for found in memmem::find_iter(bytes, BYTE_ORDER_MARK.as_bytes()).filter(|at| *at >= start) {
        oddities.push((found..found + BYTE_ORDER_MARK.len(), Oddity::ByteOrderMark));
    }
    for line_break in UNICODE_BREAKS {
        for found in memmem::find_iter(bytes, line_break.as_bytes()) {
            let end = found + line_break.len();
            if is_marker_of_yaml_1_1(text.slice(end..)) {
                oddities.push((found..end + 3, Oddity::UnicodeLineBreak));
            }
        }
    }
    oddities
}

fn is_marker_of_yaml_1_1(rest: &str) -> bool {
    let Some(behind) = rest.strip_prefix("---").or_else(|| rest.strip_prefix("...")) else {
        return false;
    };
    behind.is_empty()
        || behind.starts_with([' ', '\t', '\n', '\r'])
        || UNICODE_BREAKS.iter().any(|line_break| behind.starts_with(line_break))
}
