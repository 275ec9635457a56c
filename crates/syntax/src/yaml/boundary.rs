//! Findings about document boundaries, from the oddities that the splitter found. An ordinary
//! stream has none, and then its text is not read here.

use super::boundary_rules as rules;
use super::mark::{self, Oddity, skip_blanks};
use super::readers::Reader;
use super::split::{Content, DocumentSlice, Stream};
use crate::diag::{Diagnostic, Message, Rule, Severity, Sink, message};
use crate::sorted::SortedMap;
use crate::source::{FileSpan, Slice as _, lines, offset};

/// The maximum number of findings of one kind per file; the last one reports the number of the
/// others.
const MAX_PER_KIND: usize = 20;

/// Reports errors and pitfalls at the boundaries of a stream.
pub(super) fn check(text: &str, stream: &Stream, sink: &mut Sink) {
    for slice in &stream.slices {
        check_indentation(text, slice, sink);
    }
    let Some((first, _)) = stream.oddities.first() else { return };
    let mut readings = other_readings(text, &stream.slices);
    let mut counts: SortedMap<Oddity, usize> = SortedMap::new();
    for (_, oddity) in &stream.oddities {
        *counts.entry(*oddity).or_default() += 1;
    }
    let mut seen: SortedMap<Oddity, usize> = SortedMap::new();
    let mut has_error = false;
    for (span, oddity) in &stream.oddities {
        let number = seen.entry(*oddity).or_default();
        *number += 1;
        let Some(diagnostic) =
            finding_about_oddity(text, *span, *oddity).filter(|_| *number <= MAX_PER_KIND)
        else {
            continue;
        };
        let more = counts.get(oddity).map_or(0, |count| count.saturating_sub(MAX_PER_KIND));
        let mut diagnostic =
            std::mem::take(&mut readings).into_iter().fold(diagnostic, Diagnostic::note);
        if *number == MAX_PER_KIND && more > 0 {
            diagnostic =
                diagnostic.note(message!("the file has {more} more findings of this kind"));
        }
        has_error |= diagnostic.severity == Severity::Error;
        sink.report(diagnostic);
    }
    if !has_error && !readings.is_empty() {
        sink.report(ambiguous_boundary(text, *first, readings));
    }
}

/// The finding for `---apiVersion: v1` or other text after dashes.
fn text_after_dashes(text: &str, span: FileSpan) -> Diagnostic {
    let message = "a line starts with `---` but is not a document marker";
    let finding = Diagnostic::new(&rules::LINE_OF_DASHES_WITH_TEXT, span, message)
        .at("string in YAML, invalid separator in kubectl");
    let line = text.slice(span.start as usize..span.end as usize);
    if line.starts_with("---apiVersion:") {
        let after = FileSpan { start: span.start + 3, end: span.start + 3, ..span };
        return finding.suggest(after, "\n", "write `---` on its own line");
    }
    finding
        .help("to start a document, write `---` on its own line")
        .help("if it is part of a string, indent it below its key or quote it")
}

/// The finding for an oddity; `None` for one that only matters if a reader disagrees.
fn finding_about_oddity(text: &str, span: FileSpan, oddity: Oddity) -> Option<Diagnostic> {
    let new = |rule: &'static Rule, message: &'static str| Diagnostic::new(rule, span, message);
    Some(match oddity {
        Oddity::MarkerWithContent => {
            let marker_end = text.slice(..span.start as usize).trim_end_matches([' ', '\t']);
            let blanks = FileSpan { start: offset(marker_end.len()), end: span.start, ..span };
            new(
                &rules::DOCUMENT_MARKER_WITH_CONTENT,
                "content on the same line as a document \
                marker",
            )
            .at("kubectl only accepts a comment here")
            .suggest(blanks, "\n", "move the content to the line after `---`")
        }
        Oddity::TextAfterDashes => text_after_dashes(text, span),
        Oddity::CommentAfterDashes => new(
            &rules::DOCUMENT_MARKER_WITHOUT_BLANK,
            "missing space after `---`: YAML does not recognize a document marker",
        )
        .at("separator in kubectl, string in YAML")
        .help("write a space between `---` and `#`, and nothing else after `---`"),
        Oddity::DocumentWithoutMarker => new(
            &rules::DOCUMENT_WITHOUT_MARKER,
            "missing `---` before a document that follows `...`: kubectl silently drops it",
        )
        .at("document without a marker")
        .suggest(
            line_start(text, span),
            "---\n",
            "write `---` on its own line before the document",
        ),
        Oddity::EndWithText => {
            new(&rules::DOCUMENT_END_WITH_TEXT, "text after the document end marker `...`")
                .at("only a comment is allowed here")
                .help("remove the text, or write ` #` before it")
        }
        Oddity::Directive => {
            new(&rules::YAML_DIRECTIVE, "unsupported YAML directive: kubectl and Helm reject it")
                .at("separated from its document")
                .help("remove the line; Kubernetes manifests do not need directives")
        }
        Oddity::LoneCarriageReturn => new(
            &rules::LONE_CARRIAGE_RETURN,
            "carriage return without a newline next to a document marker",
        )
        .at("not a line break in kubectl")
        .help("save the file with LF or CRLF line endings"),
        Oddity::UnicodeLineBreak => new(
            &rules::UNICODE_LINE_BREAK_BEFORE_MARKER,
            "Unicode line break before a document marker",
        )
        .at("document end in kubectl only")
        .help("quote the string and write `\\N`, `\\L` or `\\P` for U+0085, U+2028 or U+2029"),
        Oddity::ByteOrderMark => new(
            &rules::BYTE_ORDER_MARK_INSIDE,
            "byte order mark (U+FEFF) after the start of the file",
        )
        .at("invisible character")
        .help("remove the character; in a quoted string write `\\uFEFF`")
        .fix(span, "", "remove the byte order mark"),
        Oddity::EndWithoutContent => {
            new(&rules::DOCUMENT_END_WITHOUT_CONTENT, "`...` without any content before it")
                .at("rejected by kubectl")
                .help("remove the line")
        }
        Oddity::UnfinishedMarkerLine => return None,
    })
}

