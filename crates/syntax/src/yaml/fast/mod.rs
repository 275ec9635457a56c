//! A fast reader for simple documents: block maps and lists, scalars on one line, flow lists and
//! maps on one line, literal and simple folded blocks.
//!
//! It never reports anything. At unsupported syntax, and at anything that would be a finding, it
//! gives up, and the parser reads the document from its start, so that each message has a single
//! source. It reads what it supports exactly as the parser does, with the same values and spans; a
//! test compares the two for all fixtures and many mutations of them.

mod brackets;
mod compare;
mod recent;
mod scalars;
#[cfg(test)]
mod tests;

use lean_string::LeanStr;
use thin_vec::ThinVec;

pub use compare::compare_all;

use self::recent::Recent;
use self::scalars::Start;
use super::encoding::{is_printable_ascii, may_be_forbidden};
use super::read::{Document, MAX_DEPTH, MAX_NODES, has_duplicates};
use super::split::{Content, DocumentSlice};
use crate::source::{FileSpan, Slice as _, Span};
use crate::tree::{Entry, Key, Node, Origin, Value};

/// Reads the document of a slice, if it is simple; `text` is the text of the whole file.
pub(super) fn read(text: &str, slice: &DocumentSlice) -> Option<Document> {
    let Content::At(_) = slice.content else { return None };
    let whole = text.get(slice.span.range())?;
    let (start, end) = (slice.body.start as usize, slice.body.end as usize);
    let after = text.get(end..slice.span.end as usize)?;
    let is_framed = !slice.directives.is_empty() || !matches!(after, "" | "..." | "...\n");
    let before = text.get(slice.span.start as usize..start)?;
    let has_end = before != "---\n" && before.lines().any(|line| line.starts_with("..."));
    if is_framed || has_end || !is_plain_text(whole) {
        return None;
    }
    if start > 0 && text.as_bytes().get(start - 1) != Some(&b'\n') {
        return None;
    }
    let (root, values) = Recent::with(|recent| read_root(text, slice.body, recent))?;
    debug_assert_eq!(values, root.count(), "the number of nodes");
    let span = root.span();
    Some(Document { root, span, values })
}

/// The room for open entries and items at the start: most documents need no more.
const OPEN: usize = 32;

/// The root of the document in `body`, and the number of its nodes.
fn read_root(text: &str, body: FileSpan, recent: &mut Recent) -> Option<(Node, usize)> {
    let start = body.start as usize;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes().get(..body.end as usize)?,
        base: Span::new(body.file, 0, 0).parts().0,
        at: start,
        line: start,
        column: 0,
        end: start,
        recent,
        depth: 0,
        nodes: 0,
        open_entries: ThinVec::with_capacity(OPEN),
        open_items: ThinVec::with_capacity(OPEN),
    };
    reader.next_line();
    let root = reader.block(reader.column)?;
    (reader.column == 0).then_some((root, reader.nodes))
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

/// The eight bytes at an offset, if there are as many.
#[inline]
fn word_at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// The first offset from `at` on that has no space.
#[inline]
fn after_spaces(text: &[u8], mut at: usize) -> usize {
    const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
    while let Some(word) = word_at(text, at) {
        let others = word ^ SPACES;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    find_in_rest(text, at, |byte| byte != b' ')
}

/// Finds a byte among the last ones, which do not fill a word; the end of the text if there is none.
#[inline(never)]
fn find_in_rest(text: &[u8], at: usize, is_found: fn(u8) -> bool) -> usize {
    let rest = text.slice(at..);
    at + rest.iter().position(|byte| is_found(*byte)).unwrap_or(rest.len())
}

/// The reader, whose position is always at a token. Each function gives up by returning `None`.
struct Reader<'t> {
    text: &'t str,
    /// The file up to the end of the document.
    bytes: &'t [u8],
    /// The offset of the file among all files.
    base: u32,
    at: usize,
    /// The start of the line of `at`.
    line: usize,
    /// After `next_line`: the column of the content at `at`, counted from 1; 0 at the end of the
    /// document, which thus ends all maps and lists.
    column: usize,
    /// The end of the last node.
    end: usize,
    recent: &'t mut Recent,
    depth: usize,
    nodes: usize,
    /// The entries of open maps, those of the innermost map last. A completed map moves them to a
    /// vector of their exact number.
    open_entries: ThinVec<Entry>,
    /// The items of open lists, in the same way.
    open_items: ThinVec<Node>,
}

