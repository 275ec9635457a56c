//! The scan of a text, line by line.

use std::ops::Range;

use super::flow::flow;
use super::{Document, Entry, Head, Kind, Part, Style};
use crate::source::{Slice as _, lines};

/// The start of a line between two documents.
const SEPARATOR: &[u8] = b"---";

/// The maximum depth of entries. No manifest needs it.
const DEEPEST: usize = 500;

/// The state of a scan.
pub(super) struct Scan<'t> {
    /// The text up to the end of the document.
    pub(super) text: &'t str,
    pub(super) comments: Vec<Range<usize>>,
    pub(super) entries: Vec<Entry>,
    /// The entries that contain the current position, the document first.
    pub(super) open: Vec<usize>,
    /// The end of the last text that is not a comment.
    pub(super) last: usize,
}

/// The documents of a text: the lines between those that separate them.
pub(super) fn parts(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_break = |it: Option<&u8>| it.is_none_or(|it| matches!(it, b'\n' | b'\r'));
    let mut parts = Vec::new();
    let mut start = 0;
    for at in memchr::memmem::find_iter(bytes, SEPARATOR) {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        let after = bytes.get(at + SEPARATOR.len());
        if !is_break(before) || !(is_break(after) || matches!(after, Some(b' ' | b'\t'))) {
            continue;
        }
        if start < at {
            parts.push(start..at);
        }
        start = lines::next(text, at);
    }
    parts.push(start..text.len());
    parts
}

/// The document in a part of a text. Nothing in it, such as quotes that are not closed, reaches beyond a
/// separator, so its outline only depends on the part.
pub(super) fn scan(text: &str, part: Range<usize>) -> Document {
    let text = text.slice(..part.end);
    let (comments, entries) = (Vec::new(), vec![root(part.start)]);
    let mut scan = Scan { text, comments, entries, open: vec![0], last: part.start };
    let mut at = part.start;
    while at < text.len() {
        at = scan.line(at);
    }
    scan.close(0);
    let Scan { comments, entries, .. } = scan;
    let mut document =
        Document { range: part, entries, comments, head: Head::default(), part: Part::Whole };
    document.head = Head::of(text, &document);
    document
}

fn root(at: usize) -> Entry {
    Entry {
        kind: Kind::Root,
        parent: 0,
        next: 1,
        column: 0,
        key: at..at,
        value: None,
        style: Style::Open,
        end: at,
        items: 0,
    }
}

