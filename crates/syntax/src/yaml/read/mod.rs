//! Parses the text of one document into a tree with spans.
//!
//! A document is read with the grammar of go-yaml, which the API server and kubectl use. What explains
//! a fault takes the [`Refusal`] of that reader as an argument, so it cannot run for a document that
//! Kubernetes accepts.
//!
//! Input: a slice of a file with at most one document. Output: the tree, with the value that
//! Kubernetes reads for every scalar and the span of every key and value, and a finding for every
//! fault. Later stages rely on this: keys are unique strings, trees are at most [`MAX_DEPTH`] deep
//! and have at most [`MAX_NODES`] nodes, numbers are finite.

mod accepted;
mod anchors;
mod builder;
mod checks;
mod event;
mod keys;
mod locate;
mod merge_keys;
mod structure;
mod tags;
#[cfg(test)]
mod tests;

pub(super) use anchors::{RULES as ANCHOR_RULES, too_deep, too_many_in_run};
pub use keys::KEY_NOT_TEXT;
pub(super) use keys::{RULES as KEY_RULES, has_duplicates};
pub(super) use merge_keys::RULES as MERGE_KEY_RULES;
pub(super) use structure::{
    COLON_BEFORE_BRACKET, INVISIBLE_SPACE, RULES as STRUCTURE_RULES, invisible_space,
};
pub(super) use tags::RULES as TAG_RULES;

use std::borrow::Cow;

use self::accepted::AcceptedEvents;
use self::builder::Builder;
use self::event::{Event, Events, Halt, Placed};
use super::encoding::check_characters;
use super::fast;
use super::fault::{self, Stop};
use super::go::Refusal;
use super::split::DocumentSlice;
use crate::diag::{Reported, Sink};
use crate::limits;
use crate::source::{FileId, FileSpan, Span, offset};
use crate::tree::Node;

/// A slice without a document that can be used.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// The position where the parser stopped, in offsets of the file, if it reported nothing before.
    pub(super) stop: Option<Stop>,
}

/// The maximum nesting depth of maps and lists. Kubernetes' own types stay below 20.
pub(super) const MAX_DEPTH: usize = limits::DOCUMENT_DEPTH.count();

/// The maximum number of values in a document, with aliases expanded.
pub(super) const MAX_NODES: usize = limits::DOCUMENT_VALUES.count();

/// The number of bytes of a document that can be parsed again while many documents are read at once.
pub(super) const SHARE: usize = 1 << 15;

/// One document of a stream.
#[derive(Debug)]
pub struct Document {
    /// The value.
    pub root: Node,
    /// The span of the document.
    pub span: Span,
    /// The number of nodes.
    pub values: usize,
}

/// The weight that aliases of all documents of a run can represent.
pub const ALIASES: usize = limits::ALIAS_VALUES.count();

/// What a run can still spend on reading documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// The number of values that aliases can represent.
    pub aliases: usize,
    /// The number of bytes that can be parsed again.
    pub again: usize,
    /// Whether more bytes were required.
    pub is_short: bool,
}

impl Allowance {
    /// The limits of a run.
    pub(super) const RUN: Self =
        Self { aliases: ALIASES, again: limits::REPAIR_BYTES.count(), is_short: false };

    /// Takes the bytes of a text that is parsed again, if they are left.
    pub(super) fn parses_again(&mut self, bytes: usize) -> bool {
        match self.again.checked_sub(bytes) {
            Some(left) => self.again = left,
            None => self.is_short = true,
        }
        !self.is_short
    }
}

/// Like [`parse_within`], for a document that is read apart from the others, without findings.
/// `aliases` is the weight that aliases of all documents read in this way can still represent.
pub(super) fn parse_apart(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    aliases: &mut usize,
) -> Option<Document> {
    let again = SHARE.saturating_add(2 * slice.span.range().len());
    let mut allowance = Allowance { aliases: *aliases, again, is_short: false };
    let document = parse_within(file, text, slice, &mut allowance, &mut Sink::unused());
    *aliases = allowance.aliases;
    document.ok()
}

