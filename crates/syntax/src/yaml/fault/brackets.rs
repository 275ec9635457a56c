//! Faults of flow lists and maps: unclosed, closed by the wrong bracket, or with missing commas.

use super::indicators::template_in_brackets;
use super::line::{Line, quoted_length};
use super::quotes::reads_like_key;
use super::{Broken, YAML_SYNTAX};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::sorted::SortedMap;
use crate::source::{Slice as _, lines};

declare_rules! {
    UNCLOSED_BRACKET = "unclosed-bracket", Error;
    UNMATCHED_BRACKET = "unmatched-bracket", Error;
    MISSING_COMMA = "missing-comma", Error;
}

/// The brackets up to a position: the open ones, and the first mismatch.
struct Scan {
    /// The offsets of open brackets, with their closing brackets.
    open: Vec<(usize, char)>,
    /// The first closing bracket that does not match.
    wrong: Option<(usize, char)>,
}

/// Explains a fault in brackets.
pub(super) fn explain(broken: &Broken<'_>) -> Option<Diagnostic> {
    let start = broken.flow.unwrap_or(broken.cursor.min(broken.at));
    if let Some(finding) = template_in_text(broken) {
        return Some(finding);
    }
    if let Some(finding) = inner_brace_missing(broken) {
        return Some(finding);
    }
    let scan = scan_brackets(broken.body, start);
    if broken.flow.is_none() && !broken.body.get(broken.at..)?.starts_with(['[', '{', ']', '}']) {
        return None;
    }
    // A later line that looks like a key and is indented no deeper than the line of the bracket
    // does not belong to the brackets, whatever brackets it contains.
    let opening = scan.open.first().map(|(at, _)| *at).or(broken.flow);
    if let Some(opening) = opening
        && let Some(outside) = line_outside(broken.body, opening)
        && scan.wrong.is_none_or(|(at, _)| at > outside.start)
        && let Some(close) = closing_bracket(broken.body, opening)
    {
        return Some(unclosed_bracket(broken, opening, close, Some(outside)));
    }
    if let Some((at, found)) = scan.wrong {
        return Some(unmatched_bracket(broken, &scan, at, found));
    }
    if let Some((opening, close)) = scan.open.last().copied() {
        return Some(match unclosed_inside(broken.body, opening) {
            Some((inner, close, outside)) => unclosed_bracket(broken, inner, close, Some(outside)),
            None => unclosed_bracket(broken, opening, close, None),
        });
    }
    // `- {a: b}}`: the fault is after the brackets that the scan has matched.
    if let Some(found @ (']' | '}')) = broken.body.get(broken.at..)?.chars().next() {
        return Some(unmatched_bracket(broken, &scan, broken.at, found));
    }
    let rest = broken.body.get(broken.at..)?;
    if rest.starts_with(',') {
        return Some(superfluous_comma(broken));
    }
    let before = broken.body.get(..broken.at)?.trim_end();
    Some(missing_comma(broken, before.len()))
}

/// `[a,, b]`: there is no item before the comma.
fn superfluous_comma(broken: &Broken<'_>) -> Diagnostic {
    let comma = broken.span(broken.at, broken.at + 1);
    Diagnostic::new(&YAML_SYNTAX, comma, "comma without an item before it")
        .at("no item before it")
        .suggest(comma, "", "remove the comma")
}

/// `{limits: memory: 4Gi}}`: the value of a key is a map whose opening bracket is missing.
fn inner_brace_missing(broken: &Broken<'_>) -> Option<Diagnostic> {
    let opening = broken.flow?;
    // The parser stops at the second key or its colon.
    let read = broken.body.get(opening..broken.at)?;
    let is_colon = broken.body.get(broken.at..)?.starts_with(':');
    let word = read.rfind([' ', '\t']).map_or(0, |at| at + 1);
    let start = if is_colon { opening + word } else { broken.at };
    let before = broken.body.get(opening..start)?.trim_end();
    let line = Line::at(broken.body, start);
    let value = line.rest(start);
    let is_key = value.split([',', '}']).next().is_some_and(|item| item.contains(": "));
    let count = |c: char| line.text.matches(c).count();
    if !before.ends_with(':') || !is_key || count('}') != count('{') + 1 {
        return None;
    }
    let mut depth = 0_usize;
    let close = value.char_indices().find(|(_, c)| {
        depth += usize::from(*c == '{');
        let is_close = *c == '}' && depth == 0;
        depth -= usize::from(*c == '}' && depth > 0);
        is_close
    });
    let close = start + close?.0;
    let finding = Diagnostic::new(
        &UNMATCHED_BRACKET,
        broken.span(close, close + 1),
        "unmatched `}`: missing `{`",
    );
    Some(finding.at("not opened before").suggest(broken.span(start, start), "{", "open the map"))
}

/// The length of a template at `at`: `{{ values.b }}`, or `{B}` after a `$`.
fn template_length(body: &str, at: usize) -> Option<usize> {
    let (before, rest) = body.split_at_checked(at)?;
    let close = match rest {
        _ if rest.starts_with("{{") => "}}",
        _ if rest.starts_with('{') && before.ends_with('$') => "}",
        _ => return None,
    };
    let length = lines::first(rest).find(close)? + close.len();
    Some(length)
}

