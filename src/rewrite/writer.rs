//! Writes a tree with the text of the source.

use super::block_map::BlockMap;
use super::places::{Item, Places, WrittenEntry};
use super::print::{key, scalar, shifted};
use crate::sorted::{CompactSort as _, SortedSet};
use crate::source::Slice as _;
use crate::tree::{Entry, Node, Origin, Value};

/// Columns of indentation of what is new.
pub(super) const STEP: usize = 2;

/// Writes trees that consist of nodes of the source and of new ones. `None` as a result means that the
/// source uses syntax that cannot be kept.
pub(super) struct Writer<'o> {
    pub(super) text: &'o str,
    pub(super) places: &'o Places<'o>,
    pub(super) is_json: bool,
    pub(super) line_end: &'static str,
    /// Columns by which a block list is deeper than its key.
    list_step: usize,
    /// The keys of the source that the new tree has, in whatever map.
    pub(super) kept: SortedSet<Origin>,
}

impl<'o> Writer<'o> {
    pub(super) fn new(
        text: &'o str,
        places: &'o Places<'o>,
        is_json: bool,
        old: &Node,
        new: &Node,
    ) -> Self {
        let range = places.range(old);
        let written = text.slice(range.clone());
        let rest = text.slice(range.end..);
        let is_crlf = |it: &str| it.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
        let has_crlf = if written.contains('\n') { is_crlf(written) } else { is_crlf(rest) };
        let line_end = if has_crlf { "\r\n" } else { "\n" };
        let mut kept = SortedSet::new();
        collect_keys(new, &mut kept);
        let mut writer = Self { text, places, is_json, line_end, list_step: 0, kept };
        writer.list_step = writer.found_list_step(old).unwrap_or(STEP);
        writer
    }

    /// The whole tree.
    pub(super) fn whole(&self, old: &'o Node, new: &Node) -> Option<String> {
        let mut out = String::new();
        self.changed(new, old, &mut out)?;
        Some(out)
    }

    fn found_list_step(&self, node: &Node) -> Option<usize> {
        let of_entry = |it: &Entry| {
            let list = &it.value;
            let place = self.places.entry(it.key_origin())?;
            if list.items().is_empty()
                || place.is_flow
                || place.is_alias
                || self.places.is_flow(list)
            {
                return None;
            }
            let list = self.places.column(place.written.start);
            list.checked_sub(self.places.column(place.key.start))
        };
        let entries = node.entries().iter();
        let below = |it: &Entry| of_entry(it).or_else(|| self.found_list_step(&it.value));
        let items = || node.items().iter().find_map(|it| self.found_list_step(it));
        entries.clone().find_map(below).or_else(items)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'o str {
        self.text.slice(start..end)
    }

    fn is_unchanged(&self, node: &Node) -> bool {
        node.origin().layer().is_none()
            && self.places.node(node.origin()).is_some_and(|it| it == node)
    }

    /// Whether a value of a place is written there and remains.
    pub(super) fn stays(new: &Node, place: &WrittenEntry<'_>) -> bool {
        new == place.value
    }

    /// A map or list of the source with changes below it, where it is.
    pub(super) fn changed(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        let is_flow = self.places.is_flow(old);
        match (&new.value, &old.value) {
            (Value::Map(_), Value::Map(_)) if is_flow => self.flow_map(new, old, out),
            (Value::Map(_), Value::Map(_)) => self.block_map(new, old, out),
            (Value::List(_), Value::List(_)) if is_flow => self.flow_list(new, old, out),
            (Value::List(_), Value::List(_)) => self.block_list(new, old, out),
            _ => None,
        }
    }

    /// The entries of a map of the source by position.
    pub(super) fn own(&self, old: &Node) -> Vec<(Origin, &WrittenEntry<'o>)> {
        let range = self.places.range(old);
        let entries = old.entries().iter();
        let own =
            entries.filter_map(|it| Some((it.key_origin(), self.places.entry(it.key_origin())?)));
        let mut own: Vec<_> = own.filter(|it| range.contains(&it.1.key.start)).collect();
        own.compact_sort_by_key(|it| it.1.key.start);
        own
    }

