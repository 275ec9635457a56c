//! Findings as workflow commands of GitHub Actions, which the runner turns into annotations.
//!
//! A command is one line: `::error file=a.yaml,line=1,col=5,endColumn=9,title=rule::message`.
//! GitHub only marks columns within one line, so a span of several lines is shown on its first. It
//! keeps ten annotations of each severity per step, so findings of one kind at one position are a
//! single annotation.

use std::fmt::Write as _;

use super::excerpt::line_range;
use super::visible::visible_line;
use super::words;
use crate::diag::{Diagnostic, Severity};
use crate::source::{Span, Workspace};

/// Renders findings as annotations, in the given order, one per line.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_github};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_github(&workspace, &compilation.diagnostics);
/// assert!(text.starts_with("::error file=a.yaml,line=1,"));
/// ```
#[must_use]
pub fn render_github(workspace: &Workspace, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for same in diagnostics.chunk_by(words::is_same_fault) {
        if let Some(first) = same.first() {
            let hidden = same.iter().skip(1).map(|it| words::occurrences(&it.others)).sum();
            push_command(workspace, first, hidden, &mut text);
        }
    }
    text
}

/// Writes the command of a finding that represents `hidden` ones at the same place.
fn push_command(workspace: &Workspace, diagnostic: &Diagnostic, hidden: usize, text: &mut String) {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let _ = write!(text, "::{command} ");
    let (Diagnostic { rule, primary, .. }, message) = (diagnostic, &diagnostic.details().message);
    let file = workspace.file_at(primary.span);
    let mut lines = Vec::new();
    if file.is_named() {
        lines.push(message.to_string());
    } else {
        // A finding without a file has its position in the message.
        lines.push(format!("{}: {message}", words::place(workspace, primary.span)));
    }
    lines.extend(words::remarks(workspace, diagnostic));
    for label in diagnostic.details().secondary.iter().filter(|it| !it.text.is_empty()) {
        lines.push(format!("{}: {}", words::place(workspace, label.span), label.text));
    }
    lines.extend(words::more_of_this_kind(diagnostic, hidden));
    lines.extend(words::other_places(workspace, diagnostic));
    if file.is_named() {
        let _ = write!(text, "file={},", property(file.name()));
        push_place(workspace, primary.span, text);
    }
    let _ = writeln!(text, "title={}::{}", rule.name, data(&lines));
}

/// The part of a span on its first line.
fn push_place(workspace: &Workspace, span: Span, text: &mut String) {
    let (file, span) = workspace.file_and_span(span);
    let start = file.line_column(span.start);
    let line_end = line_range(file, file.lines().line_of(span.start)).end;
    let end = span.end.min(u32::try_from(line_end).unwrap_or(u32::MAX)).max(span.start);
    let end = file.line_column(end);
    let _ = write!(text, "line={},col={},", start.line, start.column);
    if end.column > start.column {
        let _ = write!(text, "endColumn={},", end.column);
    }
}

/// Escapes the message of a command; the runner decodes `%25` and `%0A`.
pub(crate) fn data(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| escaped(line)).collect();
    lines.join("%0A")
}

fn escaped(text: &str) -> String {
    visible_line(text).replace('%', "%25")
}

/// Escapes the value of a property, which a colon or comma would end.
pub(crate) fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
