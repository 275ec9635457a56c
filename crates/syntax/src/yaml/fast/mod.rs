//! A fast reader for simple documents: block maps and lists, scalars on one line, flow lists and
//! maps on one line, literal and simple folded blocks.
//!
//! It never reports anything. At unsupported syntax, and at anything that would be a finding, it
//! gives up, and the parser reads the document from its start, so that each message has a single
//! source. It reads what it supports exactly as the parser does, with the same values and spans; a
//! test compares the two for all fixtures and many mutations of them.

mod brackets;
mod compare;
mod scalars;
#[cfg(test)]
mod tests;

use lean_string::LeanStr;
use thin_vec::ThinVec;

pub use compare::compare_all;

use super::encoding::{is_printable_ascii, may_be_forbidden};
use super::read::{Document, MAX_DEPTH, MAX_NODES, has_duplicates};
use super::split::{Content, DocumentSlice};
use crate::source::{FileId, FileSpan};
use crate::tree::{Entry, Node, Origin, Value};

/// Reads the document of a slice, if it is simple; `text` is the text of the whole file.
pub(super) fn read(text: &str, slice: &DocumentSlice) -> Option<Document> {
    let Content::At(_) = slice.content else { return None };
    let whole = text.get(slice.span.range())?;
    let (start, end) = (slice.body.start as usize, slice.body.end as usize);
    let after = text.get(end..slice.span.end as usize)?;
    let is_framed = !slice.directives.is_empty() || !matches!(after, "" | "..." | "...\n");
    let before = text.get(slice.span.start as usize..start)?;
    if is_framed || before.lines().any(|line| line.starts_with("...")) || !is_plain_text(whole) {
        return None;
    }
    if start > 0 && text.as_bytes().get(start - 1) != Some(&b'\n') {
        return None;
    }
    let (root, values) = root(text, slice.body)?;
    debug_assert_eq!(values, root.count(), "the number of nodes");
    let span = root.span();
    Some(Document { root, span, values })
}

/// The room for open entries and items at the start: most documents need no more.
const OPEN: usize = 32;

/// The root of the document in `body`, and the number of its nodes.
fn root(text: &str, body: FileSpan) -> Option<(Node, usize)> {
    let start = body.start as usize;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes().get(..body.end as usize)?,
        file: body.file,
        at: start,
        line: start,
        column: None,
        depth: 0,
        nodes: 0,
        open_entries: ThinVec::with_capacity(OPEN),
        open_items: ThinVec::with_capacity(OPEN),
    };
    reader.next_line()?;
    let column = reader.column?;
    let root = reader.block(column)?;
    reader.column.is_none().then_some((root, reader.nodes))
}

/// Whether a text has none of the characters that need special treatment: tabs, carriage returns,
/// control characters, the line separators of Unicode.
fn is_plain_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    is_printable_ascii(text)
        || (memchr::memchr2(b'\t', b'\r', bytes).is_none()
            && !may_be_forbidden(text)
            && memchr::memmem::find(bytes, &[0xe2, 0x80]).is_none())
}

