//! The columns of comments on lines of their own.
//!
//! A comment is often a part of the document that is not in use: a map, an item of a list, a value below
//! `{}`. Its lines move together, as far as the collection that they would belong to, so the document
//! without the `#` has the same tree before and after.

use super::STEP;
use super::gap::Comment;

/// The kind of a block collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Map,
    List,
    /// A list at the column of the map around it, which begins without a token of its own.
    IndentlessList,
}

/// A block collection, with its columns in the source and in the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collection {
    pub(super) kind: Kind,
    pub(super) old: usize,
    pub(super) new: usize,
}

/// What a comment would be without its `#`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Item,
    Entry,
    Words,
}

/// A comment, read as a line of the document.
#[derive(Clone, Copy, Debug)]
struct Line {
    content: Content,
    /// The column of the `#`.
    column: usize,
    /// The number of spaces after it.
    depth: usize,
    /// Whether a deeper line would be its value.
    is_open: bool,
    is_apart: bool,
}

impl Line {
    fn of(comment: &Comment<'_>) -> Self {
        let after = comment.text.strip_prefix('#').unwrap_or(comment.text);
        let text = after.trim_start_matches(' ');
        let depth = after.len() - text.len();
        let text = text.split_once(" #").map_or(text, |(before, _)| before).trim_end();
        let is_item = text == "-" || text.starts_with("- ");
        let entry = entry_value(text);
        let content = match (is_item, entry) {
            (true, _) => Content::Item,
            (false, Some(_)) => Content::Entry,
            (false, None) => Content::Words,
        };
        let is_open = text == "-" || entry.is_some_and(opens_collection);
        let Comment { spaces: column, is_apart, .. } = *comment;
        Self { content, column, depth, is_open, is_apart }
    }

    fn is_code(&self) -> bool {
        self.content != Content::Words
    }

    /// The columns of its content without `#` and a space, and without `#`.
    fn content_columns(&self) -> [usize; 2] {
        [self.column + self.depth.saturating_sub(1), self.column + self.depth]
    }
}

/// The value of `key: value`; `None` if a text is not an entry of a map.
fn entry_value(text: &str) -> Option<&str> {
    let (key, value) = match text.split_once(": ") {
        Some((key, value)) => (key, value.trim()),
        None => (text.strip_suffix(':')?, ""),
    };
    (!key.is_empty() && !key.starts_with('#')).then_some(value)
}

/// Whether the lines below a value are part of it: it is empty, a block scalar, or has only properties.
fn opens_collection(value: &str) -> bool {
    value.is_empty() || value.starts_with(['|', '>', '&', '!']) && !value.contains(' ')
}

/// What is around the comments between two tokens.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Around {
    /// The open collections and those that end or begin here, from the outermost.
    pub(super) collections: Vec<Collection>,
    /// The innermost collection that has the token before the comments.
    pub(super) innermost: Option<Collection>,
    /// The columns of the next token.
    pub(super) next: (usize, usize),
    /// Whether the next token continues or ends a collection, and is not the value of the one before.
    pub(super) is_sibling: bool,
    /// Whether the next token is the dash of a list.
    pub(super) is_before_item: bool,
    /// Whether the next token is in a list at the column of its map.
    pub(super) is_in_indentless: bool,
    /// Whether the token before the comments has no value yet.
    pub(super) is_after_empty: bool,
    /// Whether the token before the comments is a block scalar, of which they could become a part.
    pub(super) is_after_block: bool,
}

/// The column of a comment, and the number of spaces after its `#` if it changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CommentColumn {
    pub(super) column: usize,
    pub(super) depth: Option<usize>,
}

/// The places of all comments of a gap.
pub(super) fn places(comments: &[Comment<'_>], around: &Around) -> Vec<CommentColumn> {
    let lines: Vec<_> = comments.iter().map(Line::of).collect();
    let mut places = Vec::with_capacity(lines.len());
    let mut rest = &lines[..];
    // The last entry without a value, and how far it moves.
    let mut open: Option<(Line, isize)> = None;
    while !rest.is_empty() {
        let (block, others) = rest.split_at(block_len(rest));
        let code = block.iter().find(|line| line.is_code());
        let list = open.filter(|(entry, _)| code.is_some_and(|line| line.is_item_of(*entry)));
        let mut distance = list.map_or_else(|| around.distance(block), |(_, distance)| distance);
        if around.is_after_block && places.is_empty() {
            let most = around.innermost.map_or(0, |it| it.new);
            let first = block.first().map_or(0, |it| it.column);
            distance = distance.min(most.cast_signed() - first.cast_signed());
        }
        places.extend(block.iter().map(|comment| moved_place(comment, distance)));
        let entry = block.iter().rfind(|line| line.content == Content::Entry && line.is_open);
        open = entry.map(|line| (*line, distance)).or(open);
        rest = others;
    }
    places
}

/// The number of lines that move together with the first.
fn block_len(lines: &[Line]) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let mut code = first.is_code().then_some(*first);
    let mut before = first;
    for (index, line) in lines.iter().enumerate().skip(1) {
        let is_deeper = line.column > first.column;
        let is_below = |it: Line| is_deeper || line.depth > it.depth;
        let is_new = line.column < first.column
            || line.column > before.column && !before.is_code()
            || line.is_apart
                && !code.is_some_and(|line| line.content == Content::Item && is_below(line))
            || line.is_code() && !is_deeper && code.is_some_and(|code| line.ends(code));
        if is_new {
            return index;
        }
        if code.is_none() && line.is_code() {
            code = Some(*line);
        }
        before = line;
    }
    lines.len()
}

