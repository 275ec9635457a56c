//! Machine-readable findings: one JSON object per run, documented in `docs/json-report.md`.

use serde::Serialize;

use super::{Checked, Summary, words};
use crate::diag::{Details, Diagnostic, Label, Message, Suggestion};
use crate::markup::pretty_json;
use crate::source::{Span, Workspace};

/// The version of the format. The same version only gains fields.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'d> {
    format: u32,
    diagnostics: Vec<Finding<'d>>,
    summary: Counts,
    checked: Option<Checked>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'d> {
    rule: &'static str,
    severity: &'static str,
    message: &'d str,
    path: Option<String>,
    kubernetes: Option<Vec<String>>,
    #[serde(flatten)]
    place: JsonLocation<'d>,
    label: &'d str,
    occurrences: Occurrences<'d>,
    labels: Vec<Marked<'d>>,
    notes: &'d [Message],
    help: Vec<&'d Message>,
    suggestions: Vec<Change<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonLocation<'d> {
    file: &'d str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    start_byte: u32,
    end_byte: u32,
}

#[derive(Serialize)]
struct Occurrences<'d> {
    count: usize,
    others: Vec<JsonLocation<'d>>,
}

#[derive(Serialize)]
struct Marked<'d> {
    #[serde(flatten)]
    place: JsonLocation<'d>,
    text: &'d str,
}

#[derive(Serialize)]
struct Change<'d> {
    #[serde(flatten)]
    place: JsonLocation<'d>,
    replacement: &'d str,
    text: &'d str,
    safety: &'static str,
}

#[derive(Serialize)]
struct Counts {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: usize,
}

/// Renders findings as one JSON object, in the given order, with a final line feed, and with the
/// numbers of checked objects if there were any.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_json};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let json = render_json(&workspace, &compilation.diagnostics, None);
/// assert!(json.contains(r#""file": "a.yaml""#));
/// ```
#[must_use]
pub fn render_json(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
    checked: Option<Checked>,
) -> String {
    let Summary { errors, warnings, notes, files } = Summary::of(workspace, diagnostics);
    let report = Report {
        format: FORMAT,
        diagnostics: diagnostics.iter().map(|it| finding(workspace, it)).collect(),
        summary: Counts { errors, warnings, notes, files },
        checked,
    };
    pretty_json(&report)
}

/// The findings as in [`render_json`], as a list.
pub(crate) fn findings_to_json(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
) -> serde_json::Value {
    let findings: Vec<_> = diagnostics.iter().map(|it| finding(workspace, it)).collect();
    // As above.
    serde_json::to_value(findings).unwrap_or_default()
}

fn finding<'d>(workspace: &'d Workspace, diagnostic: &'d Diagnostic) -> Finding<'d> {
    let Diagnostic { rule, severity, primary, kubernetes, others, .. } = diagnostic;
    let Details { message, secondary, notes, help, suggestions, .. } = diagnostic.details();
    let labels = secondary.iter().take(words::MAX_PARTS).map(|Label { span, text }| Marked {
        place: place(workspace, *span),
        text: text.as_prose(),
    });
    let (edits, in_words): (Vec<_>, Vec<_>) =
        suggestions.iter().take(words::MAX_PARTS).partition(|it| words::is_short(it));
    let help = help.iter().chain(in_words.into_iter().map(|it| &it.text));
    let suggestions =
        edits.into_iter().map(|Suggestion { span, replacement, text, safety, .. }| Change {
            place: place(workspace, *span),
            replacement,
            text: text.as_prose(),
            safety: safety.as_str(),
        });
    Finding {
        rule: rule.name,
        severity: severity.as_str(),
        message: message.as_prose(),
        path: words::path(diagnostic),
        kubernetes: kubernetes.map(|versions| versions.iter().map(|it| it.to_string()).collect()),
        place: place(workspace, primary.span),
        label: primary.text.as_prose(),
        occurrences: Occurrences {
            count: words::occurrences(others),
            others: others.places().iter().map(|it| place(workspace, *it)).collect(),
        },
        labels: labels.collect(),
        notes,
        help: help.collect(),
        suggestions: suggestions.collect(),
    }
}

fn place(workspace: &Workspace, span: Span) -> JsonLocation<'_> {
    let (file, span) = workspace.file_and_span(span);
    let (start, end) = (file.line_column(span.start), file.line_column(span.end));
    JsonLocation {
        file: file.name(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        start_byte: span.start,
        end_byte: span.end,
    }
}