    /// Checks that entries which a merge key adds stay as they are, and returns the others.
    pub(super) fn written_entries<'n>(
        new: &'n Node,
        old: &Node,
        own: &[(Origin, &WrittenEntry<'o>)],
    ) -> Option<Vec<&'n Entry>> {
        let is_own = |it: &Entry| own.iter().any(|(key, _)| *key == it.key_origin());
        let is_merged = |it: &&Entry| !is_own(it) && old.entries().contains(it);
        let merged = old.entries().iter().filter(|it| !is_own(it)).count();
        let kept = new.entries().iter().filter(is_merged).count();
        let rest = new.entries().iter().filter(|it| !is_merged(it)).collect();
        (merged == kept).then_some(rest)
    }

    fn block_map(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        let own = self.own(old);
        let (_, first) = own.first()?;
        let entries = Self::written_entries(new, old, &own)?;
        if entries.is_empty() {
            out.push_str("{}");
            return Some(());
        }
        let column = self.places.column(first.key.start);
        let mut map = BlockMap::new(self, &own, column, out);
        for entry in entries {
            map.add(entry)?;
        }
        map.leave_comments(own.len());
        Some(())
    }

    /// The entry of a map where it is written in block style, without the gap before it.
    pub(super) fn entry(
        &self,
        new: &Entry,
        place: &WrittenEntry<'o>,
        out: &mut String,
    ) -> Option<()> {
        let old_key = self.slice(place.key.start, place.key.end);
        let is_renamed = self.source_key(place) != new.key.as_str();
        let column = self.places.column(place.key.start);
        if is_renamed {
            out.push_str(&key(&new.key, self.is_json, &new.value));
        } else {
            out.push_str(old_key);
        }
        if Self::stays(&new.value, place) {
            out.push_str(self.slice(place.key.end, place.tail));
            return Some(());
        }
        let before = self.slice(place.key.end, place.written.start);
        let comment = self.slice(place.written.end, place.tail);
        let is_here = !place.is_alias && new.value.origin() == place.value.origin();
        let is_below = before.contains('\n');
        let is_scalar = is_scalar(&new.value);
        if is_here && !is_scalar {
            out.push_str(before);
            self.changed(&new.value, place.value, out)?;
            // The last entry of a block has the comment.
            if self.places.is_flow(place.value) {
                out.push_str(comment);
            }
            return Some(());
        }
        if is_scalar && !is_below && !place.value.is_null() {
            out.push_str(before);
            let old = self.slice(place.written.start, place.written.end);
            self.inline_like((old, place.value), &new.value, out)?;
            out.push_str(comment);
            return Some(());
        }
        out.push(':');
        let kept = if is_below {
            self.comments_between(before, &new.value, column)
        } else {
            comment.to_owned()
        };
        self.after_colon(&new.value, column, &kept, out)
    }

    /// The comments between a key at a column and its value, for a new value.
    fn comments_between(&self, between: &str, value: &Node, column: usize) -> String {
        let step = if matches!(value.value, Value::List(_)) { self.list_step } else { STEP };
        let mut comments = String::new();
        for (index, line) in between.split('\n').enumerate() {
            let Some((_, comment)) = line.split_once('#') else { continue };
            if index == 0 {
                comments.push(' ');
            } else {
                self.new_line(column + step, &mut comments);
            }
            comments.push('#');
            comments.push_str(comment.trim_end());
        }
        comments
    }

    /// The key of the source at a place, if it is plain or in quotes without escapes.
    pub(super) fn source_key(&self, place: &WrittenEntry<'_>) -> &str {
        let written = self.slice(place.key.start, place.key.end);
        let quoted = |quote: char| written.strip_prefix(quote)?.strip_suffix(quote);
        quoted('"').or_else(|| quoted('\'')).unwrap_or(written)
    }

    /// A value after `key:`, with the comment of that line.
    fn after_colon(
        &self,
        value: &Node,
        column: usize,
        comment: &str,
        out: &mut String,
    ) -> Option<()> {
        let is_source = value.origin().layer().is_none();
        if is_scalar(value) || is_source && self.places.is_flow(value) {
            out.push(' ');
            self.inline(value, out)?;
            out.push_str(comment);
            return Some(());
        }
        out.push_str(comment);
        let step = if matches!(value.value, Value::List(_)) { self.list_step } else { STEP };
        self.new_line(column + step, out);
        self.block(value, column + step, out)
    }

