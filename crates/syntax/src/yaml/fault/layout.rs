//! Misplaced lines: wrong indentation, items among keys, keys among items.

use super::colons::{
    before_block, before_dash, is_dash_without_blank, missing_colon, unquoted_colon, without_colon,
};
use super::line::{Line, quoted};
use super::quotes::reads_like_key;
use super::{Broken, YAML_SYNTAX, indicators};
use crate::diag::{Diagnostic, Words, declare_rules, message};
use crate::source::{FileSpan, Span};

declare_rules! {
    LIST_AND_MAP_MIXED = "list-and-map-mixed", Error;
    DASH_AFTER_KEY = "dash-after-key", Error;
    WRONG_INDENTATION = "wrong-indentation", Error;
    DOCUMENT_MARKER_MISSING = "document-marker-missing", Error;
}

/// Explains a misplaced line.
pub(super) fn explain(broken: &Broken<'_>) -> Option<Diagnostic> {
    let line = Line::at(broken.body, broken.at);
    let line = if line.is_trivia() {
        line.next(broken.body).or_else(|| line.previous(broken.body))?
    } else {
        line
    };
    behind_root(broken)
        .or_else(|| two_anchors(broken))
        .or_else(|| blank_lines_too_deep(broken, line))
        .or_else(|| explain_marker(broken, line))
        .or_else(|| explain_template(broken, line))
        .or_else(|| before_block(broken, line))
        .or_else(|| before_dash(broken, line))
        .or_else(|| dash_after_key(broken, line))
        .or_else(|| unquoted_colon(broken, line))
        .or_else(|| block_text(broken, line))
        .or_else(|| explain_swallowed_line(broken, line))
        .or_else(|| without_colon(broken, line))
        .or_else(|| below_text(broken, line))
        .or_else(|| text_after_brackets(broken, line))
        .or_else(|| explain_misplaced_line(broken, line))
}

/// Text after a document that is a single flow list or map.
fn behind_root(broken: &Broken<'_>) -> Option<Diagnostic> {
    let first = Line::first(broken.body)?;
    let is_complete = broken.flow.is_none() && broken.cursor <= broken.at;
    if !is_complete || !first.content().starts_with(['{', '[']) || first.key_value().is_some() {
        return None;
    }
    let rest = broken.body.get(broken.at..)?.trim_end();
    let place = broken.span(broken.at, broken.at + rest.lines().next()?.len());
    let finding = Diagnostic::new(&YAML_SYNTAX, place, "text after the end of the document")
        .note("a document in brackets ends with its last closing bracket");
    Some(match rest {
        "," => finding.suggest(place, "", "remove the comma"),
        _ if rest.starts_with(['{', '[']) => {
            let point = broken.span(broken.at, broken.at);
            finding.suggest(point, "---\n", "add `---` between the documents")
        }
        _ => finding.help("remove the text, or check the brackets before it"),
    })
}

/// `key: &one &two value`, or the second anchor on the next line.
fn two_anchors(broken: &Broken<'_>) -> Option<Diagnostic> {
    let (before, rest) = broken.body.split_at_checked(broken.at)?;
    let end = |text: &str| text.find([' ', '\t', '\n', '\r']).unwrap_or(text.len());
    let first = before.trim_end();
    let start = first.rfind([' ', '\t', '\n']).map_or(0, |at| at + 1);
    let is_anchor = |text: &str| text.len() > 1 && text.starts_with('&');
    if !is_anchor(first.get(start..)?) || !is_anchor(rest) {
        return None;
    }
    let place = broken.span(broken.at, broken.at + end(rest));
    let gap = rest.get(end(rest)..)?;
    let blanks = gap.len() - gap.trim_start_matches(' ').len();
    Some(
        Diagnostic::new(&YAML_SYNTAX, place, "second anchor of one value")
            .at("a value has at most one anchor")
            .label(broken.span(start, first.len()), "first anchor")
            .suggest(
                broken.span(broken.at, broken.at + end(rest) + blanks),
                "",
                "remove the second anchor",
            ),
    )
}

