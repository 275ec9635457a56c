//! Reads the documents of a file: splits it, checks the boundaries, and parses each slice.

use super::encoding::check_characters;
use super::read::{Allowance, SHARE, Unread, parse_complex, parse_simple};
use super::split::{self, Content, DocumentSlice};
use super::{Document, boundary, read, torn};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules};
use crate::limits;
use crate::parallel::ordered_each_after;
use crate::source::{FileId, FileSpan, Span};

declare_rules! {
    INPUT_WITHOUT_OBJECTS = "input-without-objects", Warning;
}

/// The warning for an input without a document, of which `file` is the first.
pub fn without_objects(file: FileId) -> Diagnostic {
    Diagnostic::new(&INPUT_WITHOUT_OBJECTS, Span::new(file, 0, 0), "the input contains no objects")
        .at("no documents")
        .help("check why the input is empty; in a pipe, use `set -o pipefail` to see the failure")
}

/// The remaining limits for the documents of a run.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    allowance: Allowance,
    /// Values of the documents that are kept. `None` after the first document that had too many.
    pub values: Option<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { allowance: Allowance::RUN, values: Some(limits::RUN_TREE_VALUES.count()) }
    }
}

impl Budget {
    /// The limits of a run, with another number of bytes that can be parsed again.
    #[cfg(test)]
    pub fn parsing_again(again: usize) -> Self {
        Self { allowance: Allowance { again, ..Allowance::RUN }, ..Self::default() }
    }

    /// What the parsing of a document depends on: the number of findings so far, and the bytes that can be parsed
    /// again.
    fn state(&self, sink: &Sink) -> (usize, usize) {
        (sink.total(), self.allowance.again)
    }

    /// Counts a document with this number of values. Reports the first document that exceeds the
    /// limit.
    fn accepts(&mut self, document: &DocumentSlice, values: usize, sink: &mut Sink) -> bool {
        let Some(left) = self.values else { return false };
        self.values = left.checked_sub(values);
        if self.values.is_none() {
            sink.report(read::too_many_in_run(document.span));
        }
        self.values.is_some()
    }
}

/// The documents of a file.
#[derive(Debug)]
pub struct Documents {
    /// The valid documents, in source order.
    pub read: Vec<Document>,
    /// The spans of the invalid documents.
    pub unread: Vec<Span>,
}

/// Reads all documents of a file in parallel. An invalid one is reported and skipped.
pub fn documents(file: FileId, text: &str, sink: &mut Sink) -> Documents {
    documents_within(file, text, &mut Budget::default(), sink)
}

/// Like [`documents`], within the limits of all files that are read, which are updated.
pub fn documents_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
    sink: &mut Sink,
) -> Documents {
    let stream = Stream::of(file, text, sink);
    let mut reading = Reading::of(&stream);
    let work = |state, index| stream.parsed(state, index);
    let state = budget.state(sink);
    ordered_each_after(state, text.len(), 0..stream.slices.len(), work, |parsed| {
        reading.take(parsed, budget, sink);
        budget.state(sink)
    });
    reading.documents
}

/// A file whose documents are parsed before it is known what earlier files leave of the limits of a run, so that
/// many files can be parsed at once.
#[derive(Debug)]
pub struct Ahead<'t> {
    stream: Stream<'t>,
    findings: Sink,
    parsed: Vec<Option<Parsed>>,
}

impl<'t> Ahead<'t> {
    /// Parses the documents of a file, with the limits and the findings of a run so far.
    #[must_use]
    pub fn of(file: FileId, text: &'t str, budget: &Budget, sink: &Sink) -> Self {
        let mut findings = Sink::new();
        let stream = Stream::of(file, text, &mut findings);
        let state = budget.state(sink);
        let parsed = (0..stream.slices.len()).map(|it| stream.parsed(state, it)).collect();
        Self { stream, findings, parsed }
    }

    /// The documents, as [`documents_within`] returns them.
    pub fn documents(self, budget: &mut Budget, sink: &mut Sink) -> Documents {
        sink.absorb(self.findings);
        let mut reading = Reading::of(&self.stream);
        self.parsed.into_iter().for_each(|it| reading.take(it, budget, sink));
        reading.documents
    }
}

/// A file that is split into documents.
#[derive(Debug)]
struct Stream<'t> {
    file: FileId,
    text: &'t str,
    /// The documents with content.
    slices: Vec<DocumentSlice>,
    /// The spans of errors at boundaries, in order. If a slice with such an error is invalid, the parser would
    /// report the same mistake less precisely.
    refused: Vec<Span>,
}

