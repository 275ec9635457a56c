//! Missing colons, spaces after colons and dashes, and colons that need quotes.

use super::brackets::UNMATCHED_BRACKET;
use super::line::{Line, key_value, quoted};
use super::{Broken, pasted};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::source::{FileSpan, Slice as _, Span};

declare_rules! {
    MISSING_COLON = "missing-colon", Error;
    MISSING_SPACE_AFTER_COLON = "missing-space-after-colon", Error;
    MISSING_SPACE_AFTER_DASH = "missing-space-after-dash", Error;
    UNQUOTED_COLON = "unquoted-colon", Error;
}

/// `key: value: more`.
pub(super) fn unquoted_colon(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let outer = line.key_value()?;
    let value = line.rest(outer.value_start);
    if outer.colon >= broken.at || value.starts_with(['"', '\'', '[', '{', '|', '>']) {
        return None;
    }
    let inner = key_value(value, outer.value_start)?;
    let place = broken.span(outer.value_start, outer.value_start + value.len());
    if let Some(finding) = opening_bracket_missing(broken, value, outer.value_start) {
        return Some(finding);
    }
    let finding = Diagnostic::new(
        &UNQUOTED_COLON,
        broken.span(inner.colon, inner.colon + 1),
        message!("unquoted value of `{}` contains `: `", outer.key),
    )
    .at("`: ` separates a key from its value")
    .label(broken.span(line.item_start(), outer.colon), "key of this line");
    // Typographic quotes are not quotes in YAML.
    let bare = value
        .strip_prefix(['“', '”', '„', '‘', '’'])
        .map(|it| it.trim_end_matches(['“', '”', '‘', '’']));
    let finding = if bare.is_some() {
        finding.note("typographic quotes are ordinary characters in YAML; use `\"` or `'`")
    } else {
        finding
    };
    Some(finding.suggest(place, quoted(bare.unwrap_or(value)), "quote the value"))
}

/// `ports: name: http, port: 80}`: a map whose opening bracket is missing.
fn opening_bracket_missing(broken: &Broken<'_>, value: &str, start: usize) -> Option<Diagnostic> {
    let mut depth = 0_usize;
    let mut unmatched = None;
    for (at, c) in value.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => unmatched = Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    let at = unmatched.filter(|at| at + 1 == value.len())?;
    Some(
        Diagnostic::new(
            &UNMATCHED_BRACKET,
            broken.span(start + at, start + at + 1),
            "unmatched `}`: missing `{`",
        )
        .at("not opened before")
        .suggest(broken.span(start, start), "{", "open the map"),
    )
}

/// A line without a colon among the keys of a map.
pub(super) fn without_colon(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let content = line.content();
    if line.key_value().is_some() || content.starts_with(['{', '[', '}', ']']) {
        return None;
    }
    if is_dash_without_blank(content) {
        let dash = line.content_start();
        return Some(space_after_dash(
            broken.span(dash, dash + 1),
            broken.span(dash + 1, dash + 1),
        ));
    }
    (!content.starts_with("- ") && content != "-").then(|| missing_colon(broken, line))
}

/// Reports a missing colon after the key of `line`.
pub(super) fn missing_colon(broken: &Broken<'_>, line: Line<'_>) -> Diagnostic {
    let start = line.item_start();
    let rest = line.rest(start);
    if is_dash_without_blank(rest) {
        return space_after_dash(broken.span(start, start + 1), broken.span(start + 1, start + 1));
    }
    if let "..." | "…" = rest {
        return pasted::omission(broken, line);
    }
    // Keys are one word: in `image python:3.13` the colon belongs to the value.
    let word = rest.split([' ', '\t']).next().unwrap_or(rest);
    let in_value =
        |at: usize| rest.get(..at).is_some_and(|before| before.trim_end().len() > word.len());
    let is_quoted = rest.starts_with(['"', '\'']);
    if let Some(at) = rest.find([':', '：']).filter(|at| !is_quoted && !in_value(*at)) {
        let length =
            rest.get(at..).and_then(|after| after.chars().next()).map_or(1, char::len_utf8);
        let colon = broken.span(start + at, start + at + length);
        let text = broken.span(start, start + rest.len());
        let finding = space_after_colon(text, colon, rest.slice(..at));
        return match length {
            1 => finding,
            _ => finding.note("`：` is an ordinary character in YAML; use `:`"),
        };
    }
    let key = rest.split([' ', '\t', '=']).next().unwrap_or(rest);
    let key = key.strip_suffix(';').filter(|it| !it.is_empty()).unwrap_or(key);
    colon_behind(broken, start, start + key.len(), rest.slice(key.len()..))
}

