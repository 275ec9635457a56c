//! Where the entries and items of a document are written.

use std::ops::Range;

use crate::sorted::{CompactSort as _, SortedMap};
use crate::source::{FileId, Slice as _, lines};
use crate::tree::{Node, Origin, Value};

/// Where an entry of a map is written, in offsets of its file.
#[derive(Clone, Debug)]
pub(super) struct WrittenEntry<'o> {
    pub(super) key: Range<usize>,
    pub(super) value: &'o Node,
    /// The range of the value; of an alias, that of its name.
    pub(super) written: Range<usize>,
    /// The end of what precedes it in its map: of another entry, or of the opening bracket.
    pub(super) gap: usize,
    /// Its end, with the comment on its last line unless it is in brackets.
    pub(super) tail: usize,
    pub(super) is_flow: bool,
    /// Whether the value is written elsewhere, at its anchor.
    pub(super) is_alias: bool,
}

/// Where an item of a block list is written.
#[derive(Clone, Debug)]
pub(super) struct Item<'o> {
    pub(super) value: &'o Node,
    /// The offset of its dash.
    pub(super) dash: usize,
    pub(super) written: Range<usize>,
    pub(super) tail: usize,
}

/// The entries of a tree by their keys, and its nodes.
#[derive(Debug)]
pub(super) struct Places<'o> {
    file: FileId,
    text: &'o str,
    entries: SortedMap<Origin, WrittenEntry<'o>>,
    nodes: SortedMap<Origin, &'o Node>,
}

impl<'o> Places<'o> {
    pub(super) fn of(file: FileId, text: &'o str, root: &'o Node) -> Self {
        let mut places = Self { file, text, entries: SortedMap::new(), nodes: SortedMap::new() };
        places.add(root);
        places
    }

    pub(super) fn entry(&self, key: Origin) -> Option<&WrittenEntry<'o>> {
        self.entries.get(&key)
    }

    pub(super) fn node(&self, origin: Origin) -> Option<&'o Node> {
        self.nodes.get(&origin).copied()
    }

    pub(super) fn range(&self, node: &Node) -> Range<usize> {
        node.span().within(self.file).range()
    }

    pub(super) fn is_flow(&self, node: &Node) -> bool {
        self.text.get(self.range(node)).is_some_and(|it| it.starts_with(['{', '[']))
    }

    fn add(&mut self, node: &'o Node) {
        match &node.value {
            Value::Map(_) => {
                if self.nodes.insert(node.origin(), node).is_some() {
                    return;
                }
                self.add_map(node);
                node.entries().iter().for_each(|it| self.add(&it.value));
            }
            Value::List(items) => {
                self.nodes.insert(node.origin(), node);
                items.iter().for_each(|it| self.add(it));
            }
            Value::Null => {}
            _ => drop(self.nodes.insert(node.origin(), node)),
        }
    }

    fn add_map(&mut self, node: &'o Node) {
        let whole = self.range(node);
        let is_flow = self.is_flow(node);
        let key_of = |key: Origin| key.span().within(self.file).range();
        let mut own: Vec<_> = node
            .entries()
            .iter()
            .map(|it| (key_of(it.key_origin()), it))
            .filter(|(key, _)| whole.contains(&key.start))
            .collect();
        own.compact_sort_by_key(|it| it.0.start);
        let mut gap = if is_flow { whole.start + 1 } else { whole.start };
        for (at, (key, entry)) in own.iter().enumerate() {
            let next = own.get(at + 1).map_or(whole.end, |it| it.0.start);
            let written = self.written(key, &entry.value, next, is_flow);
            let is_alias = !entry.value.is_null() && written != self.trimmed(&entry.value);
            let tail = if is_flow { written.end } else { self.line_end(written.end) };
            let place = WrittenEntry {
                key: key.clone(),
                value: &entry.value,
                written,
                gap,
                tail,
                is_flow,
                is_alias,
            };
            self.entries.insert(entry.key_origin(), place);
            gap = tail;
        }
    }

    /// The range of a value that follows a key; that of an alias is its name.
    fn written(
        &self,
        key: &Range<usize>,
        value: &Node,
        next: usize,
        is_flow: bool,
    ) -> Range<usize> {
        let own = self.trimmed(value);
        let is_here = own.start >= key.end && own.start <= next && !value.is_null();
        if is_here {
            return own;
        }
        let after = self.text.slice(key.end..next);
        let start = key.end + after.find(':').map_or(0, |it| it + 1);
        let rest = self.text.slice(start..next.max(start));
        let line = lines::first(rest);
        let uncommented = line.split_once(" #").map_or(line, |(before, _)| before);
        let end = uncommented.find([',', '}']).filter(|_| is_flow);
        let written = end.map_or(uncommented, |end| uncommented.slice(..end));
        let content = written.trim();
        let start = written.find(content).map_or(start, |at| start + at);
        start..start + content.len()
    }

    /// The range of a node, without line breaks at its end.
    fn trimmed(&self, node: &Node) -> Range<usize> {
        let range = self.range(node);
        let written = self.text.slice(range.clone());
        range.start..range.start + written.trim_end_matches(['\n', '\r']).len()
    }

    /// The end of the line around an offset.
    pub(super) fn line_end(&self, at: usize) -> usize {
        let line = self.text.slice(at..lines::end(self.text, at));
        at + line.trim_end_matches([' ', '\t']).len()
    }

    /// The number of bytes between the start of its line and an offset.
    pub(super) fn column(&self, at: usize) -> usize {
        lines::column(self.text, at)
    }

    /// The items of a block list; `None` if one is not written after a dash.
    pub(super) fn items(&self, list: &'o Node) -> Option<Vec<Item<'o>>> {
        let item = |value: &'o Node| {
            let written = self.trimmed(value);
            let dash = without_comments(self.text.get(..written.start)?).strip_suffix('-')?.len();
            Some(Item { value, dash, tail: self.line_end(written.end), written })
        };
        let items: Vec<_> = list.items().iter().map(item).collect::<Option<_>>()?;
        let whole = self.range(list);
        let is_here = |it: &Item<'_>| whole.contains(&it.dash) && it.written.end <= whole.end;
        items.iter().all(is_here).then_some(items)
    }
}

/// The text without the spaces and comments at its end.
fn without_comments(text: &str) -> &str {
    let mut text = text.trim_end_matches([' ', '\n', '\r']);
    loop {
        let start = lines::start(text, text.len());
        let line = text.slice(start..);
        let is_comment = |at: &usize| line.get(..*at).is_some_and(|it| !it.ends_with(is_word));
        let Some(at) = line.find('#').filter(is_comment) else { return text };
        text = text.slice(..start + at).trim_end_matches([' ', '\n', '\r']);
    }
}

/// Whether a `#` after the character is not a comment.
fn is_word(before: char) -> bool {
    !matches!(before, ' ' | '\t')
}