/// The finding for a stream that YAML and kubectl read alike, but other programs do not.
fn ambiguous_boundary(text: &str, place: FileSpan, readings: Vec<Message>) -> Diagnostic {
    let end = lines::next(text, place.start as usize);
    let is_last_line = end == text.len();
    let diagnostic = Diagnostic::new(
        &rules::DOCUMENT_MARKER_AMBIGUOUS,
        place,
        "other tools split this file into different documents",
    )
    .at("tools disagree about this line");
    let diagnostic = readings.into_iter().fold(diagnostic, Diagnostic::note);
    if is_last_line {
        return diagnostic.help("remove the last `---`, or end its line with a newline");
    }
    diagnostic.help("write `---` on its own line")
}

/// Checks the indentation of first lines, which Helm strips.
fn check_indentation(text: &str, slice: &DocumentSlice, sink: &mut Sink) {
    let Content::At(first) = slice.content else { return };
    let marker_start = slice.marker.map_or(slice.span.start, |marker| marker.start);
    let is_shielded = slice.comments.is_some_and(|comments| comments.end > marker_start);
    let is_on_marker_line = slice.marker.is_some_and(|marker| marker.end == slice.body.start);
    if first == slice.body.start || is_shielded || is_on_marker_line {
        return;
    }
    let bytes = text.as_bytes();
    let second = lines::next(bytes, first as usize);
    let rest = skip_blanks(bytes, second);
    let has_second_line = rest > second && rest < slice.body.end as usize;
    if has_second_line && !matches!(bytes.get(rest), Some(b'\n' | b'\r' | b'#')) {
        let blanks = FileSpan { end: first, ..slice.body };
        sink.report(
            Diagnostic::new(
                &rules::DOCUMENT_INDENTED,
                blanks,
                "the first line of the document is indented",
            )
            .at("Helm only removes these spaces")
            .help("start the document in the first column"),
        );
    }
}

/// The interpretations of the stream by other readers, one sentence for each group of readers that
/// agree. Readers that follow the grammar are omitted.
fn other_readings(text: &str, slices: &[DocumentSlice]) -> Vec<Message> {
    let starts: Vec<usize> = slices.iter().filter_map(|slice| content_start(text, slice)).collect();
    let all = starts.len();
    let mut groups: Vec<(Message, Vec<&str>)> = Vec::new();
    for reader in Reader::ALL {
        let verdict = match reader.content_starts(text) {
            None => "file rejected".into(),
            Some(seen) if seen == starts => continue,
            Some(seen) if seen.len() < all => message!("{} of {all} documents read", seen.len()),
            Some(seen) if seen.len() > all => {
                message!("{} documents read instead of {all}", seen.len())
            }
            Some(_) => "documents split at other lines".into(),
        };
        match groups.iter_mut().find(|(known, _)| *known == verdict) {
            Some((_, names)) => names.push(reader.name()),
            None => groups.push((verdict, vec![reader.name()])),
        }
    }
    groups.into_iter().map(|(verdict, names)| message!("{}: {verdict}", names.join(", "))).collect()
}

/// The first byte of a document's content, after a byte order mark.
fn content_start(text: &str, slice: &DocumentSlice) -> Option<usize> {
    let Content::At(start) = slice.content else { return None };
    let start = start as usize;
    Some(start + mark::leading_mark(text.as_bytes(), start, true))
}

/// The empty span at the start of the line of a span.
fn line_start(text: &str, span: FileSpan) -> FileSpan {
    let before = text.slice(..span.start as usize);
    let start = offset(before.trim_end_matches([' ', '\t']).len());
    FileSpan { start, end: start, ..span }
}