    /// A value at a column, in block style.
    fn block(&self, value: &Node, column: usize, out: &mut String) -> Option<()> {
        if value.origin().layer().is_none()
            && let Some(old) = self.places.node(value.origin())
            && !is_scalar(value)
        {
            let mut copy = String::new();
            self.source(value, old, &mut copy)?;
            let from = self.places.column(self.places.range(old).start);
            out.push_str(&shifted(&copy, from, column));
            return Some(());
        }
        match &value.value {
            Value::Map(map) if !map.is_empty() => {
                for (index, entry) in map.entries().iter().enumerate() {
                    if index > 0 {
                        self.new_line(column, out);
                    }
                    self.fresh(entry, column, out)?;
                }
            }
            Value::List(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.new_line(column, out);
                    }
                    out.push_str("- ");
                    self.block(item, column + STEP, out)?;
                }
            }
            _ => self.inline(value, out)?,
        }
        Some(())
    }

    /// A node of the source, at its own column.
    pub(super) fn source(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        if new != old {
            return self.changed(new, old, out);
        }
        let range = self.places.range(old);
        let written = self.slice(range.start, range.end).trim_end_matches(['\n', '\r']);
        let end = range.start + written.len();
        let end = if self.places.is_flow(old) { end } else { self.places.line_end(end) };
        out.push_str(self.slice(range.start, end));
        Some(())
    }

    /// A scalar in the place of another one, as a block if it was one, and in the same quotes if it needs
    /// none.
    fn inline_like(
        &self,
        (old, before): (&str, &Node),
        value: &Node,
        out: &mut String,
    ) -> Option<()> {
        if let Some(text) = self.literal_like(old, before, value) {
            out.push_str(&text);
            return Some(());
        }
        let start = out.len();
        self.inline(value, out)?;
        let is_simple = |it: char| it.is_ascii_alphanumeric() || matches!(it, '/' | '.' | '-');
        let is_plain = out.get(start..).is_some_and(|it| it.chars().all(is_simple));
        let quote = old.chars().next().filter(|it| matches!(it, '"' | '\''));
        if let Some(quote) = quote.filter(|_| is_plain && value.as_str().is_some()) {
            out.insert(start, quote);
            out.push(quote);
        }
        Some(())
    }

    /// A literal block with some of its lines changed. `None` for other scalars, or if the number of lines
    /// changes.
    fn literal_like(&self, written: &str, before: &Node, value: &Node) -> Option<String> {
        let (before, after) = before.as_str().zip(value.as_str())?;
        let (header, body) = written.split_once('\n').filter(|it| it.0.starts_with('|'))?;
        let mut lines = before.split('\n').zip(after.split('\n'));
        let is_as_long = before.split('\n').count() == after.split('\n').count();
        if !is_as_long || self.is_json {
            return None;
        }
        let mut out = header.to_owned();
        for line in body.split('\n') {
            out.push('\n');
            // Lines of the source after the value are empty.
            let (old, new) = lines.next().unwrap_or_default();
            let indentation = line.trim_end_matches('\r').strip_suffix(old)?;
            out.push_str(indentation);
            out.push_str(new);
            out.push_str(if line.ends_with('\r') { "\r" } else { "" });
        }
        Some(out)
    }

    /// A scalar or a flow collection on the current line.
    pub(super) fn inline(&self, value: &Node, out: &mut String) -> Option<()> {
        if self.is_unchanged(value) {
            let range = self.places.range(value);
            let written = self.slice(range.start, range.end);
            if !written.contains(['\n', '\r']) || self.places.is_flow(value) {
                out.push_str(written);
                return Some(());
            }
        } else if value.origin().layer().is_none()
            && let Some(old) = self.places.node(value.origin())
            && self.places.is_flow(old)
        {
            return self.changed(value, old, out);
        }
        is_scalar(value).then(|| out.push_str(&scalar(value, self.is_json)))
    }

    /// An entry that is new in its map, at a column in block style.
    pub(super) fn fresh(&self, new: &Entry, column: usize, out: &mut String) -> Option<()> {
        let Some(place) =
            self.places.entry(new.key_origin()).filter(|_| new.key_origin().layer().is_none())
        else {
            out.push_str(&key(&new.key, self.is_json, &new.value));
            out.push(':');
            return self.after_colon(&new.value, column, "", out);
        };
        for comment in self.comments_above(place) {
            out.push_str(comment);
            self.new_line(column, out);
        }
        let mut copy = String::new();
        if place.is_flow {
            copy.push_str(&key(&new.key, self.is_json, &new.value));
            copy.push_str(": ");
            self.inline(&new.value, &mut copy)?;
        } else {
            self.entry(new, place, &mut copy)?;
        }
        out.push_str(&shifted(&copy, self.places.column(place.key.start), column));
        Some(())
    }

    /// The comments directly above an entry, at its column.
    pub(super) fn comments_above(&self, place: &WrittenEntry<'_>) -> Vec<&'o str> {
        if place.is_flow {
            return Vec::new();
        }
        let column = self.places.column(place.key.start);
        let mut lines: Vec<_> = self.slice(place.gap, place.key.start).split('\n').collect();
        lines.pop();
        let is_comment = |it: &&&str| {
            let text = it.trim_start();
            text.starts_with('#') && it.len() - text.len() == column
        };
        let mut found: Vec<_> = lines.iter().skip(1).rev().take_while(is_comment).collect();
        found.reverse();
        found.into_iter().map(|it| it.trim()).collect()
    }

    pub(super) fn new_line(&self, column: usize, out: &mut String) {
        out.push_str(self.line_end);
        out.extend(std::iter::repeat_n(' ', column));
    }

    fn block_list(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        let items = self.places.items(old)?;
        let first = items.first()?;
        if new.items().is_empty() {
            out.push_str("[]");
            return Some(());
        }
        let column = self.places.column(first.dash);
        let mut previous: Option<usize> = None;
        for (index, item) in new.items().iter().enumerate() {
            let is_of = |it: &Item<'_>| it.value.origin() == item.origin();
            let at = items.iter().position(is_of).filter(|_| item.origin().layer().is_none());
            let Some((at, old)) = at.and_then(|at| Some((at, items.get(at)?))) else {
                if index > 0 {
                    self.new_line(column, out);
                }
                out.push_str("- ");
                self.block(item, column + STEP, out)?;
                continue;
            };
            let before = at.checked_sub(1).and_then(|at| items.get(at));
            match before.filter(|_| index > 0) {
                Some(before) if previous == Some(at - 1) => {
                    out.push_str(self.slice(before.tail, old.dash));
                }
                _ if index > 0 => self.new_line(column, out),
                _ => {}
            }
            previous = Some(at);
            out.push_str(self.slice(old.dash, old.written.start));
            if item == old.value || is_scalar(item) {
                self.inline_item(item, old, out)?;
            } else {
                self.changed(item, old.value, out)?;
                if self.places.is_flow(old.value) {
                    out.push_str(self.slice(old.written.end, old.tail));
                }
            }
        }
        Some(())
    }

    fn inline_item(&self, item: &Node, old: &Item<'o>, out: &mut String) -> Option<()> {
        if item == old.value {
            out.push_str(self.slice(old.written.start, old.tail));
            return Some(());
        }
        let written = self.slice(old.written.start, old.written.end);
        match self.literal_like(written, old.value, item) {
            Some(text) => out.push_str(&text),
            None => self.inline(item, out)?,
        }
        out.push_str(self.slice(old.written.end, old.tail));
        Some(())
    }
}

pub(super) fn is_scalar(node: &Node) -> bool {
    node.entries().is_empty() && node.items().is_empty()
}

fn collect_keys(node: &Node, keys: &mut SortedSet<Origin>) {
    for entry in node.entries() {
        if entry.key_origin().layer().is_none() {
            keys.insert(entry.key_origin());
        }
        collect_keys(&entry.value, keys);
    }
    node.items().iter().for_each(|it| collect_keys(it, keys));
}
