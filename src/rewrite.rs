//! Edits of a document from one tree to another.
//!
//! The new tree consists of nodes of the old one, which have kept their origins, and of new nodes. What
//! is kept is copied from the source with its comments, at another column if it moves; only what is new
//! is printed. The caller reads the result again: an edit that an anchor or another rare syntax makes
//! wrong is not applied.

mod block_map;
mod flow;
mod places;
mod print;
#[cfg(test)]
mod tests;
mod writer;

use std::ops::Range;

use serde::de::IgnoredAny;

use self::places::Places;
pub(crate) use self::print::shifted;
use self::writer::Writer;
use crate::source::{FileId, Slice as _, Span};
use crate::tree::{Layer, Node, Origin};

/// A part of a file and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replacement {
    /// The bytes of the file.
    pub(crate) range: Range<usize>,
    /// What to write instead.
    pub(crate) text: String,
}

/// The origin of new nodes, on behalf of the object at a span.
pub(crate) const fn new_origin(object: Span) -> Origin {
    Origin::of_layer(Layer::Managed, object)
}

/// The edit that turns the node `old` of a file into `new`, which begins at the same place. `None` if
/// there is none, because the source uses syntax that cannot be kept.
pub(crate) fn rewrite(file: FileId, text: &str, old: &Node, new: &Node) -> Option<Replacement> {
    let places = Places::of(file, text, old);
    let range = places.range(old);
    let is_flow = places.is_flow(old);
    let end = if is_flow { range.end } else { places.line_end(trimmed_end(text, range.clone())) };
    let range = range.start..end;
    let written =
        Writer::new(text, &places, is_json(text.get(range.clone())?), old, new).whole(old, new)?;
    Some(narrowed(text, range, &written))
}

fn trimmed_end(text: &str, range: Range<usize>) -> usize {
    let written = text.slice(range.clone());
    range.start + written.trim_end_matches(['\n', '\r']).len()
}

fn is_json(text: &str) -> bool {
    text.starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The edit without the lines that are equal at its start and end.
fn narrowed(text: &str, range: Range<usize>, written: &str) -> Replacement {
    let before = text.slice(range.clone());
    let same = before.bytes().zip(written.bytes()).take_while(|(a, b)| a == b).count();
    let start = before.get(..before.floor_char_boundary(same)).and_then(|it| it.rfind('\n'));
    let start = start.map_or(0, |it| it + 1);
    let (rest, new) = (before.slice(start..), written.slice(start..));
    let same = rest.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let tail = rest.slice(rest.ceil_char_boundary(rest.len() - same)..);
    let tail = tail.find('\n').map_or(0, |it| tail.len() - it);
    let text = new.slice(..new.len() - tail).to_owned();
    Replacement { range: range.start + start..range.end - tail, text }
}
