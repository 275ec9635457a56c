//! Faults of quotes: unclosed, closed too early, or with invalid escapes.

use std::ops::Range;

use super::Broken;
use super::line::{Line, key_value, quoted_length};
use super::{brackets, colons};
use crate::diag::{CommonCause, Diagnostic, declare_rules, message};
use crate::source::{FileSpan, Slice as _, lines, offset};

declare_rules! {
    UNCLOSED_QUOTE = "unclosed-quote", Error;
    QUOTED_TEXT_NOT_INDENTED = "quoted-text-not-indented", Warning;
    TEXT_AFTER_QUOTE = "text-after-quote", Error;
    UNKNOWN_ESCAPE = "unknown-escape", Error;
}

/// A quoted scalar, as offsets; `end` is after the closing quote, if any.
struct Quoted {
    start: usize,
    end: Option<usize>,
    quote: char,
}

/// The maximum number of spaces that all lines of a string lack together; more are not added.
const MAX_INDENTATION: usize = 1 << 20;

/// The quoted scalars from the parser's last token up to the position where it stopped.
fn quoted_texts(broken: &Broken<'_>) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut at = broken.cursor.min(broken.at);
    let mut before = '\n';
    while at <= broken.at
        && let Some(rest) = broken.body.get(at..)
        && let Some(c) = rest.chars().next()
    {
        let can_begin = before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':' | '(');
        match c {
            '#' if before.is_whitespace() => {
                at = lines::end(broken.body, at);
                before = '\n';
                continue;
            }
            '"' | '\'' if can_begin => {
                let end = quoted_length(rest, c).map(|length| at + length);
                found.push(Quoted { start: at, end, quote: c });
                let Some(end) = end else { break };
                at = end;
            }
            _ => at += c.len_utf8(),
        }
        before = c;
    }
    found
}

/// A quote that is never closed, or closed by a quote of a later line.
pub(super) fn unclosed(broken: &Broken<'_>) -> Option<Diagnostic> {
    let opening = find_unclosed(broken)?;
    let line = Line::at(broken.body, opening.start);
    let next = line.next(broken.body);
    if let (Some(end), Some(next)) = (opening.end, next)
        && next.key_value().is_none_or(|field| field.colon >= end)
        && !next.content().starts_with("- ")
    {
        let here = Line::at(broken.body, broken.at);
        let here = if here.is_trivia() { here.next(broken.body).unwrap_or(here) } else { here };
        let finding = not_indented_at(
            broken.span(here.content_start(), here.content_start() + here.content().len()),
            broken.span(opening.start, opening.start + 1),
        );
        let (range, replacement) = indented_lines(broken.body, &opening);
        let place = broken.span(range.start, range.end);
        return Some(finding.fix(place, replacement, "indent the lines"));
    }
    let rest = line.rest(opening.start);
    let inside = rest.strip_suffix(',').unwrap_or(rest);
    let end = opening.start + inside.len();
    let quote = opening.quote;
    let finding = Diagnostic::new(
        &UNCLOSED_QUOTE,
        broken.span(opening.start, opening.start + 1),
        message!("unclosed quote: missing `{quote}`"),
    )
    .at("opened here");
    let finding = match next.filter(|_| broken.at > end) {
        Some(next) => {
            let start = next.content_start();
            let place = broken.span(start, start + next.content().len());
            finding.label(place, "would be part of the string")
        }
        None => finding,
    };
    // Inside a flow collection, the scalar may end before a bracket.
    let inside_end = match broken.flow {
        Some(_) => opening.start + inside.trim_end_matches([']', '}', ',']).len(),
        None => end,
    };
    let place = broken.span(inside_end, inside_end);
    Some(finding.suggest(place, quote.to_string(), "close the quote"))
}

/// The first string that does not end on the line where it starts.
fn find_unclosed(broken: &Broken<'_>) -> Option<Quoted> {
    quoted_texts(broken).into_iter().find(|text| {
        text.end.is_none_or(|end| {
            end > broken.at
                || Line::at(broken.body, end).start > Line::at(broken.body, text.start).start
        })
    })
}

