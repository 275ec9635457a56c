//! Findings as Markdown, for the summary of a job of GitHub Actions: `$GITHUB_STEP_SUMMARY`.
//!
//! A step can write 1 MiB. Rows are added as long as they fit into half of that, because a step can
//! write more than this report.

use std::fmt::Write as _;

use super::digest::count_by_rule;
use super::visible::visible_line;
use super::words;
use super::{Checked, Summary};
use crate::diag::Diagnostic;
use crate::limits::thousands;
use crate::source::Workspace;

/// The maximum number of findings that are listed.
const MAX_ROWS: usize = 200;
/// The length in bytes after which no row is added.
const LONGEST: usize = 1 << 19;

/// Renders findings as a table in Markdown, in the given order, after the result of the run.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_github_summary};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_github_summary(&workspace, &compilation.diagnostics, None);
/// assert!(text.contains("| error | `a.yaml:1:6` | `unclosed-bracket` |"));
/// ```
#[must_use]
pub fn render_github_summary(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
    checked: Option<&Checked>,
) -> String {
    let summary = Summary::of(workspace, diagnostics);
    let result = match checked {
        Some(checked) => summary.describe_checked(checked),
        None => summary.describe().unwrap_or_else(|| "no findings".to_owned()),
    };
    let mut text = format!("### sandboxc\n\n{}\n", prose(&result));
    if diagnostics.is_empty() {
        return text;
    }
    text.push_str("\n| severity | location | rule | finding |\n|---|---|---|---|\n");
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
    let hidden = diagnostics.get(rows..).unwrap_or(&[]);
    if !hidden.is_empty() {
        let counts = count_by_rule(hidden);
        let rules: Vec<_> = counts
            .iter()
            .map(|it| format!("{} {}", code(it.rule), thousands(it.findings)))
            .collect();
        let _ = writeln!(
            text,
            "\n{} more findings are not listed: {}",
            thousands(hidden.len()),
            rules.join(", ")
        );
    }
    text
}

fn push_row(workspace: &Workspace, diagnostic: &Diagnostic, hidden: usize, text: &mut String) {
    let severity = diagnostic.severity.as_str();
    let mut lines = vec![diagnostic.details().message.to_string()];
    lines.extend(words::remarks(workspace, diagnostic));
    lines.extend(words::more_of_this_kind(diagnostic, hidden));
    lines.extend(words::other_places(workspace, diagnostic));
    let lines: Vec<_> = lines.iter().map(|it| prose(it)).collect();
    let _ = writeln!(
        text,
        "| {severity} | {} | {} | {} |",
        code(&words::place(workspace, diagnostic.primary.span)),
        code(diagnostic.rule.name),
        lines.join("<br>"),
    );
}

/// Text as code. In a cell, a pipe is escaped even in code.
fn code(text: &str) -> String {
    let text = visible_line(text).replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Text with code in backquotes; nothing else of it is markup.
fn prose(text: &str) -> String {
    let text = visible_line(text);
    let mut prose = String::with_capacity(text.len());
    let mut is_code = false;
    let is_paired = text.matches('`').count().is_multiple_of(2);
    for character in text.chars() {
        match character {
            '`' if is_paired => is_code = !is_code,
            '|' => prose.push('\\'),
            '`' | '\\' | '*' | '_' | '[' | ']' | '~' if !is_code => prose.push('\\'),
            '&' if !is_code => {
                prose.push_str("&amp;");
                continue;
            }
            '<' if !is_code => {
                prose.push_str("&lt;");
                continue;
            }
            _ => {}
        }
        prose.push(character);
    }
    prose
}
