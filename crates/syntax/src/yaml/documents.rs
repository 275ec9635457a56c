//! Reads the documents of a file: splits it, checks the boundaries, and parses each slice.

use super::encoding::check_characters;
use super::fault::{Repairs, Stop};
use super::read::{self, ALIASES, NoDocument, read_complex, read_simple};
use super::split::{self, Content, DocumentSlice};
use super::{Document, boundary, torn};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules};
use crate::limits;
use crate::parallel::ordered_each_of;
use crate::source::{FileId, FileSpan, Slice as _, Span};

declare_rules! {
    INPUT_WITHOUT_OBJECTS = "input-without-objects", Warning;
}

/// The warning for an input without a document, of which `file` is the first.
pub fn without_objects(file: FileId) -> Diagnostic {
    Diagnostic::new(&INPUT_WITHOUT_OBJECTS, Span::new(file, 0, 0), "the input contains no objects")
        .at("no documents")
        .help("check why the input is empty; in a pipe, use `set -o pipefail` to see the failure")
}

/// The remaining limits for the documents of a run. Documents are parsed in any order, and counted in that of the
/// input.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The weight that aliases can represent.
    aliases: usize,
    repairs: Repairs,
    /// Values of the documents that are kept. `None` after the first document that had too many.
    pub values: Option<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        let values = Some(limits::RUN_TREE_VALUES.count());
        Self { aliases: ALIASES, repairs: Repairs::OF_RUN, values }
    }
}

impl Budget {
    /// The limits of a run, with another number of bytes that can be parsed again.
    #[cfg(test)]
    pub fn parsing_again(bytes: usize) -> Self {
        Self { repairs: Repairs::of(bytes), ..Self::default() }
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
    let mut reading = Reading::of(&stream, budget, sink);
    let parse = |index| stream.parse(index);
    let take = |parsed: Option<Parsed>| parsed.into_iter().for_each(|parsed| reading.take(parsed));
    ordered_each_of(text.len(), 0..stream.slices.len(), parse, take);
    reading.documents
}

/// A file whose documents are parsed, so that many files can be parsed at once. What depends on the documents of
/// other files follows in [`ParsedFile::documents`].
#[derive(Debug)]
pub struct ParsedFile<'t> {
    stream: Stream<'t>,
    findings: Sink,
    parsed: Vec<Parsed>,
}

impl<'t> ParsedFile<'t> {
    /// Parses the documents of a file.
    #[must_use]
    pub fn of(file: FileId, text: &'t str) -> Self {
        let mut findings = Sink::new();
        let stream = Stream::of(file, text, &mut findings);
        let parsed = (0..stream.slices.len()).filter_map(|index| stream.parse(index)).collect();
        Self { stream, findings, parsed }
    }