impl<'t> Scan<'t> {
    /// The end of the line that contains an offset, without its line break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        lines::end(self.text, at)
    }

    /// The start of the next line.
    pub(super) fn next_line(&self, end: usize) -> usize {
        lines::after_break(self.text, end)
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.slice(range)
    }

    /// Scans a line, and those that its value continues on. Returns the start of the next one.
    fn line(&mut self, start: usize) -> usize {
        let end = self.line_end(start);
        let line = self.slice(start..end);
        let next = self.next_line(end);
        let content = line.trim_start_matches([' ', '\u{feff}']);
        let at = end - content.len();
        if content.trim().is_empty() || line == "..." {
            return next;
        }
        if content.starts_with('#') {
            self.comments.push(at..end);
            return next;
        }
        self.content(start, at, end)
    }

    /// Scans the content of a line: dashes, a key, and a value.
    fn content(&mut self, start: usize, mut at: usize, end: usize) -> usize {
        loop {
            let rest = self.slice(at..end);
            let Some(after) = rest.strip_prefix('-') else { break };
            if !(after.is_empty() || after.starts_with([' ', '\t'])) {
                break;
            }
            self.push(Kind::Item(0), at - start, at..at + 1);
            at = end - after.trim_start().len();
            if at == end {
                return self.next_line(end);
            }
        }
        let rest = self.slice(at..end);
        if rest.starts_with('#') {
            self.comments.push(at..end);
            return self.next_line(end);
        }
        if let Some(length) = key_length(rest) {
            let key = rest.slice(..length).trim_end();
            self.push(Kind::Field, at - start, at..at + key.len());
            let colon = at + length + 1;
            self.last = colon;
            let after = self.slice(colon..end);
            return self.value(end - after.trim_start().len(), end);
        }
        let is_value = self.open.last().and_then(|it| self.entries.get(*it)).is_some_and(|top| {
            matches!(top.kind, Kind::Item(_)) && top.key.start >= start
                || rest.starts_with(['{', '[', '"', '\'', '|', '>', '&', '!'])
                    && top.value.is_none()
                    && (top.kind == Kind::Root || top.column < at - start)
        });
        if is_value {
            return self.value(at, end);
        }
        let (length, comment) = plain(rest);
        self.comments.extend(comment.map(|it| at + it..end));
        self.push(Kind::Loose, at - start, at..at + length);
        self.next_line(end)
    }

    /// Adds an entry, after it has closed those that do not contain it.
    pub(super) fn push(&mut self, kind: Kind, column: usize, key: Range<usize>) {
        let contains = |it: &Entry| match it.kind {
            Kind::Root => true,
            Kind::Loose => false,
            // A list is often as deep as the field that has it.
            Kind::Field if matches!(kind, Kind::Item(_)) => it.column <= column,
            Kind::Field | Kind::Item(_) => it.column < column,
        };
        let depth = self.open.iter().rposition(|at| self.entries.get(*at).is_some_and(contains));
        self.close(depth.map_or(1, |it| it + 1).min(DEEPEST));
        self.add(kind, column, key);
    }

    /// Adds an entry to the innermost open one.
    pub(super) fn add(&mut self, kind: Kind, column: usize, key: Range<usize>) {
        let parent = self.open.last().copied().unwrap_or(0);
        let mut kind = kind;
        if let (Kind::Item(_), Some(it)) = (kind, self.entries.get_mut(parent)) {
            kind = Kind::Item(it.items);
            it.items += 1;
        }
        self.last = key.end;
        let at = self.entries.len();
        let end = key.end;
        let (next, style) = (at + 1, Style::Open);
        self.entries.push(Entry {
            kind,
            parent,
            next,
            column,
            key,
            value: None,
            style,
            end,
            items: 0,
        });
        self.open.push(at);
    }

    /// Closes the open entries from this depth.
    pub(super) fn close(&mut self, depth: usize) {
        let count = self.entries.len();
        for at in self.open.drain(depth.min(self.open.len())..) {
            if let Some(entry) = self.entries.get_mut(at) {
                entry.next = count;
                entry.end = self.last.max(entry.key.end);
            }
        }
    }

    /// Sets the value of the innermost open entry.
    pub(super) fn set(&mut self, value: Range<usize>, style: Style) {
        self.last = value.end;
        if let Some(entry) = self.open.last().and_then(|at| self.entries.get_mut(*at)) {
            entry.value = Some(value);
            entry.style = style;
        }
    }

    /// Scans a value that begins on a line. Returns the start of the next line.
    fn value(&mut self, at: usize, end: usize) -> usize {
        let rest = self.slice(at..end);
        match rest.chars().next() {
            None => self.next_line(end),
            Some('#') => {
                self.comments.push(at..end);
                self.next_line(end)
            }
            Some('&' | '!') => {
                let word = rest.find([' ', '\t']).unwrap_or(rest.len());
                let after = rest.slice(word..).trim_start();
                self.last = at + word;
                self.value(end - after.len(), end)
            }
            Some('|' | '>') => self.text(at, end),
            Some('{' | '[') => {
                let after = flow(self, at);
                let end = self.line_end(after);
                let rest = self.slice(after..end);
                if let Some(hash) = rest.find('#') {
                    self.comments.push(after + hash..end);
                }
                self.next_line(end)
            }
            Some(quote @ ('"' | '\'')) => {
                let stop = self.quoted(at, quote);
                let end = self.line_end(stop);
                self.set(at..stop, Style::Scalar);
                let rest = self.slice(stop..end);
                if let Some(hash) = rest.find('#') {
                    self.comments.push(stop + hash..end);
                }
                self.next_line(end)
            }
            Some(_) => {
                let (length, comment) = plain(rest);
                self.comments.extend(comment.map(|it| at + it..end));
                self.set(at..at + length, Style::Scalar);
                self.next_line(end)
            }
        }
    }

    /// Scans a block scalar: the lines that are deeper than its entry.
    fn text(&mut self, at: usize, end: usize) -> usize {
        let entry = self.open.last().and_then(|at| self.entries.get(*at));
        let depth = entry.filter(|it| it.kind != Kind::Root).map(|it| it.column);
        let mut stop = end;
        let mut next = self.next_line(end);
        while next < self.text.len() {
            let end = self.line_end(next);
            let line = self.slice(next..end);
            let content = line.trim_start_matches(' ');
            let is_separator = line.starts_with("---") || line.starts_with("...");
            let is_deeper = depth.is_none_or(|it| line.len() - content.len() > it);
            if !content.trim().is_empty() {
                if !is_deeper || is_separator {
                    break;
                }
                stop = end;
            }
            next = self.next_line(end);
        }
        self.set(at..stop, Style::Text);
        next
    }

    /// The end of a scalar in quotes. Quotes that are not closed before a line that looks like a field end
    /// with their line.
    ///
    /// It reads no more than the scalar: a line can have all that is in a file.
    pub(super) fn quoted(&self, at: usize, quote: char) -> usize {
        let depth = self.open.last().and_then(|at| self.entries.get(*at)).map_or(0, |it| it.column);
        let mut from = at + 1;
        loop {
            let end = match closing(self.text.slice(from..), quote) {
                Ok(stop) => return from + stop + 1,
                Err(length) => from + length,
            };
            from = self.next_line(end);
            if from >= self.text.len() || self.begins_entry(from, depth) {
                return at + self.slice(at..self.line_end(at)).trim_end().len();
            }
        }
    }

    /// Whether a line looks like the next entry at a depth, or one around it.
    pub(super) fn begins_entry(&self, start: usize, depth: usize) -> bool {
        let line = self.slice(start..self.line_end(start));
        let content = line.trim_start_matches(' ');
        line.starts_with("---")
            || line.len() - content.len() <= depth
                && (content.starts_with("- ") || key_length(content).is_some())
    }
}

