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
use super::fault::{self, Repairs, Stop};
use super::go::Refusal;
use super::split::DocumentSlice;
use crate::diag::{Reported, Sink};
use crate::limits;
use crate::source::{FileId, FileSpan, Slice as _, Span, offset};
use crate::tree::Node;

/// The reason a slice has no document.
#[derive(Debug)]
pub(super) enum NoDocument {
    /// It is empty, or what is wrong was reported.
    Reported,
    /// Kubernetes' reader rejects the text, which [`explain`] explains.
    Refused(Refusal),
}

/// The maximum nesting depth of maps and lists. Kubernetes' own types stay below 20.
pub(super) const MAX_DEPTH: usize = limits::DOCUMENT_DEPTH.count();

/// The maximum number of values in a document, with aliases expanded.
pub(super) const MAX_NODES: usize = limits::DOCUMENT_VALUES.count();

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

/// Reads a document without findings. `aliases` is the weight that aliases of all documents read in this way can
/// still represent.
pub(super) fn read_apart(
    text: &str,
    slice: &DocumentSlice,
    aliases: &mut usize,
) -> Option<Document> {
    let mut sink = Sink::unused();
    read_simple(text, slice, &mut sink)
        .unwrap_or_else(|| read_complex(text, slice, aliases, &mut sink))
        .ok()
}