/// The result of the parallel part of reading a document.
#[derive(Debug)]
struct Parsed {
    /// The position of its slice.
    index: usize,
    reading: Result<Document, Unread>,
    values: Option<usize>,
    /// Whether it is read, or read again, when all documents before it were read. It is not simple.
    waits: bool,
    /// The number of bytes that were parsed again.
    spent: usize,
    findings: Sink,
}

impl<'t> Stream<'t> {
    /// Splits a file, and reports the faults at the boundaries of its documents.
    fn of(file: FileId, text: &'t str, sink: &mut Sink) -> Self {
        let stream = split::split(file, text);
        let mut findings = Sink::new();
        boundary::check(text, &stream, &mut findings);
        let errors = findings.iter().filter(|it| it.severity == Severity::Error);
        let mut refused: Vec<Span> = errors.map(|it| it.primary.span).collect();
        refused.sort_unstable();
        sink.absorb(findings);
        let mut slices = stream.slices;
        for slice in slices.extract_if(.., |slice| !has_content(text, slice)) {
            let body = text.get(slice.span.range()).unwrap_or("");
            // Even comments must not contain forbidden characters; the findings are in the sink.
            let _ = check_characters(body, slice.span, sink);
        }
        Self { file, text, slices, refused }
    }

    /// Reads a document after this number of findings, while `again` bytes can be parsed again.
    fn parsed(&self, (count, again): (usize, usize), index: usize) -> Option<Parsed> {
        let mut findings = Sink::of_document_after(count);
        if findings.is_over() {
            return None;
        }
        let Self { file, text, .. } = *self;
        let slice = self.slices.get(index)?;
        let share = again.min(SHARE);
        let mut allowance = Allowance { again: share, ..Allowance::RUN };
        let (mut waits, reading) = match parse_simple(text, slice, &mut findings) {
            Some(reading) => (false, reading),
            None if may_have_aliases(text.get(slice.span.range()).unwrap_or("")) => {
                (true, Err(Unread::default()))
            }
            None => (false, parse_complex(file, text, slice, &mut allowance, &mut findings)),
        };
        // What the whole run has left depends on the documents before this one.
        if allowance.is_short && share < again {
            (findings, waits) = (Sink::of_document_after(count), true);
        }
        let values = reading.as_ref().ok().map(|it| it.values);
        let spent = share - allowance.again;
        Some(Parsed { index, reading, values, waits, spent, findings })
    }
}

/// The documents of a file so far, in order.
struct Reading<'s> {
    stream: &'s Stream<'s>,
    documents: Documents,
    /// The second half of a torn document, which is the next slice.
    other_half: Option<FileSpan>,
}

impl<'s> Reading<'s> {
    fn of(stream: &'s Stream<'s>) -> Self {
        let read = Vec::with_capacity(stream.slices.len());
        Self { stream, documents: Documents { read, unread: Vec::new() }, other_half: None }
    }

    /// Adds the next document, or reports why there is none.
    fn take(&mut self, parsed: Option<Parsed>, budget: &mut Budget, sink: &mut Sink) {
        let Some(parsed) = parsed else { return };
        let Parsed { index, mut reading, mut values, waits, spent, mut findings } = parsed;
        let Stream { file, text, ref slices, ref refused } = *self.stream;
        let Some(slice) = slices.get(index) else { return };
        let allowance = &mut budget.allowance;
        allowance.again = allowance.again.saturating_sub(spent);
        if waits {
            allowance.is_short = false;
            reading = parse_complex(file, text, slice, allowance, &mut findings);
            values = reading.as_ref().ok().map(|it| it.values);
        }
        if self.other_half.take() == Some(slice.span) {
            return;
        }
        // Kubernetes accepts an object, wherever its marker is.
        let is_object = reading
            .as_ref()
            .is_ok_and(|it| it.root.get("apiVersion").or_else(|| it.root.get("kind")).is_some());
        let before = index.checked_sub(1).and_then(|index| slices.get(index));
        let torn = || torn::block(text, before, slice);
        let unread = &mut self.documents.unread;
        if let Some(reason) = (!is_object).then(torn).flatten() {
            unread.push(slice.span.into());
            sink.report(reason);
            return;
        }
        let stop = match (reading, values) {
            (Ok(document), Some(values)) => {
                if budget.accepts(slice, values, sink) {
                    sink.absorb(findings);
                    self.documents.read.push(document);
                } else {
                    unread.push(slice.span.into());
                }
                return;
            }
            (reading, _) => reading.err().and_then(|it| it.stop),
        };
        if findings.reported().is_some() {
            unread.push(slice.span.into());
        }
        let next = slices.get(index + 1);
        let torn = || torn::explain(text, slice, stop.as_ref(), next);
        if let Some(reason) = (!findings.is_terse()).then(torn).flatten() {
            // The slice after a split value is its second half, not a document.
            self.other_half = next
                .filter(|next| next.marker.map(Span::from) == Some(reason.primary.span))
                .map(|next| next.span);
            unread.extend(self.other_half.map(Span::from));
            sink.report(reason);
        } else if !contains_any(slice.span.into(), refused) {
            sink.absorb(findings);
        }
    }
}