/// The length of the key that a line begins with, up to its colon.
fn key_length(rest: &str) -> Option<usize> {
    let is_end = |at: usize| {
        let after = rest.slice(at + 1..);
        after.is_empty() || after.starts_with([' ', '\t'])
    };
    let first = rest.chars().next()?;
    if matches!(first, '"' | '\'') {
        let stop = closing(rest.get(1..)?, first).ok()? + 2;
        let after = rest.get(stop..)?;
        let colon = rest.len() - after.trim_start().len();
        return (rest.get(colon..)?.starts_with(':') && is_end(colon)).then_some(colon);
    }
    if matches!(first, '{' | '[' | '#' | '|' | '>' | '%' | '@' | '`') {
        return None;
    }
    let (length, _) = plain(rest);
    let plain = rest.get(..length)?;
    plain.match_indices(':').map(|(at, _)| at).find(|at| is_end(*at)).filter(|it| *it > 0)
}

/// The position of the quote that ends a scalar, or that of the end of its line.
fn closing(text: &str, quote: char) -> Result<usize, usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, it)) = characters.next() {
        if matches!(it, '\n' | '\r') {
            return Err(at);
        }
        if quote == '"' && it == '\\' {
            characters.next_if(|it| !matches!(it.1, '\n' | '\r'));
        } else if it == quote {
            let is_doubled = quote == '\'' && characters.peek().is_some_and(|it| it.1 == quote);
            if !is_doubled {
                return Ok(at);
            }
            characters.next();
        }
    }
    Err(text.len())
}

/// The length of a plain scalar that reaches to the end of a line or a comment, and where that begins.
fn plain(rest: &str) -> (usize, Option<usize>) {
    let is_comment = |at: &usize| rest.get(..*at).is_some_and(|it| it.ends_with([' ', '\t']));
    let comment = rest.match_indices('#').map(|(at, _)| at).find(is_comment);
    let text = comment.map_or(rest, |at| rest.slice(..at));
    (text.trim_end().len(), comment)
}
