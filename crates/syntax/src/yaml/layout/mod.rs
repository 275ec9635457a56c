//! The canonical layout of a file: indentation, spaces and empty lines, without any other change.
//!
//! The source is edited, not printed from trees: everything that is not a space or a line break
//! remains, in its order, so comments, quotes, anchors and block scalars are kept. The tokens of
//! Kubernetes' reader decide what is a space and what is text. The result is read again, and must
//! have the same events and comments as the source; otherwise there is none.

mod comment;
#[cfg(test)]
mod commented;
mod gap;
mod scalar;
#[cfg(test)]
mod tests;
mod writer;

use std::borrow::Cow;

use self::writer::Writer;
use super::go::{Event, Parser, Refusal, Scalar, tokens};
use super::mark;
use super::split::{self, DocumentSlice};
use crate::source::{FileId, FileSpan, Slice as _};

/// Columns of indentation.
const STEP: usize = 2;

/// Why a document has no canonical layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLayout {
    /// Kubernetes' reader rejects the document. Reading it reports why.
    Unreadable(FileSpan),
    /// The document would not be the same after the change.
    Changed(FileSpan),
}

/// Returns the canonical layout of a file, which is in `text`.
///
/// A document with directives is kept as it is, and so is a file with line breaks other than LF and
/// CRLF or with byte order marks after its start: readers disagree about its lines.
///
/// # Errors
/// If a document cannot be read, or would not be the same.
pub fn layout(file: FileId, text: &str) -> Result<String, NoLayout> {
    let lines = with_line_feeds(text);
    let (mark, rest) = lines.split_at(mark::byte_order_mark_len(&lines));
    if rest.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{feff}']) {
        return Ok(text.to_owned());
    }
    let mut written = mark.to_owned();
    if rest.trim().is_empty() {
        return Ok(written);
    }
    let slices = split::split(file, &lines).slices;
    let documents: Vec<_> =
        slices.iter().map(|slice| with_line_break(document_content(&lines, slice))).collect();
    let mut all_facts = Vec::with_capacity(slices.len());
    for (slice, document) in slices.iter().zip(&documents) {
        let read = laid_out(document, slice).map_err(|_| NoLayout::Unreadable(slice.span));
        let (laid_out, facts) = read?;
        written.push_str(&laid_out);
        all_facts.push(facts);
    }
    if let Some(last) = slices.last().filter(|slice| ends_in_value(document_content(&lines, slice)))
    {
        written.truncate(written.trim_end_matches('\n').len());
        keep_end(&lines, last, &written)?;
    }
    if written != *lines {
        compare_documents(&slices, &all_facts, &written)?;
    }
    Ok(if lines.len() < text.len() { written.replace('\n', "\r\n") } else { written })
}

/// The text of a document, without a byte order mark.
fn document_content<'t>(text: &'t str, slice: &DocumentSlice) -> &'t str {
    text.slice(slice.span.range()).trim_start_matches('\u{feff}')
}

/// A text with LF instead of CRLF.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// A document as kubectl reads it: with a line break at its end.
fn with_line_break(document: &str) -> Cow<'_, str> {
    if document.is_empty() || document.ends_with('\n') {
        document.into()
    } else {
        format!("{document}\n").into()
    }
}

/// Whether a document without a line break at its end would have other values with one: readers other
/// than kubectl do not add it.
fn ends_in_value(document: &str) -> bool {
    let ended = with_line_break(document);
    ended.len() > document.len() && events_of(document).ok() != events_of(&ended).ok()
}

/// Compares the last documents of two files without a line break at their ends.
fn keep_end(old: &str, last: &DocumentSlice, written: &str) -> Result<(), NoLayout> {
    let new = split::split(last.span.file, written).slices;
    let new = new.last().and_then(|slice| events_of(document_content(written, slice)).ok());
    let is_same = new.is_some() && new == events_of(document_content(old, last)).ok();
    is_same.then_some(()).ok_or(NoLayout::Changed(last.span))
}

fn events_of(document: &str) -> Result<Vec<Event<'_>>, Refusal> {
    Parser::new(document).map(|next| next.map(|(event, _)| without_offsets(event))).collect()
}

/// What must not change in a document.
#[derive(PartialEq, Debug)]
struct Facts<'t> {
    events: Vec<Event<'t>>,
    /// The comments, in order, without indentation; of a document with directives, its text.
    comments: Vec<&'t str>,
    has_markers: (bool, bool),
}

/// The layout of a document.
fn laid_out<'t>(
    document: &'t str,
    slice: &DocumentSlice,
) -> Result<(Cow<'t, str>, Facts<'t>), Refusal> {
    let has_markers = (slice.marker.is_some(), slice.end_marker.is_some());
    if !slice.directives.is_empty() {
        let facts = Facts { events: Vec::new(), comments: vec![document], has_markers };
        return Ok((document.into(), facts));
    }
    let events = events_of(document)?;
    let mut writer = Writer::new(document);
    for token in tokens(document)? {
        writer.take(&token);
    }
    let (text, comments) = writer.finish();
    Ok((text.into(), Facts { events, comments, has_markers }))
}

/// Reads the layout of all documents, and compares it with the source.
fn compare_documents(
    old: &[DocumentSlice],
    facts: &[Facts<'_>],
    written: &str,
) -> Result<(), NoLayout> {
    let Some(first) = old.first() else { return Ok(()) };
    let new = split::split(first.span.file, written).slices;
    for (index, (slice, facts)) in old.iter().zip(facts).enumerate() {
        let is_same = |other: &DocumentSlice| {
            let document = with_line_break(document_content(written, other));
            new.len() == old.len() && laid_out(&document, other).is_ok_and(|(_, it)| it == *facts)
        };
        if !new.get(index).is_some_and(is_same) {
            return Err(NoLayout::Changed(slice.span));
        }
    }
    Ok(())
}

fn without_offsets(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Scalar(scalar, properties) => {
            Event::Scalar(Scalar { not_indented: None, ..scalar }, properties.without_offsets())
        }
        Event::ListStart { is_flow, properties } => {
            Event::ListStart { is_flow, properties: properties.without_offsets() }
        }
        Event::MapStart { is_flow, properties } => {
            Event::MapStart { is_flow, properties: properties.without_offsets() }
        }
        other => other,
    }
}
