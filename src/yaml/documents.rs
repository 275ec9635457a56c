//! Reads the documents of a file: splits it, checks the boundaries, and parses each slice.

use super::encoding::check_characters;
use super::split::{self, Content, DocumentSlice, Stream};
use super::{Document, boundary, parse, parse_within, torn};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules};
use crate::limits;
use crate::parallel::ordered_each;
use crate::source::{FileId, Span};

declare_rules! {
    INPUT_WITHOUT_OBJECTS = "input-without-objects", Warning;
}

/// The warning for an input without a document, of which `file` is the first.
pub(crate) fn without_objects(file: FileId) -> Diagnostic {
    Diagnostic::new(&INPUT_WITHOUT_OBJECTS, Span::new(file, 0, 0), "the input contains no objects")
        .at("no documents")
        .help("check why the input is empty; in a pipe, use `set -o pipefail` to see the failure")
}

/// The documents of a file.
#[derive(Debug)]
pub(crate) struct Documents {
    /// The valid documents, in source order.
    pub(crate) read: Vec<Document>,
    /// The spans of the invalid documents.
    pub(crate) unread: Vec<Span>,
}

/// Reads all documents of a file in parallel, and lets `reduce` shrink each one that is kept. An
/// invalid one is reported and skipped.
pub(crate) fn documents(
    file: FileId,
    text: &str,
    reduce: impl Fn(&mut Document) + Send + Sync,
    sink: &mut Sink,
) -> Documents {
    documents_within(file, text, reduce, &mut limits::ALIAS_VALUES.count(), sink)
}

/// Like [`documents`], with a limit on the values that aliases of the run can still represent,
/// which is updated.
pub(crate) fn documents_within(
    file: FileId,
    text: &str,
    reduce: impl Fn(&mut Document) + Send + Sync,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Documents {
    let stream = split::split(file, text);
    let mut findings = Sink::new();
    boundary::check(text, &stream, &mut findings);
    let refused = refused_places(&findings);
    sink.absorb(findings);
    for slice in stream.slices.iter().filter(|slice| !matches!(slice.content, Content::At(_))) {
        let body = text.get(slice.span.range()).unwrap_or("");
        // Even comments must not contain forbidden characters; the findings are in the sink.
        let _ = check_characters(body, slice.span, sink);
    }
    let slices: Vec<&DocumentSlice> = with_content(&stream).collect();
    let read = |index: usize| {
        let mut findings = Sink::new();
        let slice: &DocumentSlice = slices.get(index).copied()?;
        let waits = may_have_aliases(text.get(slice.span.range()).unwrap_or(""));
        let mut document = if waits { None } else { parse(file, text, slice, &mut findings) };
        document.iter_mut().for_each(&reduce);
        let before = index.checked_sub(1).and_then(|index| slices.get(index)).copied();
        Some((before, slice, slices.get(index + 1).copied(), document, waits, findings))
    };
    let mut documents = Documents { read: Vec::with_capacity(slices.len()), unread: Vec::new() };
    let mut other_half = None;
    ordered_each(0..slices.len(), read, |parsed| {
        let Some((before, slice, next, mut document, waits, mut findings)) = parsed else { return };
        if waits {
            document = parse_within(file, text, slice, aliases, &mut findings);
            document.iter_mut().for_each(&reduce);
        }
        if other_half.take() == Some(slice.span) {
            return;
        }
        if let Some(reason) = torn::block(text, before, slice) {
            documents.unread.push(slice.span.into());
            sink.report(reason);
            return;
        }
        if let Some(document) = document {
            sink.absorb(findings);
            documents.read.push(document);
            return;
        }
        if findings.reported().is_some() {
            documents.unread.push(slice.span.into());
        }
        if let Some(reason) = torn::explain(text, slice, next) {
            // The slice after a split value is its second half, not a document.
            other_half = next
                .filter(|next| next.marker.map(Span::from) == Some(reason.primary.span))
                .map(|next| next.span);
            documents.unread.extend(other_half.map(Span::from));
            sink.report(reason);
        } else if !contains_any(slice.span.into(), &refused) {
            sink.absorb(findings);
        }
    });
    documents
}

/// Whether a document must be read in order, because its aliases count toward the limit of the run.
fn may_have_aliases(body: &str) -> bool {
    memchr::memchr(b'&', body.as_bytes()).is_some()
        && memchr::memchr(b'*', body.as_bytes()).is_some()
}

fn with_content(stream: &Stream) -> impl Iterator<Item = &DocumentSlice> {
    stream.slices.iter().filter(|slice| matches!(slice.content, Content::At(_)))
}

/// The spans of errors at boundaries, in order. If a slice with such an error is invalid, the
/// parser would report the same mistake less precisely.
fn refused_places(findings: &Sink) -> Vec<Span> {
    let errors = findings.iter().filter(|it| it.severity == Severity::Error);
    let mut places: Vec<Span> = errors.map(|it| it.primary.span).collect();
    places.sort_unstable();
    places
}

fn contains_any(slice: Span, places: &[Span]) -> bool {
    let first = places.partition_point(|place| *place < slice.start_point());
    places.get(first).is_some_and(|place| slice.has_begin_of(*place))
}