impl Reader<'_> {
    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Whether a space, a line end or the end of the document is at `at`.
    #[inline]
    fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b' ' | b'\n'))
    }

    /// Whether the dash of a list item is at `at`.
    #[inline]
    fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-') && self.is_blank(self.at + 1)
    }

    /// The origin of what was read between two offsets.
    #[inline]
    fn origin(&self, start: usize, end: usize) -> Origin {
        #[expect(clippy::cast_possible_truncation, reason = "`Span` has them as `u32`")]
        let (start, length) = (start as u32, (end - start) as u32);
        Origin::source(Span::from_parts(self.base.saturating_add(start), length))
    }

    #[inline]
    fn node(&mut self, value: Value, start: usize, end: usize) -> Option<Node> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        self.end = end;
        Some(Node::new(value, self.origin(start, end)))
    }

    fn deeper(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
    }

    /// Advances from the start of a line to the next content, over empty lines and comments.
    #[inline]
    fn next_line(&mut self) {
        self.line = self.at;
        self.at = after_spaces(self.bytes, self.at);
        self.column = self.column_of(self.at);
        if matches!(self.start(), Start::LineEnd | Start::Comment | Start::End) {
            self.next_content();
        }
    }

    /// Advances from a line end, a comment or the end of the document to the next content.
    #[inline(never)]
    fn next_content(&mut self) {
        loop {
            match self.start() {
                Start::LineEnd => self.at += 1,
                Start::Comment => self.skip_line(),
                Start::End => {
                    self.column = 0;
                    return;
                }
                _ => {
                    self.column = self.column_of(self.at);
                    return;
                }
            }
            self.line = self.at;
            self.at = after_spaces(self.bytes, self.at);
        }
    }

    /// The column of an offset in the current line.
    #[inline]
    fn column_of(&self, at: usize) -> usize {
        at - self.line + 1
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.slice(self.at..);
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    /// Reads the rest of a line after a value, which must be spaces and a comment, and advances to
    /// the next content.
    #[inline]
    fn end_line(&mut self) -> Option<()> {
        if self.byte(self.at) == Some(b'\n') {
            self.at += 1;
        } else {
            self.skip_spaces_and_comment()?;
        }
        self.next_line();
        Some(())
    }

    #[inline(never)]
    fn skip_spaces_and_comment(&mut self) -> Option<()> {
        let start = self.at;
        self.skip_spaces();
        match self.byte(self.at) {
            None => {}
            Some(b'\n') => self.at += 1,
            Some(b'#') if self.at > start => self.skip_line(),
            Some(_) => return None,
        }
        Some(())
    }

    /// Reads the node at `at`, which is at `column` of its line.
    fn block(&mut self, column: usize) -> Option<Node> {
        if self.is_dash() {
            return self.list(column, false);
        }
        let start = self.at;
        if self.key()? { self.map(column, start) } else { self.value(column) }
    }

    /// Reads a map at `column`, after its first key, which begins at `start`.
    fn map(&mut self, column: usize, start: usize) -> Option<Node> {
        self.deeper()?;
        let outer = self.open_entries.len() - 1;
        loop {
            let value = self.value_of_key(column)?;
            self.open_entries.last_mut()?.value = value;
            if self.column != column {
                break;
            }
            if !self.key()? {
                return None;
            }
        }
        if self.column > column {
            return None;
        }
        self.depth -= 1;
        let map = self.close_map(outer)?;
        self.node(map, start, self.end)
    }

    /// Opens the entry with the key between two offsets. Its value follows.
    #[inline]
    fn open_entry(&mut self, key: LeanStr, start: usize, end: usize) {
        let origin = self.origin(start, end);
        let value = Node::new(Value::Null, origin);
        self.open_entries.push(Entry { key: Key::new(key, origin), value });
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
    #[inline]
    fn value_of_key(&mut self, column: usize) -> Option<Node> {
        let colon_end = self.at;
        self.skip_spaces();
        match self.start() {
            Start::Plain => self.plain(column),
            Start::End | Start::LineEnd | Start::Comment => self.value_below(column, colon_end),
            Start::Block => self.block_scalar(column),
            _ => self.value(column),
        }
    }

    /// Reads the value after the line of a key, whose colon ends at `colon_end`.
    fn value_below(&mut self, column: usize, colon_end: usize) -> Option<Node> {
        self.end_empty_line();
        if self.column > column {
            return self.block(self.column);
        }
        if self.column == column && self.is_dash() {
            return self.list(column, true);
        }
        self.node(Value::Null, colon_end, colon_end)
    }

    /// Advances from the line end or the comment after a colon or a dash to the next content. The comment
    /// follows a space, because nothing else can follow a colon or a dash.
    fn end_empty_line(&mut self) {
        if self.byte(self.at) == Some(b'\n') {
            self.at += 1;
        } else {
            self.skip_line();
        }
        self.next_line();
    }

    /// Reads a list whose dashes are at `column`; `is_in_map` if that is the column of its key.
    fn list(&mut self, column: usize, is_in_map: bool) -> Option<Node> {
        self.deeper()?;
        let start = self.at;
        let outer = self.open_items.len();
        loop {
            let item = self.item(column)?;
            self.open_items.push(item);
            if self.column != column || !self.is_dash() {
                break;
            }
        }
        if self.column > column || (self.column == column && !is_in_map) {
            return None;
        }
        self.depth -= 1;
        let list = self.close_list(outer);
        self.node(list, start, self.end)
    }

    /// Reads the item after the dash at `at`, which is at `column`.
    fn item(&mut self, column: usize) -> Option<Node> {
        self.at += 1;
        let dash_end = self.at;
        self.skip_spaces();
        let start = self.at;
        match self.start() {
            Start::End | Start::LineEnd | Start::Comment => {}
            Start::Block => return self.block_scalar(column),
            Start::Dash if self.is_dash() => return self.list(self.column_of(start), false),
            _ => {
                let is_map = self.key()?;
                return if is_map {
                    self.map(self.column_of(start), start)
                } else {
                    self.value(column)
                };
            }
        }
        self.end_empty_line();
        if self.column > column {
            return self.block(self.column);
        }
        self.node(Value::Null, dash_end, dash_end)
    }

    /// Reads a value on one line; lines that are indented deeper than `column` would continue it.
    fn value(&mut self, column: usize) -> Option<Node> {
        let node = match self.start() {
            Start::Plain | Start::NotAscii => return self.plain(column),
            Start::Dash if !self.is_dash() => return self.plain(column),
            Start::Quote => self.quoted()?,
            Start::Bracket => self.brackets()?,
            _ => return None,
        };
        self.end_line()?;
        (self.column <= column).then_some(node)
    }
}
