//! Reads the documents of a file: splits it, checks the boundaries, and parses each slice.

use super::encoding::check_characters;
use super::read::{Allowance, SHARE, Unread};
use super::split::{self, Content, DocumentSlice};
use super::{Document, boundary, parse_within, read, torn};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules};
use crate::limits;
use crate::parallel::ordered_each_after;
use crate::source::{FileId, Span};

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
    let stream = split::split(file, text);
    let mut findings = Sink::new();
    boundary::check(text, &stream, &mut findings);
    let refused = refused_places(&findings);
    sink.absorb(findings);
    for slice in stream.slices.iter().filter(|slice| !has_content(text, slice)) {
        let body = text.get(slice.span.range()).unwrap_or("");
        // Even comments must not contain forbidden characters; the findings are in the sink.
        let _ = check_characters(body, slice.span, sink);
    }
    let slices: Vec<&DocumentSlice> =
        stream.slices.iter().filter(|it| has_content(text, it)).collect();
    let read = |state, index| parsed(file, text, &slices, state, index);
    let mut documents = Documents { read: Vec::with_capacity(slices.len()), unread: Vec::new() };
    let mut other_half = None;
    let mut take = |parsed, sink: &mut Sink, budget: &mut Budget| {
        let Some(parsed) = parsed else { return };
        let Parsed { before, slice, next, mut reading, mut values, waits, spent, mut findings } =
            parsed;
        let allowance = &mut budget.allowance;
        allowance.again = allowance.again.saturating_sub(spent);
        if waits {
            allowance.is_short = false;
            reading = parse_within(file, text, slice, allowance, &mut findings);
            values = reading.as_ref().ok().map(|it| it.values);
        }
        if other_half.take() == Some(slice.span) {
            return;
        }
        // Kubernetes accepts an object, wherever its marker is.
        let is_object = reading
            .as_ref()
            .is_ok_and(|it| it.root.get("apiVersion").or_else(|| it.root.get("kind")).is_some());
        let torn = || torn::block(text, before, slice);
        if let Some(reason) = (!is_object).then(torn).flatten() {
            documents.unread.push(slice.span.into());
            sink.report(reason);
            return;
        }
        let stop = match (reading, values) {
            (Ok(document), Some(values)) => {
                if budget.accepts(slice, values, sink) {
                    sink.absorb(findings);
                    documents.read.push(document);
                } else {
                    documents.unread.push(slice.span.into());
                }
                return;
            }
            (reading, _) => reading.err().and_then(|it| it.stop),
        };
        if findings.reported().is_some() {
            documents.unread.push(slice.span.into());
        }
        let torn = || torn::explain(text, slice, stop.as_ref(), next);
        if let Some(reason) = (!findings.is_terse()).then(torn).flatten() {
            // The slice after a split value is its second half, not a document.
            other_half = next
                .filter(|next| next.marker.map(Span::from) == Some(reason.primary.span))
                .map(|next| next.span);
            documents.unread.extend(other_half.map(Span::from));
            sink.report(reason);
        } else if !contains_any(slice.span.into(), &refused) {
            sink.absorb(findings);
        }
    };
    let state = (sink.total(), budget.allowance.again);
    ordered_each_after(state, text.len(), 0..slices.len(), read, |parsed| {
        take(parsed, sink, budget);
        (sink.total(), budget.allowance.again)
    });
    documents
}

/// The result of the parallel part of reading a document.
struct Parsed<'s> {
    before: Option<&'s DocumentSlice>,
    slice: &'s DocumentSlice,
    next: Option<&'s DocumentSlice>,
    reading: Result<Document, Unread>,
    values: Option<usize>,
    /// Whether it is read again when all documents before it were read.
    waits: bool,
    /// The number of bytes that were parsed again.
    spent: usize,
    findings: Sink,
}

/// Reads a document after this number of findings, while `again` bytes can be parsed again.
fn parsed<'s>(
    file: FileId,
    text: &str,
    slices: &[&'s DocumentSlice],
    (count, again): (usize, usize),
    index: usize,
) -> Option<Parsed<'s>> {
    let mut findings = Sink::of_document_after(count);
    if findings.is_over() {
        return None;
    }
    let slice: &DocumentSlice = slices.get(index).copied()?;
    let mut waits = may_have_aliases(text.get(slice.span.range()).unwrap_or(""));
    let share = again.min(SHARE);
    let mut allowance = Allowance { again: share, ..Allowance::RUN };
    let mut reading = Err(Unread::default());
    if !waits {
        reading = parse_within(file, text, slice, &mut allowance, &mut findings);
        // What the whole run has left depends on the documents before this one.
        if allowance.is_short && share < again {
            (findings, waits) = (Sink::of_document_after(count), true);
        }
    }
    let values = reading.as_ref().ok().map(|it| it.values);
    let before = index.checked_sub(1).and_then(|index| slices.get(index)).copied();
    let next = slices.get(index + 1).copied();
    let spent = share - allowance.again;
    Some(Parsed { before, slice, next, reading, values, waits, spent, findings })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

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
