//! Edits that move whole lines: a field to another level, or fields below a key that is missing.
//!
//! Only lines of block style are moved. Comments and line ends stay as they are.

use super::{Scope, Walk};
use crate::source::{FileId, Span, Workspace, offset};
use crate::tree::{Entry, Map};

/// The longest block that an edit moves, in bytes.
const MAX_BYTES: usize = 1 << 14;

/// The lines of the file of a key.
#[derive(Clone, Copy)]
struct Lines<'t> {
    file: FileId,
    text: &'t str,
    /// The start of the line with the key.
    start: usize,
    /// The number of bytes before the key in its line.
    column: usize,
}

impl<'t> Lines<'t> {
    /// `None` unless the key is the first text of its line, after spaces alone.
    fn of(texts: &'t Workspace, key: Span) -> Option<Self> {
        let (file, span) = texts.file_and_span(key);
        let (text, at) = (file.text(), span.start as usize);
        // The rest of a line can be the whole file, and is not read.
        let before = text.get(..at)?.trim_end_matches(' ');
        let (start, is_first) = (before.len(), before.is_empty() || before.ends_with('\n'));
        is_first.then_some(Self { file: file.id(), text, start, column: at - start })
    }

    fn span(self, start: usize, end: usize) -> Span {
        Span::new(self.file, offset(start), offset(end))
    }

    /// The end of the last line before the first one that is indented less than `column`, or by
    /// `column` and `is_end` for its content. Empty lines and comments end nothing.
    fn end(self, from: usize, column: usize, is_end: impl Fn(&str) -> bool) -> Option<usize> {
        let (mut at, mut end) = (from, from);
        for line in self.text.get(from..)?.split_inclusive('\n') {
            at += line.len();
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            let content = content.trim_end();
            let is_first = end == from;
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if !is_first && (indent < column || indent == column && is_end(content)) {
                break;
            }
            end = at;
            if end - from > MAX_BYTES {
                return None;
            }
        }
        Some(end)
    }

    /// The lines from `start` to `end` with another indentation, where they are indented by at
    /// least `old`.
    fn indented(self, start: usize, end: usize, old: usize, new: usize) -> Option<String> {
        let mut moved = String::new();
        for line in self.text.get(start..end)?.split_inclusive('\n') {
            let indent = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() {
                moved.push_str(line);
                continue;
            }
            moved.push_str(&" ".repeat(indent.checked_sub(old)? + new));
            moved.push_str(line.trim_start_matches(' '));
        }
        moved.ends_with('\n').then_some(moved)
    }

    fn line_end(self) -> &'t str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

impl Walk<'_> {
    /// Moves the lines of an entry to the level of the object that contains `below`, after it.
    pub(super) fn moved_out(&self, entry: &Entry, below: &Scope<'_>) -> Option<(Span, String)> {
        let texts = self.cx.texts.filter(|_| entry.key_origin().layer().is_none())?;
        let own = Lines::of(texts, entry.key_origin().span())?;
        let around = Lines::of(texts, below.at).filter(|_| !below.is_item)?;
        let is_below = own.file == around.file && own.start > around.start;
        if !is_below || own.column <= around.column {
            return None;
        }
        let is_flush_list = !entry.value.items().is_empty();
        let is_next = |content: &str| !(is_flush_list && content.starts_with("- "));
        let next = own.end(own.start, own.column + 1, |_| true)?;
        let rest = own.end(own.start, around.column, |_| true)?;
        if entry.value.is_null() && rest > next {
            // The lines after the key become its value.
            let blanks = own.span(own.start, own.start + own.column);
            return Some((blanks, " ".repeat(around.column)));
        }
        let end = own.end(own.start, own.column, is_next)?;
        let moved = own.indented(own.start, end, own.column, around.column)?;
        let after = own.text.get(end..rest)?;
        if !(after.is_empty() || after.ends_with('\n')) {
            return None;
        }
        let place = own.span(own.start, rest);
        Some((place, format!("{after}{moved}")))
    }

    /// Writes `name: {key: value}` instead of `key: value`, which is on one line.
    pub(super) fn wrapped(&self, entry: &Entry, name: &str) -> Option<(Span, String)> {
        let texts = self.cx.texts.filter(|_| entry.key_origin().layer().is_none())?;
        let place = entry.key_origin().span().to(entry.value.span());
        let text = texts.slice(place);
        let is_line = !text.contains('\n') && text.starts_with(entry.key.as_str());
        let is_value = !entry.value.is_null() && !text.ends_with([':', '|', '>']);
        // In braces, a comma or a bracket ends an unquoted string.
        let is_plain = |value: &str| {
            value.starts_with(['"', '\'']) || !value.contains([',', '[', ']', '{', '}', '#'])
        };
        let value = self.written(&entry.value)?;
        let is_closed = is_plain(value) || value.ends_with([']', '}']);
        (is_line && is_value && is_closed).then(|| (place, format!("{name}: {{{text}}}")))
    }

    /// Writes the key `name` above the lines of an entry and of all entries after it, which belong
    /// below it, in a list item.
    pub(super) fn within_new_key(
        &self,
        first: &Entry,
        map: &Map,
        name: &str,
    ) -> Option<(Span, String)> {
        let texts = self.cx.texts.filter(|_| first.key_origin().layer().is_none())?;
        let own = Lines::of(texts, first.key_origin().span())?;
        // The entries before the first one are above it.
        let is_sorted = map
            .entries()
            .is_sorted_by(|one, two| one.key_origin().span() < two.key_origin().span());
        let end = own.end(own.start, own.column, |it| it.starts_with("- "))?;
        let moved = own.indented(own.start, end, own.column, own.column + 2)?;
        let key = format!("{}{name}:{}", " ".repeat(own.column), own.line_end());
        is_sorted.then(|| (own.span(own.start, end), format!("{key}{moved}")))
    }

    /// Writes the key `name` above the lines of an entry and of those after it, at the level of
    /// the object that has the key at `around`, or one below.
    pub(super) fn below_new_key(
        &self,
        first: &Entry,
        name: &str,
        around: Span,
        is_inside: bool,
    ) -> Option<(Span, String)> {
        let texts = self.cx.texts.filter(|_| first.key_origin().layer().is_none())?;
        let own = Lines::of(texts, first.key_origin().span())?;
        let around = Lines::of(texts, around)?;
        let is_below = own.file == around.file && own.start > around.start;
        let depth = own.column.checked_sub(around.column).filter(|_| is_below)?;
        let (line_end, start) = (own.line_end(), own.start);
        let key = |column: usize| format!("{}{name}:{line_end}", " ".repeat(column));
        // The lines are as deep as below the missing key, or as deep as the key.
        match (depth, is_inside) {
            (2.., false) => Some((own.span(start, start), key(around.column))),
            (4.., true) => Some((own.span(start, start), key(around.column + 2))),
            (1.., true) => {
                let end = own.end(start, own.column, |_| false)?;
                let moved = own.indented(start, end, own.column, own.column + 2)?;
                Some((own.span(start, end), format!("{}{moved}", key(own.column))))
            }
            _ => None,
        }
    }
}