/// The number of spaces at the start of a text.
fn spaces(text: &[u8]) -> usize {
    const SPACES: [u8; 8] = [b' '; 8];
    let mut count = 0;
    while let Some(chunk) = text.get(count..).and_then(<[u8]>::first_chunk::<8>) {
        let other = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes(SPACES);
        if other != 0 {
            return count + other.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    let rest = text.get(count..).unwrap_or(&[]);
    count + rest.iter().take_while(|byte| **byte == b' ').count()
}

/// The reader, whose position is always at a token. Each function gives up by returning `None`.
struct Reader<'t> {
    text: &'t str,
    /// The file up to the end of the document.
    bytes: &'t [u8],
    file: FileId,
    at: usize,
    /// The start of the line of `at`.
    line: usize,
    /// After `next_line`: the column of the content at `at`; `None` at the end of the document.
    column: Option<usize>,
    depth: usize,
    nodes: usize,
    /// The entries of open maps, those of the innermost map last. A completed map moves them to a
    /// vector of their exact number.
    open_entries: ThinVec<Entry>,
    /// The items of open lists, in the same way.
    open_items: ThinVec<Node>,
}

/// A key and its span.
struct Key {
    text: LeanStr,
    start: usize,
    end: usize,
}

impl Reader<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Whether a space, a line end or the end of the document is at `at`.
    fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b' ' | b'\n'))
    }

    fn span(&self, start: usize, end: usize) -> Option<FileSpan> {
        Some(FileSpan::new(self.file, u32::try_from(start).ok()?, u32::try_from(end).ok()?))
    }

    fn end_of(&self, node: &Node) -> usize {
        node.span().within(self.file).end as usize
    }

    fn node(&mut self, value: Value, start: usize, end: usize) -> Option<Node> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        Some(Node::new(value, Origin::source(self.span(start, end)?)))
    }

    fn deeper(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    /// Advances from the start of a line to the next content, over empty lines and comments.
    fn next_line(&mut self) -> Option<()> {
        loop {
            self.line = self.at;
            self.at += self.bytes.get(self.at..).map_or(0, spaces);
            match self.byte(self.at) {
                None => {
                    self.column = None;
                    return Some(());
                }
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                Some(b'%') => return None,
                Some(_) => {
                    self.column = Some(self.at - self.line);
                    return Some(());
                }
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    /// Reads the rest of a line after a value, which must be spaces and a comment, and advances to
    /// the next content.
    fn end_line(&mut self) -> Option<()> {
        let start = self.at;
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        match self.byte(self.at) {
            None => {}
            Some(b'\n') => self.at += 1,
            Some(b'#') if self.at > start => self.skip_line(),
            Some(_) => return None,
        }
        self.next_line()
    }

    /// Reads the node at `at`, which is at `column` of its line.
    fn block(&mut self, column: usize) -> Option<Node> {
        match self.byte(self.at)? {
            b'-' if self.is_blank(self.at + 1) => self.list(column, false),
            b'|' | b'>' => None,
            _ => match self.key()? {
                Some(key) => self.map(column, key),
                None => self.value(column),
            },
        }
    }

    /// Reads a map at `column`, after its first key.
    fn map(&mut self, column: usize, first: Key) -> Option<Node> {
        self.deeper()?;
        let start = first.start;
        let outer = self.open_entries.len();
        let mut key = first;
        let mut end;
        loop {
            let value = self.value_of_key(column, key.end)?;
            end = self.end_of(&value);
            let key_origin = Origin::source(self.span(key.start, key.end)?);
            self.open_entries.push(Entry::new(key.text, key_origin, value));
            match self.column {
                Some(next) if next > column => return None,
                Some(next) if next == column => {}
                _ => break,
            }
            if self.byte(self.at) == Some(b'-') && self.is_blank(self.at + 1) {
                return None;
            }
            key = self.key()??;
        }
        self.depth -= 1;
        let map = self.close_map(outer)?;
        self.node(map, start, end)
    }

    /// Closes the map of the open entries starting at index `outer`.
    fn close_map(&mut self, outer: usize) -> Option<Value> {
        if has_duplicates(self.open_entries.get(outer..)?) {
            return None;
        }
        Some(Value::Map(self.open_entries.split_off(outer).into()))
    }

    /// Closes the list of the open items starting at index `outer`.
    fn close_list(&mut self, outer: usize) -> Value {
        Value::List(self.open_items.split_off(outer))
    }

    /// Reads the value after a key's colon, on its line or below it.
    fn value_of_key(&mut self, column: usize, key_end: usize) -> Option<Node> {
        // `at` is after the colon.
        let colon_end = self.at;
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        match self.byte(self.at) {
            None | Some(b'\n') => {}
            Some(b'#') if self.at > colon_end => {}
            Some(b'-') if self.is_blank(self.at + 1) => return None,
            Some(b'|' | b'>') => return self.block_scalar(column),
            Some(_) => return self.value(column),
        }
        debug_assert!(key_end < colon_end, "the key precedes its colon");
        self.end_line()?;
        match self.column {
            Some(next) if next > column => self.block(next),
            Some(next)
                if next == column
                    && self.byte(self.at) == Some(b'-')
                    && self.is_blank(self.at + 1) =>
            {
                self.list(column, true)
            }
            _ => self.node(Value::Null, colon_end, colon_end),
        }
    }

    /// Reads a list whose dashes are at `column`; `is_in_map` if that is the column of its key.
    fn list(&mut self, column: usize, is_in_map: bool) -> Option<Node> {
        self.deeper()?;
        let start = self.at;
        let outer = self.open_items.len();
        let mut end;
        loop {
            let item = self.item(column)?;
            end = self.end_of(&item);
            self.open_items.push(item);
            match self.column {
                Some(next) if next > column => return None,
                Some(next) if next == column => {
                    let is_item = self.byte(self.at) == Some(b'-') && self.is_blank(self.at + 1);
                    if !is_item {
                        if is_in_map {
                            break;
                        }
                        return None;
                    }
                }
                _ => break,
            }
        }
        self.depth -= 1;
        let list = self.close_list(outer);
        self.node(list, start, end)
    }

    /// Reads the item after the dash at `at`, which is at `column`.
    fn item(&mut self, column: usize) -> Option<Node> {
        self.at += 1;
        let dash_end = self.at;
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        match self.byte(self.at) {
            None | Some(b'\n' | b'#') => {}
            Some(b'|' | b'>') => return self.block_scalar(column),
            Some(b'-') if self.is_blank(self.at + 1) => {
                return self.list(self.at - self.line, false);
            }
            Some(_) => {
                return match self.key()? {
                    Some(key) => self.map(key.start - self.line, key),
                    None => self.value(column),
                };
            }
        }
        self.end_line()?;
        match self.column {
            Some(next) if next > column => self.block(next),
            _ => self.node(Value::Null, dash_end, dash_end),
        }
    }

    /// Reads a value on one line; lines that are indented deeper than `column` would continue it.
    fn value(&mut self, column: usize) -> Option<Node> {
        let node = match self.byte(self.at)? {
            b'"' | b'\'' => self.quoted()?,
            b'[' | b'{' => self.brackets()?,
            _ => self.plain()?,
        };
        self.end_line()?;
        match self.column {
            Some(next) if next > column => None,
            _ => Some(node),
        }
    }
}