/// Reports a missing colon after the key from `start` to `end`; `behind` is the text after it.
pub(super) fn colon_behind(
    broken: &Broken<'_>,
    start: usize,
    end: usize,
    behind: &str,
) -> Diagnostic {
    let key = broken.body.slice(start..end);
    let finding = Diagnostic::new(
        &MISSING_COLON,
        broken.span(start, end + behind.len()),
        message!("missing colon after `{key}`"),
    )
    .at("neither `key: value` nor a list item");
    let value = behind.trim_start_matches([' ', '\t', '=', ';']);
    let place = broken.span(end, end + behind.len() - value.len());
    let is_key = !key.is_empty() && !key.contains(['<', '>', ',', ';', '(', ')']);
    if !is_key || (value.contains(' ') && !value.contains(['"', '\''])) {
        return finding.help(
            "write `key: value`; if the line continues the string above, indent it deeper \
                than the key of that string",
        );
    }
    let replacement = if value.is_empty() { ":" } else { ": " };
    finding.suggest(place, replacement, message!("write `{key}:`"))
}

/// Whether the text begins with a dash without a space after it.
pub(super) fn is_dash_without_blank(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '"'))
}

fn space_after_dash(dash: FileSpan, behind: FileSpan) -> Diagnostic {
    missing_dash_space(dash.into(), behind.into())
}

/// Reports a dash without a space after it.
pub(super) fn missing_dash_space(dash: Span, behind: Span) -> Diagnostic {
    Diagnostic::new(&MISSING_SPACE_AFTER_DASH, dash, "missing space after `-`")
        .at("requires a space after it")
        .suggest(behind, " ", "add a space")
}

fn space_after_colon(text: FileSpan, colon: FileSpan, key: &str) -> Diagnostic {
    Diagnostic::new(
        &MISSING_SPACE_AFTER_COLON,
        colon,
        message!("missing space after the colon of `{key}`"),
    )
    .label(text, "single string without the space")
    .suggest(colon, ": ", "add a space")
}

/// `key:|` without a space, in a line before or around the one where the parser stopped.
pub(super) fn before_block(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let mut lines = vec![line];
    lines.extend(line.previous(broken.body));
    lines.extend(line.open_above(broken.body));
    lines.into_iter().find_map(|line| {
        let start = line.item_start();
        let text = line.rest(start);
        let at = block_colon(text)?;
        let place = broken.span(start, start + text.len());
        let colon = broken.span(start + at, start + at + 1);
        Some(space_after_colon(place, colon, text.slice(..at)))
    })
}

/// `-key:` without a space, in a line before or around the one where the parser stopped.
pub(super) fn before_dash(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let lines = line.previous(broken.body).into_iter().chain(line.open_above(broken.body));
    let dashed = lines.into_iter().find(|other| {
        is_dash_without_blank(other.content())
            && other.key_value().is_some_and(|field| field.value.is_empty())
    })?;
    let dash = dashed.content_start();
    Some(space_after_dash(broken.span(dash, dash + 1), broken.span(dash + 1, dash + 1)))
}

/// The colon of `key:|`: a key directly followed by the header of a block scalar.
fn block_colon(text: &str) -> Option<usize> {
    let at = text.find(':')?;
    let (key, header) = (text.get(..at)?, text.get(at + 1..)?);
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_header = |it: &str| it.chars().all(|c| matches!(c, '+' | '-' | '1'..='9'));
    let header = header.strip_prefix(['|', '>'])?;
    (!key.is_empty() && key.chars().all(is_key) && is_header(header)).then_some(at)
}