/// Lines without text at the start of a block scalar that have more spaces than its text.
fn blank_lines_too_deep(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    // A comment can be the first line of the text.
    let stop = Line::at(broken.body, broken.at);
    let mut text = if stop.content().is_empty() { line } else { stop };
    let mut deepest: Option<Line<'_>> = None;
    loop {
        let above = Line::at(broken.body, text.start.checked_sub(1)?);
        if above.content().is_empty() {
            if deepest.is_none_or(|other| above.text.len() > other.text.len()) {
                deepest = Some(above);
            }
            text = above;
            continue;
        }
        let header =
            above.key_value().map_or_else(|| above.rest(above.item_start()), |it| it.value);
        let indent = if stop.content().is_empty() { line.indent() } else { stop.indent() };
        let deepest =
            deepest.filter(|blank| blank.text.len() > indent && is_block_header(header))?;
        let end = deepest.start + deepest.text.len();
        let message = "line without text has more spaces than the block scalar around it";
        return Some(
            Diagnostic::new(&WRONG_INDENTATION, broken.span(deepest.start, end), message)
                .at(message!("the text is indented by {}", blanks(indent)))
                .suggest(broken.span(deepest.start, end), "", "remove the spaces"),
        );
    }
}

/// A line of only dashes that is not a marker: `--`, or `---` after spaces.
fn explain_marker(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let is_marker = |it: &Line<'_>| {
        let text = it.content();
        let is_rule = text.chars().all(|c| matches!(c, '-' | '–' | '—' | '='));
        let is_real = it.text.trim_end() == "---";
        text != "-" && text.len() < 10 && is_rule && !is_real
    };
    let line = [Some(line), line.previous(broken.body)].into_iter().flatten().find(is_marker)?;
    let place = broken.span(line.start, line.start + line.text.len());
    let message = "malformed document marker";
    Some(
        Diagnostic::new(&DOCUMENT_MARKER_MISSING, place, message)
            .at("not `---` at the start of a line")
            .suggest(place, "---", "write `---`"),
    )
}

/// Reports two objects without a marker between them; the second begins at `second`.
pub(in crate::yaml) fn marker_missing(first: Span, second: Span) -> Diagnostic {
    let message = "missing `---` before the second object";
    Diagnostic::new(&DOCUMENT_MARKER_MISSING, second, message)
        .at("start of another object")
        .label(first, "first object")
        .suggest(second.start_point(), "---\n", "add `---` between the documents")
}

/// `image: {{ x }}-foo`: text after an apparent map.
fn explain_template(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let found = line.key_value();
    let (value, start) = match found {
        Some(found) => (line.rest(found.value_start), found.value_start),
        None => (line.rest(line.item_start()), line.item_start()),
    };
    (value.starts_with("{{") && value.contains("}}") && start <= broken.at)
        .then(|| indicators::template_not_quoted(broken.span(start, start + value.len()), value))
}

/// Text after a value that starts as a list or map: `image: {registry}/web`, `name: [a] b`.
fn text_after_brackets(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let start = line.key_value().map_or_else(|| line.item_start(), |it| it.value_start);
    let value = line.rest(start);
    let is_after = value.starts_with(['{', '[']) && start < broken.at && broken.flow.is_none();
    let read = value.get(..broken.at.checked_sub(start)?).filter(|_| is_after)?.trim_end();
    let end = read.len();
    let rest = value.get(end..).filter(|it| read.ends_with(['}', ']']) && !it.is_empty())?;
    let first = value.get(..1)?;
    Some(
        Diagnostic::new(
            &YAML_SYNTAX,
            broken.span(start + end, start + end + rest.len()),
            "text after the closing bracket of a value",
        )
        .label(broken.span(start, start + 1), message!("`{first}` starts a list or map"))
        .suggest(broken.span(start, start + value.len()), quoted(value), "quote the value"),
    )
}

