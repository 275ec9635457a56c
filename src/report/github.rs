//! Findings as workflow commands of GitHub Actions, which the runner turns into annotations.
//!
//! A command is one line: `::error file=a.yaml,line=1,col=5,endColumn=9,title=rule::message`.
//! GitHub only marks columns within one line, so a span of several lines is shown on its first. It
//! keeps ten annotations of each severity per step, so findings of one kind at one position are a
//! single annotation.

use super::excerpt::line_range;
use super::location::Locations;
use super::selection::most_important;
use super::words;
use crate::diag::{Diagnostic, Severity};
use crate::markup;
use crate::markup::{Commands, DataLines, Markup, Property};
use crate::source::{Span, Workspace, offset};

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
    let locations = Locations::of(workspace);
    let mut text = Markup::new();
    for same in annotations(diagnostics) {
        push_command(workspace, &locations, &same, &mut text);
    }
    text.into_string()
}

/// The output of a step of GitHub Actions.
#[derive(Debug)]
pub struct GithubStep<'d> {
    /// The annotations, one per line.
    pub text: String,
    /// The findings that are not among them.
    pub hidden: Vec<&'d Diagnostic>,
}

/// Renders the most important findings as annotations, as many as GitHub keeps of a step: ten of each
/// severity, one of which is left for a notice about the others.
#[must_use]
pub fn render_github_step<'d>(
    workspace: &Workspace,
    diagnostics: &'d [Diagnostic],
) -> GithubStep<'d> {
    let locations = Locations::of(workspace);
    let all: Vec<_> = annotations(diagnostics).collect();
    let of = |severity: Severity| all.iter().filter(move |it| it.first.severity == severity);
    let is_too_long = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .any(|it| of(it).count() > MAX_ANNOTATIONS);
    let (mut text, mut all_hidden) = (Markup::new(), Vec::new());
    let mut shown = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let is_shared = severity == Severity::Note && is_too_long;
        let most = MAX_ANNOTATIONS - usize::from(is_shared);
        most_important(of(severity).map(|it| it.first), most).into_iter()
    });
    for annotation in &all {
        let [errors, warnings, notes] = &mut shown;
        let of_severity = match annotation.first.severity {
            Severity::Error => errors,
            Severity::Warning => warnings,
            Severity::Note => notes,
        };
        if of_severity.next() == Some(true) {
            push_command(workspace, &locations, annotation, &mut text);
        } else {
            all_hidden.push(annotation.first);
            all_hidden.extend(annotation.others);
        }
    }
    GithubStep { text: text.into_string(), hidden: all_hidden }
}

/// The annotations of one severity that GitHub keeps of a step.
const MAX_ANNOTATIONS: usize = 10;

/// A finding, and those of one kind at the same position.
struct Annotation<'d> {
    first: &'d Diagnostic,
    others: &'d [Diagnostic],
}

fn annotations(diagnostics: &[Diagnostic]) -> impl Iterator<Item = Annotation<'_>> {
    diagnostics.chunk_by(words::is_same_fault).filter_map(|same| {
        let (first, others) = same.split_first()?;
        Some(Annotation { first, others })
    })
}

/// Writes the command of an annotation.
fn push_command(
    workspace: &Workspace,
    locations: &Locations<'_>,
    annotation: &Annotation<'_>,
    text: &mut Markup<Commands>,
) {
    let diagnostic = annotation.first;
    let hidden = annotation.others.iter().map(|it| words::occurrences(&it.others)).sum();
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    markup!(*text, "::{} ", command);
    let (Diagnostic { rule, primary, .. }, message) = (diagnostic, &diagnostic.details().message);
    let file = workspace.file_at(primary.span);
    let mut lines = Vec::new();
    if file.is_named() {
        lines.push(message.as_prose().to_string());
    } else {
        // A finding without a file has its position in the message.
        lines.push(format!("{}: {}", words::place(workspace, primary.span), message.as_prose()));
    }
    lines.extend(words::remarks(workspace, diagnostic));
    for label in diagnostic.details().secondary.iter().filter(|it| !it.text.is_empty()) {
        lines.push(format!("{}: {}", words::place(workspace, label.span), label.text.as_prose()));
    }
    lines.extend(words::more_of_this_kind(diagnostic, hidden));
    lines.extend(words::other_places(workspace, diagnostic));
    if file.is_named() {
        markup!(*text, "file={},", Property(file.name()));
        push_place(workspace, primary.span, text);
    } else if let Some(template) = locations.template(primary.span) {
        markup!(*text, "file={},", Property(template));
    }
    markup!(*text, "title={}::{}\n", Property(rule.name), DataLines(&lines));
}

/// The part of a span on its first line.
fn push_place(workspace: &Workspace, span: Span, text: &mut Markup<Commands>) {
    let (file, span) = workspace.file_and_span(span);
    let start = file.line_column(span.start);
    let line_end = line_range(file, file.lines().line_of(span.start)).end;
    let end = span.end.min(offset(line_end)).max(span.start);
    let end = file.line_column(end);
    markup!(*text, "line={},col={},", start.line, start.column);
    if end.column > start.column {
        markup!(*text, "endColumn={},", end.column);
    }
}
