//! Findings as reviewdog's diagnostic format, `rdjson`, which it posts as comments of a review, with
//! suggestions that can be applied there. Columns count bytes.

use serde::Serialize;

use super::location::{self, Columns, Locations, Range};
use super::words;
use crate::diag::{Diagnostic, Label, Severity};
use crate::markup::{Markdown, Markup, pretty_json};
use crate::source::Workspace;

#[derive(Serialize)]
struct Report<'r> {
    source: Source,
    diagnostics: Vec<Finding<'r>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Finding<'r> {
    message: String,
    location: RdjsonLocation<'r>,
    severity: &'static str,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Edit<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related<'r>>,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
}

#[derive(Serialize)]
struct RdjsonLocation<'r> {
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Positions>,
}

#[derive(Serialize)]
struct Related<'r> {
    message: String,
    location: RdjsonLocation<'r>,
}

#[derive(Serialize)]
struct Edit<'r> {
    range: Positions,
    text: &'r str,
}

#[derive(Serialize)]
struct Positions {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

impl From<Range> for Positions {
    fn from(Range { start, end }: Range) -> Self {
        let position = |(line, column)| Position { line, column };
        Self { start: position(start), end: position(end) }
    }
}

/// Renders findings for reviewdog, in the given order.
pub(super) fn render_rdjson(report: &super::Report<'_>) -> String {
    let super::Report { workspace, diagnostics, .. } = *report;
    let locations = Locations::of(workspace);
    let report = Report {
        source: Source { name: "sandboxc" },
        diagnostics: diagnostics.iter().map(|it| finding(workspace, &locations, it)).collect(),
    };
    pretty_json(&report)
}

/// The lines of a message as a comment: reviewdog posts it as Markdown.
fn comment(lines: &[String]) -> String {
    let mut comment: Markup<Markdown> = Markup::new();
    for line in lines {
        comment.literal(if comment.is_empty() { "" } else { "\n" });
        comment.push(line);
    }
    comment.into_string()
}

fn finding<'r>(
    workspace: &'r Workspace,
    locations: &Locations<'r>,
    diagnostic: &'r Diagnostic,
) -> Finding<'r> {
    let place = |span| {
        let location = locations.at(span, Columns::Bytes);
        RdjsonLocation { path: location.file, range: location.range.map(Positions::from) }
    };
    let span = diagnostic.primary.span;
    let file = workspace.file_at(span).id();
    // An edit has no file of its own: it is in that of the finding.
    let is_edit = locations.template(span).is_none();
    let details = diagnostic.details();
    let edits = details.suggestions.iter().take(words::MAX_PARTS);
    let edits = edits
        .filter(|it| is_edit && words::is_short(it) && workspace.file_at(it.span).id() == file);
    let labels = details.secondary.iter().take(words::MAX_PARTS);
    let labels = labels.filter(|it| !it.text.is_empty());
    Finding {
        message: comment(&words::described(workspace, diagnostic)),
        location: place(span),
        severity: match diagnostic.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Note => "INFO",
        },
        code: Code { value: diagnostic.rule.name },
        suggestions: edits
            .map(|it| Edit {
                range: location::range(workspace, it.span, Columns::Bytes).into(),
                text: &it.replacement,
            })
            .collect(),
        related_locations: labels
            .map(|Label { span, text }| Related {
                message: Markup::<Markdown>::of(text.as_prose()).into_string(),
                location: place(*span),
            })
            .collect(),
    }
}