/// `args: - a`.
fn dash_after_key(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let found = line.key_value()?;
    let item = line.rest(found.value_start);
    if !(item.starts_with("- ") || item == "-") || found.value_start != broken.at {
        return None;
    }
    let key_column = line.column(line.item_start());
    let place = broken.span(found.colon + 1, found.value_start);
    Some(
        Diagnostic::new(
            &DASH_AFTER_KEY,
            broken.span(found.value_start, found.value_start + 1),
            "list item on the same line as its key",
        )
        .label(broken.span(line.item_start(), found.colon), "key of the list")
        .suggest(
            place,
            format!("\n{}", " ".repeat(key_column + 2)),
            "start the list on the next line",
        ),
    )
}

/// The content of a block scalar with too little indentation.
fn block_text(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let mut header = line.previous(broken.body)?;
    while header.indent() > line.indent() {
        header = header.previous(broken.body)?;
    }
    let found = header.key_value()?;
    if !is_block_header(found.value)
        || line.key_value().is_some()
        || line.content().starts_with("- ")
    {
        return None;
    }
    let column = header.column(header.item_start());
    let first = header.next(broken.body).filter(|first| first.start < line.start);
    let indent = first.map_or(column + 2, |first| first.indent().max(column + 1));
    let start = line.content_start();
    Some(
        Diagnostic::new(
            &WRONG_INDENTATION,
            broken.span(start, start + line.content().len()),
            message!(
                "block scalar of `{}` must be indented by at least {}",
                found.key,
                blanks(indent)
            ),
        )
        .label(broken.span(found.value_start, found.value_start + 1), "block scalar starts here")
        .suggest(broken.span(line.start, start), " ".repeat(indent), "indent the line"),
    )
}

/// The indentation of the block scalar that is open at the end of a document.
pub(in crate::yaml) fn open_block(body: &str) -> Option<usize> {
    let last = Line::at(body, body.trim_end().len().saturating_sub(1));
    let is_header =
        |it: &Line<'_>| it.key_value().is_some_and(|field| is_block_header(field.value));
    let header = last.open_above(body).into_iter().find(is_header)?;
    header.next(body).map(|first| first.indent()).filter(|indent| *indent > header.indent())
}

pub(super) fn is_block_header(value: &str) -> bool {
    value.starts_with(['|', '>'])
        && value.chars().skip(1).all(|c| matches!(c, '+' | '-' | '1'..='9'))
}

/// A key that the parser read as part of the scalar before it.
fn explain_swallowed_line(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let found = line.key_value()?;
    if found.colon != broken.at {
        return None;
    }
    let before = line.previous(broken.body)?;
    let column = line.column(line.item_start());
    let column_before = before.column(before.item_start());
    match before.key_value() {
        Some(_) if is_dash_without_blank(before.content()) => Some(missing_colon(broken, before)),
        Some(parent) if column > column_before && !parent.value.is_empty() => {
            Some(too_deep(broken, line, before, column_before))
        }
        None if column >= column_before => Some(missing_colon(broken, before)),
        _ => None,
    }
}

/// A key below a scalar without a colon, at the same column and with comments in between.
fn below_text(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let before = line.previous(broken.body)?;
    let is_text = before.key_value().is_none()
        && !before.content().starts_with(['-', '[', '{', ']', '}', '"', '\'', '?', '|', '>']);
    (is_text && before.indent() == line.indent()).then(|| missing_colon(broken, before))
}

/// `line` is indented below `before`, whose key already has a value.
fn too_deep(broken: &Broken<'_>, line: Line<'_>, before: Line<'_>, column: usize) -> Diagnostic {
    let start = line.content_start();
    let end = line.key_value().map_or(start, |it| it.colon);
    let finding =
        Diagnostic::new(&WRONG_INDENTATION, broken.span(start, end), "key is indented too far");
    let finding = match before.key_value() {
        Some(parent) => {
            let place = broken.span(parent.value_start, parent.value_start + parent.value.len());
            finding.label(place, message!("value of `{}`", parent.key))
        }
        None => finding,
    };
    let place = broken.span(line.start, start);
    finding.suggest(place, " ".repeat(column), "indent the line like the one above")
}

