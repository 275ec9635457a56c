//! Parses the text of one document into a tree with spans.
//!
//! Input: a slice of a file with at most one document. Output: the tree, with the value that
//! Kubernetes reads for every scalar and the span of every key and value, and a finding for every
//! fault. Later stages rely on this: keys are unique strings, trees are at most [`MAX_DEPTH`] deep
//! and have at most [`MAX_NODES`] nodes, numbers are finite.

mod anchors;
mod builder;
mod checks;
mod event;
mod keys;
mod lenient;
mod locate;
mod merge_keys;
mod structure;
mod tags;
#[cfg(test)]
mod tests;

pub(super) use anchors::{RULES as ANCHOR_RULES, too_deep, too_many_in_run};
pub(crate) use keys::KEY_NOT_TEXT;
pub(super) use keys::{RULES as KEY_RULES, has_duplicates};
pub(super) use merge_keys::RULES as MERGE_KEY_RULES;
use structure::INVISIBLE_SPACE;
pub(super) use structure::{RULES as STRUCTURE_RULES, invisible_space, string_with_colon};
pub(super) use tags::RULES as TAG_RULES;

use self::builder::Builder;
use self::event::{Event, Events, Halt, Placed};
use self::lenient::Insertions;
use super::encoding::check_characters;
use super::fast;
use super::fault::{self, Stop};
use super::split::DocumentSlice;
use crate::diag::{Reported, Sink};
use crate::limits;
use crate::source::{FileId, FileSpan, Span};
use crate::tree::Node;

/// A slice without a document that can be used.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// The position where the parser stopped, in offsets of the file, if it reported nothing before.
    pub(super) stop: Option<Stop>,
}

/// The maximum nesting depth of maps and lists. Kubernetes' own types stay below 20.
pub(crate) const MAX_DEPTH: usize = limits::DOCUMENT_DEPTH.count();

/// The maximum number of values in a document, with aliases expanded.
pub(crate) const MAX_NODES: usize = limits::DOCUMENT_VALUES.count();

/// The number of bytes of a document that can be parsed again while many documents are read at once.
pub(crate) const SHARE: usize = 1 << 15;

/// One document of a stream.
#[derive(Debug)]
pub(crate) struct Document {
    /// The value.
    pub(crate) root: Node,
    /// The span of the document.
    pub(crate) span: Span,
    /// The span for [`read_again`](crate::yaml::read_again), if the fast reader has read the
    /// document.
    pub(crate) body: Option<Span>,
}

/// The weight that aliases of all documents of a run can represent.
pub(crate) const ALIASES: usize = limits::ALIAS_VALUES.count();

/// What a run can still spend on reading documents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// The number of values that aliases can represent.
    pub(crate) aliases: usize,
    /// The number of bytes that can be parsed again.
    pub(crate) again: usize,
    /// Whether more bytes were required.
    pub(crate) is_short: bool,
}

impl Allowance {
    /// The limits of a run.
    pub(crate) const RUN: Self =
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
pub(crate) fn parse_apart(
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
pub(crate) fn parse_within(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    parse_from(None, file, text, slice, allowance, sink)
}

/// Like [`parse_within`], for a document that may have been read before, when the parser stopped at
/// `stop`.
pub(super) fn parse_from(
    stop: Option<Stop>,
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    let document = match stop.is_none().then(|| fast::read(text, slice)).flatten() {
        Some(document) => document,
        None => parse_slowly_from(stop, file, text, slice, allowance, sink)?,
    };
    unless_pasted(text, slice, document, sink).ok_or_else(Unread::default)
}

/// Whether a file is valid YAML, without a search for what is wrong.
#[cfg(any(test, fuzzing))]
pub(crate) fn is_well_formed(text: &str) -> bool {
    Events::new(text, 0, &Insertions::default()).all(|it| it.is_ok())
}

/// Like [`parse`], for every document.
#[cfg(any(test, fuzzing))]
pub(super) fn parse_slowly(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Document> {
    parse_slowly_from(None, file, text, slice, &mut Allowance::RUN.clone(), sink).ok()
}

fn parse_slowly_from(
    stop: Option<Stop>,
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Document, Unread> {
    let unread = || Err(Unread::default());
    let mut findings = Sink::new();
    match lenient::read(text, slice.span, stop, allowance, &mut findings) {
        Ok(document) => {
            // The parents of the keys are not the intended ones, or a value is unknown.
            let is_misread = findings.iter().any(|it| {
                it.rule == &INVISIBLE_SPACE
                    || it.rule == &anchors::UNKNOWN_ALIAS
                    || it.rule == &fault::PASTED_TEXT
            });
            if !findings.is_empty() && document.as_ref().is_some_and(has_glued_marker) {
                return unread();
            }
            sink.absorb(findings);
            document.filter(|_| !is_misread).ok_or_else(Unread::default)
        }
        Err(Ended::Reported(_)) => {
            sink.absorb(findings);
            unread()
        }
        Err(Ended::Stopped(_)) if sink.is_unused() => unread(),
        Err(Ended::Stopped(stop)) => {
            let body = text.get(slice.span.range()).unwrap_or("");
            if let Some(finding) = fault::pasted(slice.span, text, false) {
                sink.report(finding);
                return unread();
            }
            // Each insertion has a finding: without one, the parser stops here again.
            let stop = findings.is_empty().then_some(stop);
            let first = stop.as_ref().map(|it| it.relative_to(slice.span.start));
            let read = |copy: &str, sink: &mut Sink| {
                let whole = FileSpan::new(file, 0, u32::try_from(copy.len()).unwrap_or(u32::MAX));
                let mut aliases = limits::ALIAS_VALUES.count();
                match read(copy, whole, &Insertions::default(), &mut aliases, sink) {
                    Err(Ended::Stopped(stop)) => Some(stop),
                    Ok(_) | Err(Ended::Reported(_)) => None,
                }
            };
            fault::recover(file, body, slice.span.start, first, allowance, sink, read);
            Err(Unread { stop })
        }
    }
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
    /// The text is invalid from here on.
    Stopped(Stop),
}

/// Reads the document in the part `slice` of `text`, with insertions.
fn read(
    text: &str,
    slice: FileSpan,
    insertions: &Insertions,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Option<Document>, Ended> {
    let Some(body) = text.get(slice.range()) else { return Ok(None) };
    check_characters(body, slice, sink).map_err(Ended::Reported)?;
    let mut builder = Builder::new(text, slice, aliases, sink);
    let written = insertions.apply(body);
    for event in Events::new(&written, slice.start, insertions) {
        match event {
            // The rest after the end of the document must be empty.
            Ok(Placed { event: Event::DocumentStart, .. }) if builder.is_complete() => break,
            Ok(placed) => builder.take(placed).map_err(Ended::Reported)?,
            Err(Halt { fault, at }) => {
                let (flow, cursor) = builder.place();
                return Err(Ended::Stopped(Stop { fault, at, flow, cursor }));
            }
        }
    }
    Ok(builder.finish())
}

/// The position where the parser stops in a text, if it does.
pub(super) fn first_stop(text: &str) -> Option<Stop> {
    let none = Insertions::default();
    let Halt { fault, at } = Events::new(text, 0, &none).find_map(Result::err)?;
    Some(Stop { fault, at, flow: None, cursor: 0 })
}
