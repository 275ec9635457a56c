//! Maps and lists in brackets, among them those of JSON.

use std::ops::Range;

use super::places::WrittenEntry;
use super::print::{key, shifted};
use super::writer::{STEP, Writer, is_scalar};
use crate::tree::{Entry, Node, Value};

impl<'o> Writer<'o> {
    pub(super) fn flow_map(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        let own = self.own(old);
        let entries = Self::written_entries(new, old, &own)?;
        let range = self.places.range(old);
        let style =
            FlowStyle::of(self, &own.iter().map(|it| it.1.key.start).collect::<Vec<_>>(), &range);
        out.push('{');
        for (index, entry) in entries.iter().enumerate() {
            let at = own.iter().position(|(key, _)| *key == entry.key_origin());
            let place = at.and_then(|at| own.get(at)).map(|it| it.1);
            if index > 0 {
                out.push(',');
            }
            match place.filter(|_| (at == Some(0)) == (index == 0)) {
                Some(place) => {
                    let gap = self.slice(place.gap, place.key.start);
                    out.push_str(gap.split_once(',').map_or(gap, |it| it.1));
                }
                None => out.push_str(if index == 0 { &style.first } else { &style.other }),
            }
            match place {
                Some(place) => self.flow_entry(entry, place, &style, out)?,
                None => self.flow_fresh(entry, &style, out)?,
            }
        }
        let last = own.last().map_or(range.start + 1, |it| it.1.tail);
        let close = self.slice(last, range.end.saturating_sub(1));
        out.push_str(close.split_once(',').map_or(close, |it| it.1));
        out.push('}');
        Some(())
    }

    fn flow_entry(
        &self,
        new: &Entry,
        place: &WrittenEntry<'o>,
        style: &FlowStyle,
        out: &mut String,
    ) -> Option<()> {
        if self.source_key(place) == new.key.as_str() {
            out.push_str(self.slice(place.key.start, place.key.end));
        } else {
            out.push_str(&key(&new.key, self.is_json, &new.value));
        }
        if Self::stays(&new.value, place) {
            out.push_str(self.slice(place.key.end, place.tail));
            return Some(());
        }
        out.push_str(self.slice(place.key.end, place.written.start));
        if !place.is_alias && new.value.origin() == place.value.origin() && !is_scalar(&new.value) {
            return self.changed(&new.value, place.value, out);
        }
        self.flow_value(&new.value, &style.inner(), out)
    }

    fn flow_fresh(&self, new: &Entry, style: &FlowStyle, out: &mut String) -> Option<()> {
        out.push_str(&key(&new.key, self.is_json, &new.value));
        out.push_str(if style.is_compact { ":" } else { ": " });
        self.flow_value(&new.value, &style.inner(), out)
    }

    /// A value in brackets.
    fn flow_value(&self, value: &Node, style: &FlowStyle, out: &mut String) -> Option<()> {
        if value.origin().layer().is_none() && !is_scalar(value) {
            let old = self.places.node(value.origin()).filter(|it| self.places.is_flow(it))?;
            let mut copy = String::new();
            self.source(value, old, &mut copy)?;
            let start = self.places.range(old).start;
            let line = self.slice(start - self.places.column(start), start);
            let from = line.len() - line.trim_start_matches(' ').len();
            out.push_str(&shifted(&copy, from, style.outer_column()));
            return Some(());
        }
        match &value.value {
            Value::Map(map) if !map.is_empty() => {
                out.push('{');
                for (index, entry) in map.entries().iter().enumerate() {
                    Self::flow_gap(index, style, out);
                    self.flow_fresh(entry, style, out)?;
                }
                out.push_str(&style.close);
                out.push('}');
                Some(())
            }
            Value::List(items) if !items.is_empty() => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    Self::flow_gap(index, style, out);
                    self.flow_value(item, &style.inner(), out)?;
                }
                out.push_str(&style.close);
                out.push(']');
                Some(())
            }
            _ => self.inline(value, out),
        }
    }

    fn flow_gap(index: usize, style: &FlowStyle, out: &mut String) {
        if index > 0 {
            out.push(',');
        }
        out.push_str(if index == 0 { &style.first } else { &style.other });
    }

    pub(super) fn flow_list(&self, new: &Node, old: &'o Node, out: &mut String) -> Option<()> {
        let range = self.places.range(old);
        let starts: Vec<_> = old.items().iter().map(|it| self.places.range(it)).collect();
        let is_here = starts.iter().all(|it| range.start < it.start && it.end <= range.end);
        let style =
            FlowStyle::of(self, &starts.iter().map(|it| it.start).collect::<Vec<_>>(), &range);
        if !is_here {
            return None;
        }
        out.push('[');
        for (index, item) in new.items().iter().enumerate() {
            let at = old.items().iter().position(|it| it.origin() == item.origin());
            let at = at.filter(|_| item.origin().layer().is_none());
            Self::flow_gap(index, &style, out);
            match at.and_then(|at| old.items().get(at)) {
                Some(old) if old != item && !is_scalar(item) => self.changed(item, old, out)?,
                Some(old) if old == item => {
                    let range = self.places.range(old);
                    out.push_str(self.slice(range.start, range.end));
                }
                _ => self.flow_value(item, &style.inner(), out)?,
            }
        }
        let last = starts.last().map_or(range.start + 1, |it| it.end);
        let close = self.slice(last, range.end.saturating_sub(1));
        out.push_str(close.split_once(',').map_or(close, |it| it.1));
        out.push(']');
        Some(())
    }
}

/// The spaces and line breaks of brackets.
#[derive(Clone, Debug)]
struct FlowStyle {
    first: String,
    other: String,
    close: String,
    /// Whether there is no space after a colon.
    is_compact: bool,
    line_end: &'static str,
    /// The column of the entries, if each is on its own line.
    column: Option<usize>,
    step: usize,
}

impl FlowStyle {
    /// The style of brackets whose entries begin at these offsets.
    fn of(writer: &Writer<'_>, starts: &[usize], range: &Range<usize>) -> Self {
        let text = writer.slice(range.start, range.end);
        let first = starts.first().map_or("", |it| writer.slice(range.start + 1, *it));
        let has_lines = first.contains('\n');
        let column = starts.first().filter(|_| has_lines).map(|it| writer.places.column(*it));
        let is_compact = writer.is_json && !text.contains(": ");
        let outer = {
            let line = writer.slice(range.start - writer.places.column(range.start), range.start);
            line.len() - line.trim_start_matches(' ').len()
        };
        let step = column.map_or(STEP, |it| it.saturating_sub(outer).max(1));
        let other = if has_lines {
            first.to_owned()
        } else if is_compact {
            String::new()
        } else {
            " ".to_owned()
        };
        let first = if first.trim().is_empty() { first.to_owned() } else { String::new() };
        let close = if has_lines { lines(writer.line_end, outer) } else { first.clone() };
        Self { first, other, close, is_compact, line_end: writer.line_end, column, step }
    }

    /// The style of new brackets inside these.
    fn inner(&self) -> Self {
        let Some(column) = self.column else { return self.clone() };
        let inner = lines(self.line_end, column + self.step);
        Self {
            first: inner.clone(),
            other: inner,
            close: lines(self.line_end, column),
            column: Some(column + self.step),
            ..self.clone()
        }
    }

    /// The indentation of the line on which these brackets open.
    fn outer_column(&self) -> usize {
        self.column.map_or(0, |it| it.saturating_sub(self.step))
    }
}

fn lines(line_end: &str, column: usize) -> String {
    format!("{line_end}{}", " ".repeat(column))
}