/// The finding for a string in quotes at `span`, of which the line at `line` is not indented; `slice` is
/// the span of `body`.
pub(in crate::yaml) fn not_indented(
    slice: FileSpan,
    body: &str,
    span: FileSpan,
    line: u32,
) -> Diagnostic {
    let local = |at: u32| at.saturating_sub(slice.start) as usize;
    let start = local(span.start);
    let quote = body.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('"');
    let opening = Quoted { start, end: Some(local(span.end)), quote };
    let here = Line::at(body, local(line));
    let whole = |at| slice.start.saturating_add(offset(at));
    let place = |start, end| FileSpan { start: whole(start), end: whole(end), ..slice };
    let finding = not_indented_at(
        place(here.content_start(), here.content_start() + here.content().len()),
        place(start, start + 1),
    );
    let file = FileSpan { start: 0, end: 0, ..slice };
    let finding = finding.because_of(CommonCause::Writer(file.into()));
    let (range, replacement) = indented_lines(body, &opening);
    if replacement.is_empty() {
        return finding.help("indent the lines deeper than the key");
    }
    finding.fix(place(range.start, range.end), replacement, "indent the lines")
}

fn not_indented_at(line: FileSpan, opening: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &QUOTED_TEXT_NOT_INDENTED,
        line,
        "continuation line of a quoted string is not indented",
    )
    .label(opening, "string starts here")
    .note("Kubernetes' parser accepts this, but YAML 1.2 parsers do not")
}

/// The lines of a string in quotes after its first, each deeper than its key: the place, and the text
/// there.
fn indented_lines(body: &str, opening: &Quoted) -> (Range<usize>, String) {
    let end = opening.end.unwrap_or(body.len());
    let missing = missing_in(body, opening, Line::at(body, opening.start));
    let start = missing.first().map_or(end, |(at, _)| *at);
    let last = missing.last().map_or(start, |(at, _)| *at);
    let mut text = String::new();
    let mut from = start;
    for (at, blanks) in &missing {
        text.push_str(body.slice(from..*at));
        text.push_str(blanks);
        from = *at;
    }
    (start..last, text)
}

fn missing_in(body: &str, opening: &Quoted, line: Line<'_>) -> Vec<(usize, String)> {
    let indent = line.column(line.item_start()) + 2;
    let mut total = 0;
    let end = opening.end.unwrap_or(body.len());
    let mut missing = Vec::new();
    let mut start = line.start + line.text.len();
    while let Some(rest) = body.get(start..end).filter(|it| !it.is_empty()) {
        let breaks = if rest.starts_with("\r\n") { 2 } else { 1 };
        let next = Line::at(body, start + breaks);
        if next.start >= end {
            break;
        }
        let own = next.indent();
        if own < indent && !next.content().is_empty() {
            total += indent - own;
            if total > MAX_INDENTATION {
                return Vec::new();
            }
            missing.push((next.start, " ".repeat(indent - own)));
        }
        start = next.start + next.text.len();
    }
    missing
}

