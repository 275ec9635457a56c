//! Text that Kubernetes' parser accepts and YAML 1.2 does not, at the position where the parser
//! stopped.

use super::line::quoted_length;
use super::quotes::{self, QUOTED_TEXT_NOT_INDENTED};
use super::{Broken, Fault, Stop, explain};
use crate::diag::{Diagnostic, Severity};
use crate::source::{FileSpan, Span};
use crate::yaml::read::string_with_colon;

/// The characters that YAML 1.2 requires for the text to be read as Kubernetes reads it.
pub(in crate::yaml) struct Leniency {
    /// Characters to insert, by offset in the document.
    pub(in crate::yaml) insertions: Vec<(usize, String)>,
    pub(in crate::yaml) warning: Diagnostic,
}

/// Finds text that Kubernetes' parser accepts at the position where the parser stopped in `body`,
/// which is at `slice`.
pub(in crate::yaml) fn leniency(slice: FileSpan, body: &str, stop: &Stop) -> Option<Leniency> {
    let stop = stop.relative_to(slice.start);
    if stop.fault == Fault::Quote {
        return not_indented(slice, body, &stop);
    }
    let flow = stop.flow.map(|at| at as usize)?;
    string_before_bracket(slice, body, flow, stop.at as usize)
}

fn not_indented(slice: FileSpan, body: &str, stop: &Stop) -> Option<Leniency> {
    let finding = explain(slice.file, body, stop);
    if finding.rule != &QUOTED_TEXT_NOT_INDENTED {
        return None;
    }
    let broken = Broken {
        file: slice.file,
        body,
        at: body.floor_char_boundary(stop.at as usize),
        flow: stop.flow.map(|at| at as usize),
        cursor: stop.cursor as usize,
    };
    let insertions = quotes::missing_indentation(&broken)?;
    let moved = |span: Span| {
        let span = span.within(slice.file);
        Span::new(slice.file, span.start + slice.start, span.end + slice.start)
    };
    let mut warning = finding;
    warning.severity = Severity::Warning;
    warning.primary.span = moved(warning.primary.span);
    warning.secondary.iter_mut().for_each(|it| it.span = moved(it.span));
    warning.suggestions.iter_mut().for_each(|it| it.span = moved(it.span));
    Some(Leniency { insertions, warning })
}

/// `{b: 2001:db8::}`: an unquoted value that ends with a colon, in the brackets opened at `flow`.
fn string_before_bracket(
    slice: FileSpan,
    body: &str,
    flow: usize,
    stop: usize,
) -> Option<Leniency> {
    let mut at = flow + 1;
    let mut is_value = false;
    while at <= stop {
        let rest = body.get(at..)?;
        let c = rest.chars().next()?;
        if let '"' | '\'' = c {
            at += quoted_length(rest, c)?;
            continue;
        }
        if c == '#' {
            return None;
        }
        if matches!(c, ',' | '[' | ']' | '{' | '}') || c.is_whitespace() || rest.starts_with(": ") {
            is_value = c == ':' || is_value && c.is_whitespace();
            at += c.len_utf8();
            continue;
        }
        let end = rest.find([',', '[', ']', '{', '}', '\n', '\r']).unwrap_or(rest.len());
        let line = rest.get(..end)?;
        let end = line.find(": ").unwrap_or(line.len());
        let text = line.get(..end)?.trim_end();
        let ends_here = rest.get(text.len()..)?.starts_with([',', ']', '}']);
        let is_string = is_value && ends_here && text.ends_with(':') && !text.starts_with(':');
        if is_string {
            let span = |at: usize| slice.start + u32::try_from(at).unwrap_or(u32::MAX);
            let place = FileSpan { start: span(at), end: span(at + text.len()), ..slice };
            let insertions = vec![(at, "\"".to_owned()), (at + text.len(), "\"".to_owned())];
            let is_plain = !text.contains(['"', '\\']);
            return is_plain
                .then(|| Leniency { insertions, warning: string_with_colon(place, text) });
        }
        at += text.len().max(1);
    }
    None
}