impl Line {
    /// Whether this line is an item of the list that is the value of an entry, at the column of its map.
    fn is_item_of(&self, entry: Self) -> bool {
        let place = |line: &Self| (line.column, line.depth);
        self.content == Content::Item && place(self) == place(&entry)
    }

    /// Whether this line of code is not part of what begins with another line at its column.
    fn ends(&self, first: Self) -> bool {
        let is_after_item = first.content == Content::Item && self.content == Content::Entry;
        self.depth < first.depth || self.depth == first.depth && is_after_item
    }
}

fn moved_place(line: &Line, distance: isize) -> CommentColumn {
    let column = line.column.cast_signed() + distance;
    // The spaces after the `#` are part of the indentation of its content.
    let missing = usize::try_from(-column).unwrap_or(0);
    CommentColumn {
        column: usize::try_from(column).unwrap_or(0),
        depth: (missing > 0).then(|| line.depth.saturating_sub(missing).max(line.depth.min(1))),
    }
}

impl Around {
    /// The distance by which a block of comments moves.
    fn distance(&self, block: &[Line]) -> isize {
        let (Some(first), Some(last)) = (block.first(), block.last()) else { return 0 };
        let code = block.iter().find(|it| it.is_code());
        let content = code.map_or(Content::Words, |it| it.content);
        let (next_old, next_new) = self.next;
        if let Some(code) = code.filter(|code| code.depth > 1) {
            let columns = code.content_columns();
            let mut found =
                columns.iter().filter_map(|column| self.collection(*column, content, last));
            if let Some(it) = found.next() {
                return column_distance(it.old, it.new);
            }
            let is_value = self.is_after_empty || content == Content::Item;
            let inside =
                self.innermost.filter(|collection| is_value && columns[0] > collection.old);
            if let Some(it) = inside.filter(|_| self.is_sibling && first.column <= next_old) {
                return column_distance(it.old, it.new);
            }
        }
        if let Some(it) = self.collection(first.column, content, last) {
            return column_distance(first.column, it.new);
        }
        let new = match self.innermost {
            _ if first.column <= next_old || !self.is_sibling => next_new,
            Some(it) if first.column > it.old => {
                it.new + if self.is_after_block { 0 } else { STEP }
            }
            _ => {
                let around = |collection: &&Collection| {
                    collection.old >= next_old && collection.old <= first.column
                };
                let collections = self.collections.iter().filter(around);
                collections.max_by_key(|it| it.old).map_or(next_new, |it| it.new)
            }
        };
        column_distance(first.column, new)
    }

    /// The collection that a block at a column would be part of.
    fn collection(&self, column: usize, content: Content, end: &Line) -> Option<Collection> {
        let here = || self.collections.iter().rev().filter(|collection| collection.old == column);
        let list = here().find(|collection| collection.kind == Kind::IndentlessList).copied();
        let other = here().find(|collection| collection.kind != Kind::IndentlessList).copied();
        let takes_next = self.becomes_value(column, content, end);
        let is_nearest = column >= self.next.0 || content != Content::Words && takes_next;
        match (list, other) {
            _ if !is_nearest => None,
            (Some(list), _) if content == Content::Item => Some(list),
            (Some(list), Some(map)) if self.is_in_indentless && column == self.next.0 => {
                Some(if takes_next && content == Content::Entry { map } else { list })
            }
            (list, other) => other.or(list),
        }
    }

    /// Whether the next token would be part of the last line of a block at a column.
    fn becomes_value(&self, column: usize, content: Content, last: &Line) -> bool {
        let continues = self.is_before_item && self.next.0 > column && last.is_code();
        let is_item = content == Content::Item && self.next.0 == column + STEP;
        last.is_open || continues || is_item
    }
}

fn column_distance(old: usize, new: usize) -> isize {
    new.cast_signed() - old.cast_signed()
}