/// A list item in a line below brackets that are still open.
pub(super) fn dash(broken: &Broken<'_>) -> Option<Diagnostic> {
    let opening = broken.flow?;
    let outside = line_outside(broken.body, opening).filter(|line| line.start <= broken.at)?;
    Some(unclosed_bracket(broken, opening, closing_bracket(broken.body, opening)?, Some(outside)))
}

/// `{a: x-{{ values.b }}}` and `{a: ${B}}`: a template inside a plain scalar in brackets, where its braces begin
/// a map.
fn template_in_text(broken: &Broken<'_>) -> Option<Diagnostic> {
    let before = broken.body.get(..broken.at)?;
    broken.flow?;
    template_length(broken.body, broken.at)?;
    let start = before.rfind(['{', '[', ',', '\n']).map_or(0, |at| at + 1);
    let piece = before.get(start..)?;
    let start = start + piece.rfind(": ").map_or(0, |at| at + 2);
    let text = before.get(start..)?;
    let start = start + text.len() - text.trim_start().len();
    if start == broken.at {
        return None;
    }
    let mut end = broken.at;
    while let Some(rest) = broken.body.get(end..) {
        if let Some(length) = template_length(broken.body, end) {
            end += length;
            continue;
        }
        let plain = rest.find(['{', '}', '[', ']', ',', '\n']).unwrap_or(rest.len());
        end += plain;
        if plain == 0 || template_length(broken.body, end).is_none() {
            break;
        }
    }
    let value = broken.body.get(start..end)?.trim_end();
    Some(template_in_brackets(broken.span(start, start + value.len()), value))
}

/// The first line that does not belong to the brackets opened at `opening`, although they are open.
fn line_outside(body: &str, opening: usize) -> Option<Line<'_>> {
    let line = Line::at(body, opening);
    let end = end_of(body, opening);
    // Below `- a: [`, a key in the column of `a` is the next one of the item.
    let is_value = line.key_value().is_some_and(|field| field.colon < opening);
    let column = if is_value { line.column(line.item_start()) } else { line.indent() };
    let mut next = line.next(body);
    while let Some(candidate) = next {
        if end.is_some_and(|end| candidate.start > end) {
            return None;
        }
        let is_key = reads_like_key(candidate) && !candidate.content().starts_with(['"', '\'']);
        if candidate.indent() <= column && (is_key || candidate.content().starts_with("- ")) {
            return Some(candidate);
        }
        next = candidate.next(body);
    }
    None
}

/// Of the brackets inside those opened at `outer`, which the end of the text leaves open: the first
/// that is still open in a line that is indented no deeper than its own. That line is outside of it.
fn unclosed_inside(body: &str, outer: usize) -> Option<(usize, char, Line<'_>)> {
    let first = Line::at(body, outer);
    let mut scanner = Scanner::new(body, outer);
    let mut next = first.next(body);
    // The lines of the open brackets, which can be long.
    let mut lines: SortedMap<usize, (usize, usize)> = SortedMap::new();
    while let Some(line) = next {
        scanner.advance(line.start);
        let (open, close) = *scanner.scan.open.last()?;
        let is_end = line.content().starts_with([']', '}']);
        let (start, indent) = *lines.entry(open).or_insert_with(|| {
            let at = Line::at(body, open);
            (at.start, at.indent())
        });
        let is_inner = open > outer && start > first.start;
        if is_inner && !is_end && line.indent() <= indent {
            return Some((open, close, line));
        }
        next = line.next(body);
    }
    None
}

/// The end of the brackets opened at `opening`.
fn end_of(body: &str, opening: usize) -> Option<usize> {
    let mut scanner = Scanner::new(body, opening);
    scanner.advance(body.len());
    scanner.closed
}

fn scan_brackets(body: &str, start: usize) -> Scan {
    let mut scanner = Scanner::new(body, start);
    scanner.advance(body.len());
    scanner.scan
}

/// Matches brackets, up to the end of the first one, or to the first mismatch.
struct Scanner<'b> {
    body: &'b str,
    at: usize,
    /// The character before `at`.
    before: char,
    scan: Scan,
    /// The closing bracket of the first bracket.
    closed: Option<usize>,
}

impl<'b> Scanner<'b> {
    fn new(body: &'b str, start: usize) -> Self {
        let scan = Scan { open: Vec::new(), wrong: None };
        Self { body, at: start, before: ' ', scan, closed: None }
    }

    /// Continues up to `end`, or to the end of a comment or quoted string there.
    fn advance(&mut self, end: usize) {
        while self.at < end
            && self.closed.is_none()
            && self.scan.wrong.is_none()
            && let Some(rest) = self.body.get(self.at..)
            && let Some(c) = rest.chars().next()
        {
            let length = self.step(c, rest);
            self.at += length.max(1);
            self.before = c;
        }
    }