/// Whether a document must be read in order, because its aliases count toward the limit of the run.
pub(super) fn may_have_aliases(body: &str) -> bool {
    memchr::memchr(b'&', body.as_bytes()).is_some()
        && memchr::memchr(b'*', body.as_bytes()).is_some()
}

/// Whether a slice can have content. In Kubernetes, a line separator of Unicode ends a comment, and a tab
/// before one or in an empty line is an error.
fn has_content(text: &str, slice: &DocumentSlice) -> bool {
    let body = text.get(slice.span.range()).unwrap_or("");
    matches!(slice.content, Content::At(_))
        || body.contains(['\t', '\u{85}', '\u{2028}', '\u{2029}'])
}

fn contains_any(slice: Span, places: &[Span]) -> bool {
    let first = places.partition_point(|place| *place < slice.start_point());
    places.get(first).is_some_and(|place| slice.has_begin_of(*place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::yaml::fixture_texts;

    #[test]
    fn a_file_that_is_read_ahead_has_the_same_documents() {
        for text in fixture_texts() {
            let file = Workspace::new().add("a.yaml", text.clone());
            let (mut sink, mut budget) = (Sink::new(), Budget::default());
            let Documents { read, unread } = documents(file, &text, &mut sink);
            let expected = (read.into_iter().map(|it| it.root).collect::<Vec<_>>(), unread);
            let mut ahead_sink = Sink::new();
            let ahead = Ahead::of(file, &text, &budget, &ahead_sink);
            let Documents { read, unread } = ahead.documents(&mut budget, &mut ahead_sink);
            assert_eq!((read.into_iter().map(|it| it.root).collect(), unread), expected, "{text}");
            let found = |sink: &Sink| format!("{:?}", sink.iter().collect::<Vec<_>>());
            assert_eq!(found(&ahead_sink), found(&sink), "{text}");
        }
    }

    #[test]
    fn nothing_is_read_after_the_limit_of_findings() {
        let text = "---\na: [x]\n".repeat(4);
        let file = Workspace::new().add("a.yaml", text.clone());
        let most = limits::RUN_FINDINGS.count();
        for (findings, expected) in [(most, 4), (most + 1, 0)] {
            let mut sink = Sink::of_document_after(findings);
            let found = documents(file, &text, &mut sink);
            assert_eq!((found.read.len(), found.unread.len()), (expected, 0), "{findings}");
        }
    }

    #[test]
    fn documents_of_a_run_end_at_the_limit_of_values() {
        // Each document has three values: the map, `a`'s list, and its item.
        let text = "---\na: [x]\n".repeat(4);
        let mut workspace = Workspace::new();
        let files = [(); 2].map(|()| workspace.add("a.yaml", text.clone()));
        for (values, read, findings) in
            [(23, 7, 1), (24, 8, 0), (25, 8, 0), (12, 4, 1), (11, 3, 1), (0, 0, 1)]
        {
            let mut budget = Budget { values: Some(values), ..Budget::default() };
            let (mut sink, mut all, mut unread) = (Sink::new(), 0, 0);
            for file in files {
                let found = documents_within(file, &text, &mut budget, &mut sink);
                all += found.read.len();
                unread += found.unread.len();
            }
            assert_eq!((all, unread), (read, 8 - read), "{values}");
            let rules: Vec<_> = sink.iter().map(|it| it.rule.name).collect();
            assert_eq!(rules, vec!["too-many-nodes"; findings], "{values}");
        }
    }
}