/// Like [`parse_within`], for a single document.
#[cfg(any(test, fuzzing))]
pub(crate) fn parse(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Document> {
    parse_within(file, text, slice, &mut Allowance::RUN.clone(), sink).ok()
}

/// Reads the document of a slice; `text` is the text of the whole file. A document that can be
/// parsed but has a fault (a duplicate key, an unknown alias) is reported and returned, so that
/// later stages can report its other faults. Updates the limits.
///
/// Returns an error if the slice has no document, or an invalid one, which is reported.
pub(super) fn parse_within(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    parse_simple(text, slice, sink)
        .unwrap_or_else(|| parse_complex(file, text, slice, allowance, sink))
}

/// Like [`parse_within`], for a document that is so simple that it needs nothing of the limits. `None` for
/// another one.
pub(super) fn parse_simple(
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Result<Document, Unread>> {
    let document = fast::read(text, slice)?;
    Some(unless_pasted(text, slice, document, sink).ok_or_else(Unread::default))
}

/// Like [`parse_within`], for a document that is not simple.
pub(super) fn parse_complex(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    let document = parse_slowly_within(file, text, slice, allowance, sink)?;
    unless_pasted(text, slice, document, sink).ok_or_else(Unread::default)
}

/// Whether a file is valid YAML 1.2, without a search for what is wrong.
pub fn is_well_formed(text: &str) -> bool {
    Events::new(text, 0).all(|it| it.is_ok())
}

/// Like the reader of one document, for every document.
pub(super) fn parse_slowly(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Document> {
    parse_slowly_within(file, text, slice, &mut Allowance::RUN.clone(), sink).ok()
}

fn parse_slowly_within(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    let mut findings = Sink::new();
    let mut aliases = allowance.aliases;
    // kubectl splits the stream after directives, which are reported at the boundary.
    let span = match slice.marker {
        Some(marker) if !slice.directives.is_empty() => {
            FileSpan { start: marker.start, ..slice.span }
        }
        _ => slice.span,
    };
    let (document, unread) = match read(text, span, &mut aliases, &mut findings) {
        Ok(document) => (document, Unread::default()),
        Err(Ended::Reported(_)) => (None, Unread::default()),
        Err(Ended::Refused(_)) if sink.is_unused() => return Err(Unread::default()),
        Err(Ended::Refused(refusal)) => {
            findings = Sink::new();
            explain(refusal, file, text, slice, allowance, &mut findings)
        }
    };
    allowance.aliases = aliases;
    // `---apiVersion` was reported at the boundary, and the parents of the keys are not the intended
    // ones.
    if !findings.is_empty() && document.as_ref().is_some_and(has_glued_marker) {
        return Err(unread);
    }
    // The parents of the keys are not the intended ones, or a value is unknown.
    let is_misread = findings
        .iter()
        .any(|it| it.rule == &anchors::UNKNOWN_ALIAS || it.rule == &fault::PASTED_TEXT);
    sink.absorb(findings);
    document.filter(|_| !is_misread).ok_or(unread)
}

/// Explains why Kubernetes' reader has rejected a document: an error at least. Returns the document if
/// YAML 1.2 can read it, so that its other faults can be reported.
fn explain(
    refusal: Refusal,
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> (Option<Document>, Unread) {
    let mut aliases = allowance.aliases;
    let stop = match read_refused(refusal, text, slice.span, &mut aliases, sink) {
        Ok(document) => {
            if sink.reported().is_none() {
                let at = slice.span.start.saturating_add(u32::try_from(refusal.at).unwrap_or(0));
                sink.error(fault::refused(refusal, FileSpan { start: at, end: at, ..slice.span }));
                return (None, Unread::default());
            }
            return (document, Unread::default());
        }
        Err(RefusedToo::Reported(_)) => return (None, Unread::default()),
        Err(RefusedToo::Stopped(stop)) => stop,
    };
    let body = text.get(slice.span.range()).unwrap_or("");
    if let Some(finding) = fault::pasted(slice.span, text, false) {
        *sink = Sink::new();
        sink.report(finding);
        return (None, Unread::default());
    }
    *sink = Sink::new();
    let read = |copy: &str, sink: &mut Sink| {
        let whole = FileSpan::new(file, 0, offset(copy.len()));
        let mut aliases = limits::ALIAS_VALUES.count();
        match read_refused(refusal, copy, whole, &mut aliases, sink) {
            Err(RefusedToo::Stopped(stop)) => Some(stop),
            Ok(_) | Err(RefusedToo::Reported(_)) => None,
        }
    };
    fault::recover(refusal, file, body, slice.span.start, allowance, sink, read);
    (None, Unread { stop: Some(stop) })
}

/// Whether a document contains another one after `---apiVersion`, which the splitter reports: keys
/// that both have are not a mistake of their own.
fn has_glued_marker(document: &Document) -> bool {
    document.root.entries().iter().any(|it| it.key.as_str() == "---apiVersion")
}

/// The document, unless it is not an object because of text that was copied along with it, which is
/// reported.
fn unless_pasted(
    text: &str,
    slice: &DocumentSlice,
    document: Document,
    sink: &mut Sink,
) -> Option<Document> {
    // Any other document can contain such lines.
    let is_intended = |body: &str| body.contains("apiVersion:") || body.contains("kind:");
    let is_map = document.root.as_map().is_some();
    if document.root.get("apiVersion").or_else(|| document.root.get("kind")).is_none()
        && is_intended(text.get(slice.span.range())?)
        && let Some(finding) = fault::pasted(slice.span, text, is_map)
    {
        sink.report(finding);
        return None;
    }
    Some(document)
}

/// The reason there is no document.
enum Ended {
    /// A limit was reached, and reported.
    Reported(Reported),
    /// Kubernetes' reader rejects the text.
    Refused(Refusal),
}

/// The reason there is no document in a text that Kubernetes' reader rejects.
enum RefusedToo {
    /// A limit was reached, and reported.
    Reported(Reported),
    /// The text is not YAML 1.2 either, from here on.
    Stopped(Stop),
}

/// Reads the document in the part `slice` of `text` as Kubernetes does.
fn read(
    text: &str,
    slice: FileSpan,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Option<Document>, Ended> {
    let Some(body) = text.get(slice.range()) else { return Ok(None) };
    check_characters(body, slice, sink).map_err(Ended::Reported)?;
    // kubectl reads lines, and ends the last one.
    let body = if body.ends_with('\n') { body.into() } else { format!("{body}\n").into() };
    let body: Cow<'_, str> = body;
    let mut builder = Builder::new(text, slice, None, aliases, sink);
    for event in AcceptedEvents::new(&body, slice.start) {
        builder.take(event.map_err(Ended::Refused)?).map_err(Ended::Reported)?;
    }
    Ok(builder.finish())
}

/// Reads a document that Kubernetes' reader has rejected as YAML 1.2 does.
fn read_refused(
    refusal: Refusal,
    text: &str,
    slice: FileSpan,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Option<Document>, RefusedToo> {
    let Some(body) = text.get(slice.range()) else { return Ok(None) };
    let mut builder = Builder::new(text, slice, Some(refusal), aliases, sink);
    for event in Events::new(body, slice.start) {
        match event {
            // The rest after the end of the document must be empty.
            Ok(Placed { event: Event::DocumentStart, .. }) if builder.is_complete() => break,
            Ok(placed) => builder.take(placed).map_err(RefusedToo::Reported)?,
            Err(Halt { fault, at }) => {
                let (flow, cursor) = builder.place();
                return Err(RefusedToo::Stopped(Stop { fault, at, flow, cursor }));
            }
        }
    }
    Ok(builder.finish())
}

/// The position where the parser stops in a text, if it does.
pub(super) fn first_stop(text: &str) -> Option<Stop> {
    let Halt { fault, at } = Events::new(text, 0).find_map(Result::err)?;
    Some(Stop { fault, at, flow: None, cursor: 0 })
}