    /// The documents, as [`documents_within`] returns them.
    pub fn documents(self, budget: &mut Budget, sink: &mut Sink) -> Documents {
        sink.absorb(self.findings);
        let mut reading = Reading::of(&self.stream, budget, sink);
        self.parsed.into_iter().for_each(|parsed| reading.take(parsed));
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

/// A parsed document.
#[derive(Debug)]
struct Parsed {
    /// The position of its slice.
    index: usize,
    /// `None` for a document with aliases, which can be large: the limit of the run, not that of the document, keeps
    /// hundreds of them from filling the memory, so it is parsed when those before it have been counted.
    document: Option<Result<Document, NoDocument>>,
    findings: Sink,
}

impl<'t> Stream<'t> {
    /// Splits a file, and reports the faults at the boundaries of its documents.
    fn of(file: FileId, text: &'t str, sink: &mut Sink) -> Self {
        let stream = split::split(file, text);
        let mut findings = Sink::new();
        boundary::check(text, &stream, &mut findings);
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        let mut refused: Vec<Span> = errors.map(|error| error.primary.span).collect();
        refused.sort_unstable();
        sink.absorb(findings);
        let mut slices = stream.slices;
        for slice in slices.extract_if(.., |slice| !has_content(text, slice)) {
            let body = text.slice(slice.span.range());
            // Even comments must not contain forbidden characters; the findings are in the sink.
            let _ = check_characters(body, slice.span, sink);
        }
        Self { file, text, slices, refused }
    }

    /// Parses the document of a slice, as far as it does not depend on others.
    fn parse(&self, index: usize) -> Option<Parsed> {
        let slice = self.slices.get(index)?;
        let mut findings = Sink::of_document();
        let document = read_simple(self.text, slice, &mut findings).or_else(|| {
            let has_aliases = may_have_aliases(self.text.get(slice.span.range())?);
            (!has_aliases).then(|| read_complex(self.text, slice, &mut 0, &mut findings))
        });
        Some(Parsed { index, document, findings })
    }
}

/// The documents of a file so far, in order.
struct Reading<'s, 'b> {
    stream: &'s Stream<'s>,
    budget: &'b mut Budget,
    sink: &'b mut Sink,
    documents: Documents,
    /// The second half of a torn document, which is the next slice.
    other_half: Option<FileSpan>,
}

impl<'s, 'b> Reading<'s, 'b> {
    fn of(stream: &'s Stream<'s>, budget: &'b mut Budget, sink: &'b mut Sink) -> Self {
        let read = Vec::with_capacity(stream.slices.len());
        let documents = Documents { read, unread: Vec::new() };
        Self { stream, budget, sink, documents, other_half: None }
    }

    /// Adds the next document, or reports why there is none.
    fn take(&mut self, parsed: Parsed) {
        let Parsed { index, document, mut findings } = parsed;
        let Stream { text, ref slices, ref refused, .. } = *self.stream;
        let Some(slice) = slices.get(index) else { return };
        if self.sink.is_over() || self.other_half.take() == Some(slice.span) {
            return;
        }
        let document = self.explained(slice, document, &mut findings);
        // Kubernetes accepts an object, wherever its marker is.
        let is_object = document.as_ref().is_ok_and(is_object);
        let before = index.checked_sub(1).and_then(|before| slices.get(before));
        if !is_object && let Some(reason) = torn::block(text, before, slice) {
            self.documents.unread.push(slice.span.into());
            self.sink.report(reason);
            return;
        }
        let stop = match document {
            Ok(document) if self.budget.accepts(slice, document.values, self.sink) => {
                self.sink.absorb(findings);
                self.documents.read.push(document);
                return;
            }
            Ok(_) => {
                self.documents.unread.push(slice.span.into());
                return;
            }
            Err(stop) => stop,
        };
        if findings.reported().is_some() {
            self.documents.unread.push(slice.span.into());
        }
        let next = slices.get(index + 1);
        let torn = || torn::explain(text, slice, stop.as_ref(), next);
        if let Some(reason) = (!self.sink.is_terse()).then(torn).flatten() {
            // The slice after a split value is its second half, not a document.
            self.other_half = next
                .filter(|next| next.marker.map(Span::from) == Some(reason.primary.span))
                .map(|next| next.span);
            self.documents.unread.extend(self.other_half.map(Span::from));
            self.sink.report(reason);
        } else if !contains_any(slice.span.into(), refused) {
            self.sink.absorb(findings);
        }
    }

    /// The document of a slice, or where the parser stopped in it.
    fn explained(
        &mut self,
        slice: &DocumentSlice,
        document: Option<Result<Document, NoDocument>>,
        findings: &mut Sink,
    ) -> Result<Document, Option<Stop>> {
        let Self { stream: Stream { file, text, .. }, ref mut budget, .. } = *self;
        let read_now = || read_complex(text, slice, &mut budget.aliases, findings);
        match document.unwrap_or_else(read_now) {
            Ok(document) => Ok(document),
            Err(NoDocument::Refused(refusal)) if !self.sink.is_unused() => {
                let Budget { aliases, repairs, .. } = budget;
                read::explain(refusal, *file, text, slice, *aliases, repairs, findings)
            }
            Err(_) => Err(None),
        }
    }
}

/// Whether a document has a field of every object of Kubernetes.
fn is_object(document: &Document) -> bool {
    ["apiVersion", "kind"].into_iter().any(|key| document.root.get(key).is_some())
}

/// Whether a document must be read in order, because its aliases count toward the limit of the run. Only those that
/// the fast reader does not support are searched, at 0.2 instructions per byte.
pub(super) fn may_have_aliases(body: &str) -> bool {
    [b'&', b'*'].into_iter().all(|sign| memchr::memchr(sign, body.as_bytes()).is_some())
}

/// Whether a slice can have content. In Kubernetes, a line separator of Unicode ends a comment, and a tab
/// before one or in an empty line is an error.
fn has_content(text: &str, slice: &DocumentSlice) -> bool {
    let body = text.slice(slice.span.range());
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
    fn a_file_that_is_parsed_before_others_are_read_has_the_same_documents() {
        for text in fixture_texts() {
            let file = Workspace::new().add("a.yaml", text.clone());
            let (mut sink, mut budget) = (Sink::new(), Budget::default());
            let Documents { read, unread } = documents(file, &text, &mut sink);
            let expected = (read.into_iter().map(|it| it.root).collect::<Vec<_>>(), unread);
            let mut sink_of_parsed = Sink::new();
            let Documents { read, unread } =
                ParsedFile::of(file, &text).documents(&mut budget, &mut sink_of_parsed);
            assert_eq!((read.into_iter().map(|it| it.root).collect(), unread), expected, "{text}");
            let found = |sink: &Sink| format!("{:?}", sink.iter().collect::<Vec<_>>());
            assert_eq!(found(&sink_of_parsed), found(&sink), "{text}");
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