/// Text after a closing quote.
pub(super) fn text_behind(broken: &Broken<'_>) -> Option<Diagnostic> {
    let closed = quoted_texts(broken)
        .into_iter()
        .rfind(|text| text.end.is_some_and(|end| end <= broken.at))?;
    let end = closed.end?;
    let line = Line::at(broken.body, broken.at);
    let behind = line.rest(broken.at);
    let with_gap = match broken.flow {
        Some(_) => line.rest(end).split([',', ']', '}']).next().unwrap_or(""),
        None => line.rest(end),
    };
    if let Some(finding) = colons::glued_bracket(broken, line) {
        return Some(finding);
    }
    if line.item_start() == closed.start && broken.flow.is_none() && !behind.starts_with(',') {
        return Some(colons::colon_behind(broken, closed.start, end, with_gap));
    }
    if let Some(opening) = broken.flow
        && (end < broken.at || behind.starts_with(['"', '\'']))
    {
        let before = broken.body.slice(..closed.start).trim_end();
        let is_key = broken.body.get(opening..)?.starts_with('{') && before.ends_with(['{', ',']);
        return Some(if is_key {
            colons::colon_behind(broken, closed.start, end, with_gap)
        } else {
            brackets::missing_comma(broken, end)
        });
    }
    let start = closed.start;
    let finding = Diagnostic::new(
        &TEXT_AFTER_QUOTE,
        broken.span(broken.at, broken.at + behind.len()),
        "text after the closing quote",
    )
    .label(broken.span(end - 1, end), "the quote is closed here");
    if behind == "," && broken.flow.is_none() {
        let place = broken.span(broken.at, broken.at + 1);
        return Some(finding.suggest(place, "", "remove the comma"));
    }
    let whole = broken.body.get(start..broken.at + behind.len())?;
    let place = broken.span(start, start + whole.len());
    let inside = whole.slice(1..whole.len().saturating_sub(1));
    Some(match closed.quote {
        _ if broken.flow.is_some() => finding.help("remove the text, or move it inside the quotes"),
        '\'' if whole.ends_with('\'') => {
            finding.note("unescaped `'` in a single-quoted string").suggest(
                place,
                format!("'{}'", inside.replace("''", "'").replace('\'', "''")),
                "write `''`",
            )
        }
        '"' if whole.ends_with('"') => finding
            .note("unescaped `\"` in a double-quoted string")
            .suggest(place, format!("\"{}\"", with_backslashes(inside)), "write `\\\"`"),
        _ => finding.note("a quoted value ends at the next matching quote").suggest(
            place,
            format!("'{}'", whole.replace('\'', "''")),
            "quote the whole value",
        ),
    })
}

/// Adds a backslash before each unescaped double quote.
fn with_backslashes(text: &str) -> String {
    let mut written = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                written.push(c);
                written.extend(chars.next());
            }
            '"' => written.push_str("\\\""),
            c => written.push(c),
        }
    }
    written
}

/// An invalid escape.
pub(super) fn escape(broken: &Broken<'_>) -> Option<Diagnostic> {
    let text = quoted_texts(broken).into_iter().rfind(|text| text.quote == '"')?;
    let whole = broken.body.get(text.start..text.end.unwrap_or(broken.body.len()))?;
    let (at, length) = bad_escape(whole)?;
    let start = text.start + at;
    let shown = whole.get(at..at + length)?;
    let place = broken.span(start, start + length);
    Some(
        Diagnostic::new(&UNKNOWN_ESCAPE, place, message!("invalid escape `{shown}`"))
            .label(broken.span(text.start, text.start + 1), "a backslash starts an escape here")
            .suggest(
                broken.span(start, start),
                "\\",
                "write the backslash twice, or use single quotes",
            ),
    )
}

/// The offset and length of the first invalid escape.
fn bad_escape(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + found;
        let rest = text.get(start + 1..)?;
        let kind = rest.chars().next()?;
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let hex: String = rest.chars().skip(1).take(digits).collect();
        let is_known = "0abt\tnvfre \"/\\N_LP\n\r".contains(kind);
        let is_code = digits > 0
            && hex.len() == digits
            && u32::from_str_radix(&hex, 16).is_ok_and(|code| char::from_u32(code).is_some());
        if !is_known && !is_code {
            let taken = hex.chars().take_while(char::is_ascii_hexdigit).count();
            return Some((start, 1 + kind.len_utf8() + taken));
        }
        at = start + 1 + kind.len_utf8();
    }
    None
}

/// Whether the line looks like `key: value`.
pub(super) fn reads_like_key(line: Line<'_>) -> bool {
    key_value(line.content(), 0)
        .is_some_and(|field| !field.key.contains(' ') && !field.key.is_empty())
}