/// A key or an item at a column where none was expected.
fn explain_misplaced_line(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let is_item = line.content().starts_with("- ") || line.content() == "-";
    if !is_item && !reads_like_key(line) {
        return None;
    }
    let column = line.indent();
    let start = line.content_start();
    let here = broken.span(start, start + line.content().len());
    // The lines above at each smaller column, innermost first: the possible parents of this line.
    // Below a key without a value each column is valid.
    let is_child = line.previous(broken.body).is_some_and(|before| {
        let is_parent = before.key_value().is_some_and(|field| field.value.is_empty());
        is_parent && column > before.column(before.item_start())
    });
    if is_child {
        return None;
    }
    let open = line.open_above(broken.body);
    if let Some(first) = open.last().filter(|first| first.indent() > column && column == 0) {
        return Some(first_line_indented(broken, *first, line));
    }
    if let Some(same) = open.iter().find(|above| above.indent() == column) {
        let above_is_item = same.content().starts_with("- ");
        if above_is_item != is_item {
            return Some(list_and_map_mixed(broken, here, *same, is_item));
        }
    }
    // A key below an item lines up with the key after the dash, not with the dash.
    let columns = open.iter().flat_map(|above| [above.indent(), above.column(above.item_start())]);
    let nearest = columns
        .min_by_key(|candidate| (candidate.abs_diff(column), std::cmp::Reverse(*candidate)))?;
    if nearest == column {
        return None;
    }
    let likely = open
        .iter()
        .find(|above| above.indent() == nearest || above.column(above.item_start()) == nearest)?;
    let what = Words(if is_item { "list item" } else { "key" });
    let place =
        broken.span(likely.content_start(), likely.content_start() + likely.content().len());
    Some(
        Diagnostic::new(
            &WRONG_INDENTATION,
            broken.span(start, start + 1),
            message!("{what} is indented by {}, which matches no line above it", blanks(column)),
        )
        .label(place, message!("indented by {}", blanks(likely.indent())))
        .suggest(
            broken.span(line.start, start),
            " ".repeat(nearest),
            message!("indent the line by {}", blanks(nearest)),
        ),
    )
}

/// The document begins with an indented line, and `line` below is not indented.
fn first_line_indented(broken: &Broken<'_>, first: Line<'_>, line: Line<'_>) -> Diagnostic {
    let start = first.content_start();
    let below = line.content_start();
    let finding = Diagnostic::new(
        &WRONG_INDENTATION,
        broken.span(start, start + first.content().len()),
        message!(
            "first line of the document is indented by {}, the others are not",
            blanks(first.indent())
        ),
    )
    .label(broken.span(below, below + line.content().len()), "not indented");
    if line.previous(broken.body).is_some_and(|before| before.start == first.start) {
        let place = broken.span(first.start, start);
        return finding.suggest(place, "", "remove the indentation");
    }
    finding.help("indent all keys of a map by the same number of spaces")
}

pub(super) fn blanks(count: usize) -> String {
    match count {
        0 => "0 spaces".to_owned(),
        1 => "1 space".to_owned(),
        count => format!("{count} spaces"),
    }
}

fn list_and_map_mixed(
    broken: &Broken<'_>,
    here: FileSpan,
    above: Line<'_>,
    is_item: bool,
) -> Diagnostic {
    let start = above.content_start();
    let place = broken.span(start, start + above.content().len());
    let (message, label, help) = if is_item {
        (
            "list item among the keys of a map",
            "key of the map",
            "indent the item below its key, or write it as `key: value`",
        )
    } else {
        (
            "key among the items of a list",
            "item of the list",
            "write `- ` before the key, or indent it by two more spaces (part of the item) or two \
            fewer (after the list)",
        )
    };
    Diagnostic::new(&LIST_AND_MAP_MIXED, here, message).label(place, label).help(help)
}
