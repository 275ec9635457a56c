//! Findings as Markdown, for the summary of a job of GitHub Actions: `$GITHUB_STEP_SUMMARY`.
//!
//! A step can write 1 MiB. Rows are added as long as they fit into half of that, because a step can
//! write more than this report.

use super::digest::count_by_rule;
use super::words;
use super::{Report, Summary};
use crate::diag::Diagnostic;
use crate::limits::thousands;
use crate::markup;
use crate::markup::{Code, Markdown, Markup};
use crate::source::{Slice as _, Workspace};

/// The maximum number of findings that are listed.
const MAX_ROWS: usize = 200;
/// The length in bytes after which no row is added.
const LONGEST: usize = 1 << 19;

/// Renders findings as a table in Markdown, in the given order, after the result of the run.
pub(super) fn render_github_summary(report: &Report<'_>) -> String {
    let Report { workspace, diagnostics, .. } = *report;
    let summary = Summary::of(workspace, diagnostics);
    let result = match &report.checked {
        Some(checked) => summary.describe_checked(checked),
        None => summary.describe().unwrap_or_else(|| "no findings".to_owned()),
    };
    let mut text: Markup<Markdown> = Markup::new();
    markup!(text, "### sandboxc\n\n{}\n", result);
    if diagnostics.is_empty() {
        return text.into_string();
    }
    text.literal("\n| severity | location | rule | finding |\n|---|---|---|---|\n");
    let mut rows = 0;
    for same in diagnostics.chunk_by(words::is_same_fault).take(MAX_ROWS) {
        if text.len() > LONGEST {
            break;
        }
        rows += same.len();
        if let Some(first) = same.first() {
            let hidden = same.iter().skip(1).map(|it| words::occurrences(&it.others)).sum();
            push_row(workspace, first, hidden, &mut text);
        }
    }
    let hidden = diagnostics.slice(rows..);
    if !hidden.is_empty() {
        let counts = count_by_rule(hidden);
        markup!(text, "\n{} more findings are not listed: ", thousands(hidden.len()));
        for (number, it) in counts.iter().enumerate() {
            text.literal(if number > 0 { ", " } else { "" });
            markup!(text, "{} {}", Code(it.rule), thousands(it.findings));
        }
        text.literal("\n");
    }
    text.into_string()
}

fn push_row(
    workspace: &Workspace,
    diagnostic: &Diagnostic,
    hidden: usize,
    text: &mut Markup<Markdown>,
) {
    let severity = diagnostic.severity.as_str();
    let mut lines = vec![diagnostic.details().message.as_prose().to_string()];
    lines.extend(words::remarks(workspace, diagnostic));
    lines.extend(words::more_of_this_kind(diagnostic, hidden));
    lines.extend(words::other_places(workspace, diagnostic));
    let place = words::place(workspace, diagnostic.primary.span);
    markup!(*text, "| {} | {} | {} | ", severity, Code(&place), Code(diagnostic.rule.name));
    for (number, line) in lines.iter().enumerate() {
        text.literal(if number > 0 { "<br>" } else { "" });
        text.push(line);
    }
    text.literal(" |\n");
}
