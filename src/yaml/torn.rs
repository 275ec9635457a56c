//! Explains invalid documents whose boundary is the cause: a marker inside a value split it, or the
//! file is a stream of JSON values. It only runs for invalid documents.

use serde::de::IgnoredAny;

use super::boundary_rules as rules;
use super::fault::{Stop, open_block};
use super::read::first_stop;
use super::split::{Content, DocumentSlice, to_u32};
use crate::diag::Diagnostic;
use crate::source::FileSpan;

/// Deeper than any nesting in practice.
const DEEP: &str = "                                ";

/// The maximum number of lines of a torn value that are indented to read it.
const MAX_LINES: usize = 10_000;

/// Explains an invalid `slice` better than the parser can.
pub(super) fn explain(
    text: &str,
    slice: &DocumentSlice,
    next: Option<&DocumentSlice>,
) -> Option<Diagnostic> {
    json_values(text, slice).or_else(|| marker_inside_value(text, slice, next?))
}

/// A second JSON value after the first.
fn json_values(text: &str, slice: &DocumentSlice) -> Option<Diagnostic> {
    let Content::At(start) = slice.content else { return None };
    let json = text.get(start as usize..slice.body.end as usize)?;
    if !json.starts_with('{') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let behind = json.get(values.byte_offset()..)?;
    let second = json.len() - behind.trim_start().len();
    if !json.get(second..)?.starts_with(['{', '[']) {
        return None;
    }
    let at = start + to_u32(second);
    let place = FileSpan { start: at, end: at + 1, ..slice.span };
    let start_of_first = FileSpan { start, end: start + 1, ..slice.span };
    Some(
        Diagnostic::new(
            &rules::JSON_VALUES_IN_A_ROW,
            place,
            "missing `---` before the second JSON \
            value",
        )
        .at("only kubectl reads this value")
        .label(start_of_first, "document starts here")
        .help("write `---` on its own line between the values")
        .suggest(
            place.start_point(),
            "\n---\n",
            "add a document marker between the values",
        ),
    )
}

/// A marker inside a value: confirmed by parsing the two parts as one, with the marker masked.
fn marker_inside_value(
    text: &str,
    slice: &DocumentSlice,
    next: &DocumentSlice,
) -> Option<Diagnostic> {
    let marker = slice.end_marker.or(next.marker)?;
    let torn = text.get(slice.body.range())?;
    let rest = text.get(marker.end as usize..next.span.end as usize)?;
    let stop = first_stop(torn)?;
    // The author may expect a quoted string to continue at the first column, although the grammar
    // does not allow it.
    let quote = rest.find(['"', '\'']).unwrap_or(0);
    let (inside, behind) = rest.split_at(quote);
    let is_one_value = || {
        let lines = inside.matches('\n').take(MAX_LINES + 1).count();
        let inside = || inside.replace('\n', &format!("\n{DEEP}"));
        first_stop(&format!("{torn}{DEEP}x{rest}")).is_none()
            || lines <= MAX_LINES
                && first_stop(&format!("{torn}{DEEP}x{}{behind}", inside())).is_none()
    };
    if !is_one_value() {
        return None;
    }
    let diagnostic = Diagnostic::new(
        &rules::DOCUMENT_MARKER_INSIDE_VALUE,
        marker,
        "document marker inside a quoted string or brackets",
    )
    .at("ends the document")
    .help("write the string as a block scalar (`|`), or indent this line");
    Some(match open_at(torn, &stop) {
        Some(at) => {
            let start = slice.body.start + at;
            diagnostic.label(FileSpan { start, end: start + 1, ..marker }, "value starts here")
        }
        None => diagnostic,
    })
}

/// A marker inside a block scalar, which ends the document before it and continues after it.
pub(super) fn block(
    text: &str,
    before: Option<&DocumentSlice>,
    slice: &DocumentSlice,
) -> Option<Diagnostic> {
    let (before, marker) = (before?, slice.marker?);
    let body = text.get(slice.body.range())?;
    if !body.starts_with(' ') || before.end_marker.is_some() {
        return None;
    }
    let head = text.get(before.body.start as usize..marker.start as usize)?;
    let indent = open_block(head)?;
    let is_inside = body.len() - body.trim_start_matches(' ').len() >= indent;
    let tail = text.get(marker.start as usize..slice.span.end as usize)?;
    let joined = format!("{head}{}{tail}", " ".repeat(indent));
    (is_inside && first_stop(head).is_none() && first_stop(&joined).is_none()).then(|| {
        Diagnostic::new(
            &rules::DOCUMENT_MARKER_INSIDE_VALUE,
            marker,
            "document marker inside a block scalar",
        )
        .at("ends the document")
        .suggest(
            marker.start_point(),
            " ".repeat(indent),
            "indent the line like the block scalar",
        )
    })
}

/// The position of the unclosed quote or bracket, if the parser reports one.
fn open_at(torn: &str, stop: &Stop) -> Option<u32> {
    torn.get(stop.at as usize..)?.starts_with(['"', '\'', '[', '{']).then_some(stop.at)
}