/// `key:{a: "b"}`: a bracket directly after the colon of the first key of a line.
pub(super) fn glued_bracket(broken: &Broken<'_>, line: Line<'_>) -> Option<Diagnostic> {
    let start = line.item_start();
    let text = line.rest(start);
    let at = text.find(":{").into_iter().chain(text.find(":[")).min()?;
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let key = text.get(..at).filter(|key| !key.is_empty() && key.chars().all(is_key))?;
    let place = broken.span(start, start + text.len());
    Some(space_after_colon(place, broken.span(start + at, start + at + 1), key))
}

/// `metadata:{name: web}`: YAML reads the key `metadata:{name`.
pub(in crate::yaml) fn glued_key(span: FileSpan, text: &str) -> Option<Diagnostic> {
    let at = text.find(":{").into_iter().chain(text.find(":[")).min()?;
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let key = text.get(..at).filter(|key| !key.is_empty() && key.chars().all(is_key))?;
    let start = span.start + u32::try_from(at).ok()?;
    Some(space_after_colon(span, FileSpan { start, end: start + 1, ..span }, key))
}

/// `{a:[b]}`: a bracket directly after the colon.
pub(super) fn before_bracket(broken: &Broken<'_>) -> Option<Diagnostic> {
    let line = Line::at(broken.body, broken.at);
    let until = line.text.get(..=line.column(broken.at) + 1).unwrap_or(line.text);
    let at = line.start + until.rfind(":[").max(until.rfind(":{"))?;
    let before = broken.body.get(line.start..at)?;
    let key = before.rsplit([' ', ',', '{', '[']).next().unwrap_or("");
    let text = broken.span(at - key.len(), at + 2);
    Some(space_after_colon(text, broken.span(at, at + 1), key))
}

/// Whether the lines of a scalar at `start` of a file can be items or keys of their own: the first one is
/// not on the line of the key, and all begin at one column. A long string that a program folds begins
/// after its key.
fn is_aligned(file: &str, start: u32, text: &str) -> bool {
    let before = file.slice(..start as usize);
    let before = before.rsplit('\n').next().unwrap_or("");
    let column = |line: &str| line.len() - line.trim_start_matches(' ').len();
    before.bytes().all(|byte| byte == b' ')
        && text
            .lines()
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .all(|line| column(line) == before.len())
}

/// A plain scalar of several lines, each of which begins with a dash: a list whose dashes have no
/// space after them. `text` is the scalar as written at `span`.
pub(in crate::yaml) fn missing_dash_spaces(
    file: &str,
    span: FileSpan,
    text: &str,
) -> Option<Diagnostic> {
    let lines = || text.lines().map(str::trim);
    let is_list = lines().count() > 1
        && is_aligned(file, span.start, text)
        && lines().all(|line| {
            line.strip_prefix('-').is_some_and(|it| it.starts_with(char::is_alphanumeric))
        });
    is_list.then(|| {
        let dash = FileSpan { end: span.start + 1, ..span };
        let behind = FileSpan { start: span.start + 1, end: span.start + 1, ..span };
        space_after_dash(dash, behind).note("without spaces, these lines are a single string")
    })
}

/// A plain scalar of several lines, each of which looks like `key:value`, or a key in brackets that
/// does.
pub(in crate::yaml) fn missing_space_after_colon(
    file: &str,
    span: FileSpan,
    text: &str,
) -> Option<Diagnostic> {
    let is_pair = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            !value.is_empty()
                && !value.starts_with(['/', ':'])
                && !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '"' | '\''))
        })
    };
    let is_block = text.lines().next().is_some_and(|line| block_colon(line).is_some());
    let is_folded = text.contains('\n') && !is_aligned(file, span.start, text);
    if !is_block && (is_folded || !text.lines().all(|line| is_pair(line.trim()))) {
        return None;
    }
    let at = u32::try_from(text.find(':')?).ok()?;
    let colon = FileSpan { start: span.start + at, end: span.start + at + 1, ..span };
    Some(space_after_colon(span, colon, text.split(':').next().unwrap_or("")))
}
