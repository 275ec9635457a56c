//! Explains invalid documents whose boundary is the cause: a marker inside a value split it, or the
//! file is a stream of JSON values. It only runs for invalid documents.

use serde::de::IgnoredAny;

use super::boundary_rules as rules;
use super::fault::{Fault, Stop, open_block};
use super::read::first_stop;
use super::split::{Content, DocumentSlice};
use crate::diag::Diagnostic;
use crate::source::{FileSpan, lines, offset};

/// Deeper than any nesting in practice.
const DEEP: &str = "                                ";

/// The maximum number of lines of a torn value that are indented to read it.
const MAX_LINES: usize = 10_000;

/// Explains an invalid `slice` better than the parser, which stopped at `stop`, if that is known.
pub(super) fn explain(
    text: &str,
    slice: &DocumentSlice,
    stop: Option<&Stop>,
    next: Option<&DocumentSlice>,
) -> Option<Diagnostic> {
    json_values(text, slice).or_else(|| marker_inside_value(text, slice, stop, next?))
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
    let at = start + offset(second);
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
    stop: Option<&Stop>,
    next: &DocumentSlice,
) -> Option<Diagnostic> {
    let marker = slice.end_marker.or(next.marker)?;
    let torn = text.get(slice.span.start as usize..slice.body.end as usize)?;
    let rest = text.get(marker.end as usize..next.span.end as usize)?;
    // The parser may have stopped at the text after the `...`.
    let stop = stop.filter(|stop| slice.end_marker.is_none() || stop.at < slice.body.end);
    let stop = stop.map(|stop| stop.relative_to(slice.span.start)).or_else(|| first_stop(torn))?;
    if !may_be_open(torn, &stop) || !is_one_value(torn, rest) {
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
            let start = slice.span.start + at;
            diagnostic.label(FileSpan { start, end: start + 1, ..marker }, "value starts here")
        }
        None => diagnostic,
    })
}

/// Whether two parts of a document are valid YAML together.
fn is_one_value(torn: &str, rest: &str) -> bool {
    if first_stop(&format!("{torn}{DEEP}x{rest}")).is_none() {
        return true;
    }
    // The author may expect a quoted string to continue at the first column, although the grammar
    // does not allow it.
    let quote = rest.find(['"', '\'']).unwrap_or(0);
    let (inside, behind) = rest.split_at(quote);
    inside.matches('\n').take(MAX_LINES + 1).count() <= MAX_LINES && {
        let inside = inside.replace('\n', &format!("\n{DEEP}"));
        first_stop(&format!("{torn}{DEEP}x{inside}{behind}")).is_none()
    }
}

/// Whether a quoted string or brackets may be open where the parser stopped: otherwise, it stops
/// there whatever follows.
fn may_be_open(torn: &str, stop: &Stop) -> bool {
    let (cursor, at) = (stop.cursor as usize, torn.floor_char_boundary(stop.at as usize));
    let is_other = !matches!(stop.fault, Fault::Layout | Fault::Tab);
    is_other || stop.flow.is_some() || {
        torn.get(cursor..lines::end(torn, at)).is_none_or(|it| it.contains(['"', '\'', '[', '{']))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::source::Workspace;
    use crate::yaml::fault::Repairs;
    use crate::yaml::mutations::{Random, fixture_texts};
    use crate::yaml::read::{self, ALIASES, NoDocument, read_complex};
    use crate::yaml::split::split;

    /// Values of several lines.
    const LONG: &str = "a: &a\n  \"b\n  c\n  d\"\n? !!str 'e\n  f'\n: [g, # h\n  {i: j,\n  k: l},\n  m]\n\
        n:\n- [\n  o: 'p\n    q', r,\n  ]\n- {s: [\n  t,\n  u]}\n- v\n  w\nx: !y\n  {z: |\n  }\n";

    /// Input with a random marker and random edits.
    fn torn_texts(count: usize) -> impl Iterator<Item = String> {
        let mut fixtures = fixture_texts();
        fixtures.extend(vec![LONG.to_owned(); fixtures.len()]);
        let mut random = Random(20_261_123);
        (0..count).map(move |_| {
            let text = &fixtures[random.below(fixtures.len())];
            let mut text = random.mutate(text);
            let line = text.floor_char_boundary(random.below(text.len() + 1));
            let line = text[..line].rfind('\n').map_or(0, |at| at + 1);
            text.insert_str(line, "---\n");
            text
        })
    }

    #[test]
    fn no_open_value_is_missed() {
        let (mut skipped, mut open) = (0, 0);
        for text in torn_texts(3_000) {
            let slices = split(Workspace::new().add("a.yaml", ""), &text).slices;
            for (slice, next) in slices.iter().zip(slices.iter().skip(1)) {
                let Some(marker) = slice.end_marker.or(next.marker) else { continue };
                let torn = &text[slice.span.start as usize..slice.body.end as usize];
                let rest = &text[marker.end as usize..next.span.end as usize];
                let Some(stop) = first_stop(torn) else { continue };
                let is_one = is_one_value(torn, rest);
                open += usize::from(is_one);
                let is_skipped = !may_be_open(torn, &stop);
                skipped += usize::from(is_skipped);
                assert!(!(is_skipped && is_one), "{text:?}");
            }
        }
        assert!(skipped > 100 && open > 20, "{skipped} {open}");
    }

    #[test]
    fn text_after_the_end_marker_is_not_inside_a_value() {
        let file = Workspace::new().add("a.yaml", "");
        let text = "a: 1\n... trailing\n ---\nb: 2\n";
        let slices = split(file, text).slices;
        let mut sink = Sink::new();
        let Err(NoDocument::Refused(refusal)) =
            read_complex(text, &slices[0], &mut { ALIASES }, &mut sink)
        else {
            panic!("Kubernetes' reader rejects the document");
        };
        let repairs = &mut Repairs::OF_RUN.clone();
        let stop = read::explain(refusal, file, text, &slices[0], ALIASES, repairs, &mut sink)
            .expect_err("no document");
        assert!(stop.is_some());
        assert!(explain(text, &slices[0], stop.as_ref(), slices.get(1)).is_none());
    }
}
