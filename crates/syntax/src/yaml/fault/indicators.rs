//! Reserved characters at the start of a value, and templates without quotes.

use std::ops::Range;

use super::Broken;
use super::line::{Line, quoted};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::source::{FileSpan, Slice as _, offset};

declare_rules! {
    RESERVED_CHARACTER = "reserved-character", Error;
    TEMPLATE_NOT_QUOTED = "template-not-quoted", Error;
}

/// Explains a value with an invalid start.
pub(super) fn explain(broken: &Broken<'_>) -> Option<Diagnostic> {
    let line = Line::at(broken.body, broken.at);
    if line.content().starts_with("{%") {
        return Some(template_statement(broken, line));
    }
    if line.text.starts_with('%') {
        let text = line.key_value().map_or_else(|| line.rest(line.start), |found| found.key);
        return Some(reserved(broken, line.start, text));
    }
    // The parser reports the position of the indicator, or its end for an invalid block header.
    let at = start_of_value(broken, line);
    let value = match broken.flow {
        Some(_) => line.rest(at).split([',', ']', '}']).next().unwrap_or("").trim_end(),
        None => line.rest(at),
    };
    let is_block = value.starts_with(['|', '>']) && broken.flow.is_none();
    if is_block && line.next(broken.body).is_some_and(|next| next.indent() > line.indent()) {
        return Some(text_on_header(broken, at, value));
    }
    (!value.is_empty()).then(|| reserved(broken, at, value))
}

/// Reports `value`, at `at`, which begins with a reserved character.
pub(super) fn reserved(broken: &Broken<'_>, at: usize, value: &str) -> Diagnostic {
    let first = value.chars().next().unwrap_or(' ');
    let span = broken.span(at, at + value.len());
    // A backquote cannot appear between backquotes.
    let shown = if first == '`' { "a backquote".into() } else { message!("`{first}`") };
    let finding = Diagnostic::new(
        &RESERVED_CHARACTER,
        broken.span(at, at + first.len_utf8()),
        message!("unquoted value starts with {shown}"),
    );
    let finding = match first {
        '|' | '>' => {
            finding.note(message!("`{first}` starts a block scalar on the following lines"))
        }
        '&' => finding.note("`&name` defines an anchor; `&` alone is invalid"),
        '*' => finding.note("`*name` refers to an anchor; `*` alone is invalid"),
        '%' => finding.note("`%` starts a directive"),
        _ => finding.note(message!("YAML reserves {shown}")),
    };
    finding.fix(span, quoted(value), "quote the value")
}

/// `a: | text` with more text below.
fn text_on_header(broken: &Broken<'_>, at: usize, value: &str) -> Diagnostic {
    let behind =
        value.slice(1..).trim_start_matches(|c: char| matches!(c, '+' | '-' | ' ' | '1'..='9'));
    let start = at + value.len() - behind.len();
    Diagnostic::new(
        &RESERVED_CHARACTER,
        broken.span(start, start + behind.len()),
        "text on the same line as `|` or `>`",
    )
    .label(broken.span(at, at + 1), "block scalar starts here")
    .help("move the text to the next line")
}

fn start_of_value(broken: &Broken<'_>, line: Line<'_>) -> usize {
    match line.key_value() {
        Some(found) if broken.flow.is_none() && found.value_start <= broken.at => found.value_start,
        _ if broken.flow.is_none() && line.item_start() <= broken.at => line.item_start(),
        _ => broken.at,
    }
}

/// Whether a line is only a statement of a template: `{{- if .Values.debug }}`.
pub(super) fn is_template_line(line: Line<'_>) -> bool {
    let statement = line.content().strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
    statement.is_some_and(|statement| {
        let inside = statement.trim_matches(['-', ' ']);
        let word = inside.split(' ').next().unwrap_or("");
        let words =
            ["block", "define", "else", "end", "if", "include", "range", "template", "with"];
        words.contains(&word) || inside.starts_with(['$', '.'])
    })
}

pub(super) fn template_statement(broken: &Broken<'_>, line: Line<'_>) -> Diagnostic {
    let start = line.content_start();
    Diagnostic::new(
        &TEMPLATE_NOT_QUOTED,
        broken.span(start, start + line.content().len()),
        "template statement between the lines of a document",
    )
    .note("the YAML is parsed first; templates are then evaluated inside single values")
    .help(
        "use `expand` to create several objects from one definition, or write the condition \
        inside a quoted value",
    )
}

/// A template inside a plain scalar in brackets: `text` is the whole value at `span`.
pub(super) fn template_in_brackets(span: FileSpan, text: &str) -> Diagnostic {
    Diagnostic::new(&TEMPLATE_NOT_QUOTED, span, "a template in brackets requires quotes")
        .note("in brackets, `{` starts a map, even inside an unquoted string")
        .suggest(span, quoted(text), "quote the value")
}

/// A template without quotes: `text` is the whole value at `span`.
pub(in crate::yaml) fn template_not_quoted(span: FileSpan, text: &str) -> Diagnostic {
    let Some((written, braces)) = without_spaces(text) else {
        return Diagnostic::new(
            &TEMPLATE_NOT_QUOTED,
            span,
            "unquoted template at the start of a value",
        )
        .note("unquoted, `{` starts a map; templates are evaluated after the YAML has been parsed")
        .suggest(span, quoted(text), "quote the value");
    };
    let (start, end) = (offset(braces.start), offset(braces.end));
    let place = FileSpan { start: span.start + start, end: span.start + end, ..span };
    let message = "space between the braces of an unquoted template";
    Diagnostic::new(&TEMPLATE_NOT_QUOTED, place, message)
        .at("space between two braces")
        .note("unquoted, `{` starts a map; templates are evaluated after the YAML has been parsed")
        .suggest(span, quoted(&written), "remove the space and quote the value")
}

/// A template without the spaces between its braces.
pub(in crate::yaml) fn template_text(text: &str) -> String {
    without_spaces(text).map_or_else(|| text.to_owned(), |(written, _)| written)
}

/// A template with spaces between its braces: the text without them, and the first such braces.
fn without_spaces(text: &str) -> Option<(String, Range<usize>)> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let opened = inner.trim_start_matches([' ', '\t']);
    let closed = opened.trim_end_matches([' ', '\t']);
    let before = inner.len() - opened.len();
    let after = opened.len() - closed.len();
    if before + after == 0 || !closed.starts_with('{') || !closed.ends_with('}') {
        return None;
    }
    let end = text.len() - 1;
    let braces = if before > 0 { 0..before + 2 } else { end - after - 1..text.len() };
    Some((format!("{{{closed}}}"), braces))
}
