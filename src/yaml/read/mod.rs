//! From the text of one document to a tree with spans.
//!
//! Input: a slice of a file that holds at most one document. Output: the tree, with the value that
//! Kubernetes reads for every scalar and the author's place for every key and value, and a finding for
//! all that is wrong. Later stages rely on this: keys are unique text, trees are at most [`MAX_DEPTH`]
//! deep and have at most [`MAX_NODES`] nodes, numbers are finite.

mod anchors;
mod builder;
mod event;
mod keys;
mod locate;
mod merge_keys;
mod tags;
#[cfg(test)]
mod tests;

pub(super) use anchors::{RULES as ANCHOR_RULES, too_deep};
pub(super) use event::Stop;
pub(super) use keys::RULES as KEY_RULES;
pub(super) use merge_keys::RULES as MERGE_KEY_RULES;
pub(super) use tags::RULES as TAG_RULES;

use self::builder::Builder;
use self::event::{Event, Events};
use super::fault;
use super::split::DocumentSlice;
use crate::diag::Sink;
use crate::source::{FileId, Span};
use crate::tree::Node;

/// How deep maps and lists may be nested. Kubernetes' own types stay below 20.
pub(crate) const MAX_DEPTH: usize = 100;

/// How many values a document may have, aliases replaced by what they stand for.
pub(crate) const MAX_NODES: usize = 1_000_000;

/// One document of a stream.
#[derive(Debug)]
pub(crate) struct Document {
    /// The value.
    pub(crate) root: Node,
    /// From its first to its last byte.
    pub(crate) span: Span,
}

/// Reads the document of a slice; `text` is the text of the whole file. `None` where the slice holds
/// no document, or one that cannot be read; the latter is reported. A document that can be read but is
/// wrong (a duplicate key, an unknown alias) is reported and returned, so that later stages can say what
/// else is wrong with it.
pub(crate) fn parse(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Document> {
    let body = text.get(slice.span.range())?;
    let mut builder = Builder::new(file, text, slice.span.start, sink);
    let mut is_ended = false;
    for event in Events::new(body, slice.span.start) {
        match event {
            // Reading goes on to the end of the slice: text behind the value is an error.
            Ok(placed) if placed.event == Event::DocumentEnd => is_ended = true,
            Ok(placed) => {
                if builder.take(placed).is_err() {
                    return None;
                }
            }
            Err(stop) => {
                drop(builder);
                sink.error(fault::explain(text, slice.span, &stop));
                return None;
            }
        }
    }
    if is_ended { builder.finish() } else { None }
}

/// Where the parser stops in a text, if it does.
pub(super) fn first_stop(text: &str) -> Option<Stop> {
    Events::new(text, 0).find_map(Result::err)
}
