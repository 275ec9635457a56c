//! The parts of a line: indentation, dashes, key, value, comment.

use crate::source::{Slice as _, lines};

/// One line, with offsets in the document's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// The text without the line break.
    pub(super) text: &'t str,
}

/// A key and the value after its colon, as offsets in the document's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyValue<'t> {
    pub(super) key: &'t str,
    pub(super) colon: usize,
    pub(super) value: &'t str,
    pub(super) value_start: usize,
}

impl<'t> Line<'t> {
    /// The line of the byte `at`.
    pub(super) fn at(body: &'t str, at: usize) -> Self {
        let line = lines::range(body, at);
        Self { start: line.start, text: body.slice(line) }
    }

    /// The first line of a text that is neither empty, nor a comment, nor a document marker.
    pub(super) fn first(body: &'t str) -> Option<Self> {
        let first = Self::at(body, 0);
        let is_content = |line: &Self| !line.is_trivia() && line.text != "---";
        if is_content(&first) {
            Some(first)
        } else {
            first.next(body).filter(is_content).or_else(|| first.next(body)?.next(body))
        }
    }

    /// The nearest line before this one that is neither empty nor a comment.
    pub(super) fn previous(self, body: &'t str) -> Option<Self> {
        let mut start = self.start;
        while start > 0 {
            let line = Self::at(body, start - 1);
            // The split between CR and LF would be an empty line.
            start = line.start;
            if !line.is_trivia() {
                return Some(line);
            }
        }
        None
    }

    /// The nearest line after this one that is neither empty nor a comment.
    pub(super) fn next(self, body: &'t str) -> Option<Self> {
        let mut line = self;
        loop {
            let start = line.start + line.text.len() + 1;
            if start > body.len() {
                return None;
            }
            line = Self::at(body, start);
            if !line.is_trivia() {
                return Some(line);
            }
        }
    }

    /// The lines above that could be its parents: each one indented less than the one below it,
    /// nearest first.
    pub(super) fn open_above(self, body: &'t str) -> Vec<Self> {
        let mut open: Vec<Self> = Vec::new();
        let mut above = self.previous(body);
        while let Some(candidate) = above {
            if open.last().is_none_or(|inner| candidate.indent() < inner.indent()) {
                open.push(candidate);
            }
            if candidate.indent() == 0 {
                break;
            }
            above = candidate.previous(body);
        }
        open
    }

    /// Whether the line is empty or a comment.
    pub(super) fn is_trivia(&self) -> bool {
        let content = self.content();
        content.is_empty() || content.starts_with('#')
    }

    /// The length of its leading spaces and tabs, in bytes.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// The text without indentation and trailing spaces.
    pub(super) fn content(&self) -> &'t str {
        self.text.trim_matches([' ', '\t'])
    }

    /// The offset of its first character that is not a space.
    pub(super) fn content_start(&self) -> usize {
        self.start + self.indent()
    }

    /// The offset after its dashes: the start of a list item, or else of the content.
    pub(super) fn item_start(&self) -> usize {
        let mut rest = self.text.slice(self.indent()..);
        while let Some(item) = rest.strip_prefix("- ") {
            rest = item.trim_start_matches(' ');
        }
        self.start + self.text.len() - rest.len()
    }

    /// Its text starting at `at`, without a comment and trailing spaces.
    pub(super) fn rest(&self, at: usize) -> &'t str {
        let rest = self.text.slice(at.saturating_sub(self.start)..);
        let end = comment_start(rest).unwrap_or(rest.len());
        rest.get(..end).unwrap_or(rest).trim_end_matches([' ', '\t'])
    }

    /// The column of an offset in it, starting at 0.
    pub(super) fn column(&self, at: usize) -> usize {
        at.saturating_sub(self.start)
    }

    /// Its key and value, after its dashes.
    pub(super) fn key_value(&self) -> Option<KeyValue<'t>> {
        let start = self.item_start();
        key_value(self.rest(start), start)
    }
}

/// The key and value of `text`, which begins at the offset `start`.
pub(super) fn key_value(text: &str, start: usize) -> Option<KeyValue<'_>> {
    let from = match text.chars().next()? {
        quote @ ('"' | '\'') => quoted_length(text, quote)?,
        '#' | '[' | '{' | '|' | '>' => return None,
        _ => 0,
    };
    let bytes = text.as_bytes();
    let colon = memchr::memchr_iter(b':', bytes)
        .find(|at| *at >= from && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t')))?;
    let value = text.get(colon + 1..)?;
    let blank = value.len() - value.trim_start_matches([' ', '\t']).len();
    Some(KeyValue {
        key: text.get(..colon)?.trim_end(),
        colon: start + colon,
        value: value.get(blank..)?,
        value_start: start + colon + 1 + blank,
    })
}

/// The length of a quoted scalar with both quotes; `None` if it is unclosed.
pub(super) fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => {
                chars.next();
            }
            '\'' if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
            }
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The start of a comment: a `#` at the start or after a space, outside of quotes.
fn comment_start(text: &str) -> Option<usize> {
    let mut before = ' ';
    let mut open: Option<char> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            None if c == '#' && matches!(before, ' ' | '\t') => return Some(at),
            // A quote only opens where a value can begin, not in `it's`.
            None if matches!(c, '"' | '\'') && matches!(before, ' ' | '\t' | '[' | '{' | ',') => {
                open = Some(c);
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// Quotes the value that begins at `at`, up to the end of its line: with single quotes, or double
/// ones if that is shorter.
pub(super) fn quoted(value: &str) -> String {
    if value.contains('"') || value.contains('\\') {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_keys_dashes_and_comments() {
        let line = Line::at("a: 1\n  - - \"k: x\": it's # c\n", 8);
        assert_eq!((line.start, line.indent(), line.item_start()), (5, 2, 11));
        let found = line.key_value().expect("a key");
        assert_eq!((found.key, found.value), ("\"k: x\"", "it's"));
        assert_eq!(Line::at("a:b", 0).key_value().map(|it| it.colon), None);
        assert_eq!(Line::at("a:", 0).key_value().map(|it| it.colon), Some(1));
    }

    #[test]
    fn neighbors_skip_empty_lines_and_comments() {
        let body = "a: 1\r\n\r\n# c\r\nb: 2\r\n  \nc: 3";
        let line = Line::at(body, body.find('b').expect("b"));
        assert_eq!(line.previous(body).map(|it| it.text), Some("a: 1"));
        assert_eq!(line.next(body).map(|it| it.text), Some("c: 3"));
    }

    #[test]
    fn quotes_values_that_need_quotes() {
        assert_eq!(quoted("a: b"), "\"a: b\"");
        assert_eq!(quoted("say \"it's\""), "'say \"it''s\"'");
    }
}