/// Reads and explains a single document.
#[cfg(any(test, fuzzing))]
pub(crate) fn parse(
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Document> {
    let read = read_simple(text, slice, sink);
    let unexplained =
        match read.unwrap_or_else(|| read_complex(text, slice, &mut { ALIASES }, sink)) {
            Ok(document) => return Some(document),
            Err(NoDocument::Refused(refusal)) if !sink.is_unused() => refusal,
            Err(_) => return None,
        };
    explain(unexplained, file, text, slice, ALIASES, &mut Repairs::OF_RUN.clone(), sink).ok()
}

/// Reads the document of a slice, if it is so simple that the fast reader supports it; `text` is the text of the
/// whole file.
pub(super) fn read_simple(
    text: &str,
    slice: &DocumentSlice,
    sink: &mut Sink,
) -> Option<Result<Document, NoDocument>> {
    let document = fast::read(text, slice)?;
    Some(unless_pasted(text, slice, document, sink).ok_or(NoDocument::Reported))
}

/// Like [`read_simple`], for every document. One that can be parsed but has a fault (a duplicate key, an unknown
/// alias) is reported and returned, so that later stages can report its other faults. Updates the weight that
/// aliases can represent.
pub(super) fn read_complex(
    text: &str,
    slice: &DocumentSlice,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Document, NoDocument> {
    let document = read_slowly(text, slice, aliases, sink)?;
    unless_pasted(text, slice, document, sink).ok_or(NoDocument::Reported)
}

/// Reads the document of a slice with the grammar of go-yaml.
pub(super) fn read_slowly(
    text: &str,
    slice: &DocumentSlice,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Document, NoDocument> {
    let mut findings = Sink::new();
    match read_accepted(text, span_after_directives(slice), aliases, &mut findings) {
        Ok(document) => unless_misread(document, findings, sink).ok_or(NoDocument::Reported),
        Err(NoDocument::Reported) => {
            sink.absorb(findings);
            Err(NoDocument::Reported)
        }
        Err(NoDocument::Refused(refusal)) => Err(NoDocument::Refused(refusal)),
    }
}

/// The span of a document without the directives before its marker: kubectl splits the stream after them, which is
/// reported at the boundary.
fn span_after_directives(slice: &DocumentSlice) -> FileSpan {
    match slice.marker {
        Some(marker) if !slice.directives.is_empty() => {
            FileSpan { start: marker.start, ..slice.span }
        }
        _ => slice.span,
    }
}

/// Whether a file is valid YAML 1.2, without a search for what is wrong.
pub fn is_well_formed(text: &str) -> bool {
    Events::new(text, 0).all(|event| event.is_ok())
}

/// Explains why Kubernetes' reader has rejected a document: an error at least. Returns the document if YAML 1.2 can
/// read it, so that its other faults can be reported, or where the parser has stopped, if it reported nothing before.
pub(super) fn explain(
    refusal: Refusal,
    file: FileId,
    text: &str,
    slice: &DocumentSlice,
    mut aliases: usize,
    repairs: &mut Repairs,
    sink: &mut Sink,
) -> Result<Document, Option<Stop>> {
    let mut findings = Sink::new();
    match read_refused(refusal, text, slice.span, &mut aliases, &mut findings) {
        Ok(document) if findings.reported().is_some() => {
            let document = unless_misread(document, findings, sink).ok_or(None)?;
            unless_pasted(text, slice, document, sink).ok_or(None)
        }
        Ok(_) => {
            let at = slice.span.start.saturating_add(offset(refusal.at));
            let place = FileSpan { start: at, end: at, ..slice.span };
            findings.error(fault::refused(refusal, place));
            sink.absorb(findings);
            Err(None)
        }
        Err(RefusedToo::Reported(_)) => {
            sink.absorb(findings);
            Err(None)
        }
        Err(RefusedToo::Stopped(stop)) => {
            if let Some(finding) = fault::pasted(slice.span, text, false) {
                sink.report(finding);
                return Err(None);
            }
            let body = text.slice(slice.span.range());
            let read = |copy: &str, sink: &mut Sink| {
                let whole = FileSpan::new(file, 0, offset(copy.len()));
                match read_refused(refusal, copy, whole, &mut { ALIASES }, sink) {
                    Err(RefusedToo::Stopped(stop)) => Some(stop),
                    Ok(_) | Err(RefusedToo::Reported(_)) => None,
                }
            };
            fault::recover(refusal, file, body, slice.span.start, repairs, sink, read);
            Err(Some(stop))
        }
    }
}

/// The document, if the parents of its keys are the intended ones and each value is known, and its findings.
fn unless_misread(document: Option<Document>, findings: Sink, sink: &mut Sink) -> Option<Document> {
    // `---apiVersion` was reported at the boundary.
    if !findings.is_empty() && document.as_ref().is_some_and(has_glued_marker) {
        return None;
    }
    let is_misread = findings.iter().any(|finding| {
        finding.rule == &anchors::UNKNOWN_ALIAS || finding.rule == &fault::PASTED_TEXT
    });
    sink.absorb(findings);
    document.filter(|_| !is_misread)
}

/// Whether a document contains another one after `---apiVersion`, which the splitter reports: keys
/// that both have are not a mistake of their own.
fn has_glued_marker(document: &Document) -> bool {
    document.root.entries().iter().any(|entry| entry.key.as_str() == "---apiVersion")
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

/// The reason there is no document in a text that Kubernetes' reader rejects.
enum RefusedToo {
    /// A limit was reached, and reported.
    Reported(Reported),
    /// The text is not YAML 1.2 either, from here on.
    Stopped(Stop),
}

/// Reads the document in the part `slice` of `text` as Kubernetes does.
fn read_accepted(
    text: &str,
    slice: FileSpan,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Option<Document>, NoDocument> {
    let Some(body) = text.get(slice.range()) else { return Ok(None) };
    check_characters(body, slice, sink).map_err(|_| NoDocument::Reported)?;
    // kubectl reads lines, and ends the last one.
    let body = if body.ends_with('\n') { body.into() } else { format!("{body}\n").into() };
    let body: Cow<'_, str> = body;
    let mut builder = Builder::new(text, slice, None, aliases, sink);
    for event in AcceptedEvents::new(&body, slice.start) {
        let event = event.map_err(NoDocument::Refused)?;
        builder.take(event).map_err(|_| NoDocument::Reported)?;
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
