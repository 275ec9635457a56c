//! What is at an offset of a text.

use std::ops::Range;

use super::{Document, Entry, Kind, Outline, Step, Style};
use crate::source::lines;

/// What is at an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::ide) struct Cursor<'o> {
    pub(in crate::ide) document: &'o Document,
    /// The position of the entry whose key or value it is; of a new key, the entry that would have it.
    pub(in crate::ide) entry: usize,
    pub(in crate::ide) slot: Slot,
    /// The text that is there already.
    pub(in crate::ide) range: Range<usize>,
}

/// The kind of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ide) enum Slot {
    /// The key of a field.
    Key,
    /// A new key, or text that may become one, in brackets or not.
    NewKey {
        /// Whether it is in brackets.
        is_flow: bool,
        /// The column of the key.
        column: usize,
    },
    /// The value of a field or an item, if it is on the line of its key.
    Value,
    /// A place in a block scalar.
    Text,
    /// A comment.
    Comment,
}

impl Outline {
    /// What is at an offset; `None` where neither a key nor a value can be.
    pub(in crate::ide) fn cursor(&self, offset: usize) -> Option<Cursor<'_>> {
        let offset = self.text.floor_char_boundary(offset);
        let document = self.document_at(offset)?;
        if let Some(comment) = self.comment_at(offset) {
            let range = comment.clone();
            return Some(Cursor { document, entry: 0, slot: Slot::Comment, range });
        }
        self.on_text(document, offset)
            .or_else(|| self.in_brackets(document, offset))
            .or_else(|| self.after_key(document, offset))
            .or_else(|| self.on_empty_line(document, offset))
    }

    /// The path to the entry of a cursor.
    pub(in crate::ide) fn path_of<'t>(&'t self, cursor: &Cursor<'_>) -> Vec<Step<'t>> {
        self.path(cursor.document, cursor.entry)
    }

    /// The column of an offset, in bytes.
    fn column(&self, offset: usize) -> usize {
        lines::column(&*self.text, offset)
    }

    /// The cursor on the text of a key or a value.
    fn on_text<'o>(&self, document: &'o Document, offset: usize) -> Option<Cursor<'o>> {
        // Entries are sorted by their keys, and only the last ones before the offset can reach it.
        let after = document.entries.partition_point(|it| it.key.start <= offset);
        (after.saturating_sub(2).max(1)..after)
            .rev()
            .find_map(|at| self.on_entry(document, at, offset))
    }

    fn on_entry<'o>(&self, document: &'o Document, at: usize, offset: usize) -> Option<Cursor<'o>> {
        let touches = |it: &Range<usize>| it.start <= offset && offset <= it.end;
        let entry = document.entry(at);
        if let Some(range) = entry.value.clone().filter(touches) {
            let slot = match entry.style {
                Style::Scalar => Slot::Value,
                Style::Text => Slot::Text,
                Style::Open | Style::Brackets => return None,
            };
            return Some(Cursor { document, entry: at, slot, range });
        }
        let range = entry.key.clone();
        if range.is_empty() || !touches(&range) {
            return None;
        }
        match entry.kind {
            Kind::Field => Some(Cursor { document, entry: at, slot: Slot::Key, range }),
            Kind::Loose => {
                let is_flow = is_in_brackets(document, entry.parent);
                let slot = Slot::NewKey { is_flow, column: self.column(range.start) };
                Some(Cursor { document, entry: entry.parent, slot, range })
            }
            Kind::Item(_) | Kind::Root => None,
        }
    }

    /// The cursor in brackets, between their values.
    fn in_brackets<'o>(&self, document: &'o Document, offset: usize) -> Option<Cursor<'o>> {
        let is_around = |it: &Entry| {
            let value = it.value.as_ref().filter(|_| it.style == Style::Brackets);
            value.is_some_and(|it| {
                let is_closed = self.slice(it).ends_with(['}', ']']);
                it.start < offset && (offset < it.end || !is_closed && offset == it.end)
                    || !is_closed && it.end <= offset && self.is_in_one_line(&(it.end..offset))
            })
        };
        let (at, entry) = document.entries().rev().find(|(_, it)| is_around(it))?;
        let start = entry.value.as_ref()?.start;
        let before = self.text.get(start..offset)?.trim_end();
        let cursor = |entry, slot| Some(Cursor { document, entry, slot, range: offset..offset });
        let is_list = self.text.get(start..)?.starts_with('[');
        match before.chars().next_back()? {
            ':' => {
                let (field, _) =
                    document.children(at).filter(|(_, it)| it.key.start < offset).last()?;
                cursor(field, Slot::Value)
            }
            '[' => cursor(at, Slot::Value),
            ',' if is_list => cursor(at, Slot::Value),
            '{' | ',' => {
                let column = self.column(offset);
                cursor(at, Slot::NewKey { is_flow: true, column })
            }
            _ => None,
        }
    }

    /// The cursor after a key or a dash, on its line.
    fn after_key<'o>(&self, document: &'o Document, offset: usize) -> Option<Cursor<'o>> {
        let after = document.entries.partition_point(|it| it.key.end <= offset);
        let at = after.checked_sub(1).filter(|it| *it > 0 || document.is_item())?;
        let entry = document.entry(at);
        let between = self.text.get(entry.key.end..offset)?;
        if between.contains(['\n', '\r']) {
            return None;
        }
        let gap = match entry.kind {
            Kind::Field => between.trim_start().strip_prefix(':')?,
            // The dash of an item of a List belongs to its document.
            Kind::Item(_) | Kind::Root => between,
            Kind::Loose => return None,
        };
        let is_after = entry.value.is_none() && !gap.is_empty() && gap.trim().is_empty();
        let slot = match entry.kind {
            Kind::Item(_) | Kind::Root => {
                Slot::NewKey { is_flow: false, column: self.column(offset) }
            }
            _ => Slot::Value,
        };
        is_after.then_some(Cursor { document, entry: at, slot, range: offset..offset })
    }

    /// The cursor on a line with spaces only: its column decides which map it belongs to.
    fn on_empty_line<'o>(&self, document: &'o Document, offset: usize) -> Option<Cursor<'o>> {
        let column = self.column(offset);
        let line = self.text.get(offset - column..offset)?;
        let rest = self.text.get(offset..)?.split(['\n', '\r']).next()?;
        if !line.trim().is_empty() || !rest.trim().is_empty() {
            return None;
        }
        let after = document.entries.partition_point(|it| it.key.start <= offset);
        let mut at = after.checked_sub(1)?;
        while at != 0 && document.entry(at).column >= column {
            at = document.entry(at).parent;
        }
        let entry = document.entry(at);
        if entry.style == Style::Text {
            let range = offset..offset;
            return Some(Cursor { document, entry: at, slot: Slot::Text, range });
        }
        // A line in front of an item of a List is after the List.
        if at == 0 && column < entry.column {
            return None;
        }
        let slot = Slot::NewKey { is_flow: false, column };
        let is_free = entry.value.is_none() && entry.kind != Kind::Loose;
        is_free.then_some(Cursor { document, entry: at, slot, range: offset..offset })
    }
}

/// Whether the fields of an entry are in brackets.
fn is_in_brackets(document: &Document, mut at: usize) -> bool {
    loop {
        let entry = document.entry(at);
        if entry.style == Style::Brackets {
            return true;
        }
        if !matches!(entry.kind, Kind::Item(_)) || at == 0 {
            return false;
        }
        at = entry.parent;
    }
}