    /// Reads a character, a comment or a quoted string, and returns its length.
    fn step(&mut self, c: char, rest: &str) -> usize {
        let before = self.before;
        let can_begin = before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':');
        let length = c.len_utf8();
        match c {
            '#' if before.is_whitespace() => return lines::first(rest).len(),
            '"' | '\'' if can_begin => return quoted_length(rest, c).unwrap_or(length),
            '[' => self.scan.open.push((self.at, ']')),
            '{' => self.scan.open.push((self.at, '}')),
            ']' | '}' => self.close(c),
            _ => {}
        }
        length
    }

    fn close(&mut self, c: char) {
        match self.scan.open.last() {
            Some((_, close)) if *close == c => {
                self.scan.open.pop();
                self.closed = self.scan.open.is_empty().then_some(self.at);
            }
            _ => self.scan.wrong = Some((self.at, c)),
        }
    }
}

fn closing_bracket(body: &str, opening: usize) -> Option<char> {
    match body.as_bytes().get(opening)? {
        b'[' => Some(']'),
        b'{' => Some('}'),
        _ => None,
    }
}

fn unclosed_bracket(
    broken: &Broken<'_>,
    opening: usize,
    close: char,
    outside: Option<Line<'_>>,
) -> Diagnostic {
    let finding = Diagnostic::new(
        &UNCLOSED_BRACKET,
        broken.span(opening, opening + 1),
        message!("unclosed bracket: missing `{close}`"),
    )
    .at("opened here");
    let line = Line::at(broken.body, opening);
    let last = match outside {
        Some(outside) => outside.previous(broken.body).unwrap_or(line),
        None => Line::at(broken.body, broken.body.trim_end().len()),
    };
    let finding = match outside {
        Some(outside) => {
            let start = outside.content_start();
            let place = broken.span(start, start + outside.content().len());
            finding.label(place, "would be inside the brackets")
        }
        None => finding,
    };
    let end = if last.start == line.start {
        opening + line.rest(opening).len()
    } else {
        last.start + last.rest(last.start).len()
    };
    let text = broken.body.slice(..end).trim_end_matches([' ', ',']);
    let place = broken.span(text.len(), end);
    // Open inner brackets are closed first.
    let mut missing: String =
        scan_open(broken.body, opening, text.len()).into_iter().rev().collect();
    if missing.is_empty() {
        missing.push(close);
    }
    // The comma belongs to the brackets before it.
    if end > text.len() && broken.body.get(text.len()..end).is_some_and(|it| it.contains(',')) {
        let is_inside = open_at(broken.body, broken.flow.unwrap_or(0), opening).is_some();
        missing.push_str(if is_inside { "," } else { "" });
    }
    finding.suggest(place, missing, "close the bracket")
}

/// The innermost bracket opened at or after `start` and still open at `end`.
pub(super) fn open_at(body: &str, start: usize, end: usize) -> Option<usize> {
    scan_brackets(body.get(..end)?, start).open.last().map(|(at, _)| *at)
}

/// The missing closing brackets between `opening` and `end`, outermost first.
fn scan_open(body: &str, opening: usize, end: usize) -> Vec<char> {
    let scan = scan_brackets(body.slice(..end), opening);
    scan.open.into_iter().map(|(_, close)| close).collect()
}

fn unmatched_bracket(broken: &Broken<'_>, scan: &Scan, at: usize, found: char) -> Diagnostic {
    let place = broken.span(at, at + 1);
    let Some((opening, close)) = scan.open.last().copied() else {
        return Diagnostic::new(&UNMATCHED_BRACKET, place, message!("unmatched `{found}`"))
            .suggest(place, "", "remove the bracket");
    };
    // `[x}]`: the two were written in the wrong order.
    let is_swapped = broken.body.get(at + 1..).is_some_and(|rest| rest.starts_with(close));
    let (end, replacement) =
        if is_swapped { (at + 2, format!("{close}{found}")) } else { (at + 1, close.to_string()) };
    Diagnostic::new(&UNMATCHED_BRACKET, place, message!("mismatched `{found}`: expected `{close}`"))
        .label(broken.span(opening, opening + 1), "opened here")
        .suggest(broken.span(at, end), replacement.clone(), message!("write `{replacement}`"))
}

/// Reports a missing comma after `end`, the end of the previous entry.
pub(super) fn missing_comma(broken: &Broken<'_>, end: usize) -> Diagnostic {
    // `{x: 1 y: 2}`: the parser reads the scalar `1 y` and stops at the second colon.
    let is_colon = broken.body.get(broken.at..).is_some_and(|rest| rest.starts_with(':'));
    let before = broken.body.slice(..broken.at);
    let word = before.trim_end().rfind([' ', '\n', '\t']).filter(|_| is_colon);
    let end = word.map_or(end, |word| before.slice(..word).trim_end().len());
    let finding = Diagnostic::new(
        &MISSING_COMMA,
        broken.span(end, end),
        "missing comma between the entries of a list or map",
    );
    let finding = match broken.flow {
        Some(opening) => finding.label(broken.span(opening, opening + 1), "opened here"),
        None => finding,
    };
    finding.suggest(broken.span(end, end), ",", "add a comma")
}
