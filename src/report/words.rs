//! Findings as plain text, for readers that show the source next to them.

use super::visible::visible_line;
use crate::diag::{Diagnostic, Label, Suggestion};
use crate::source::{Span, Workspace};

/// The longest source text that is quoted, in bytes.
const LONGEST_QUOTE: usize = 40;

/// The lines after the headline: labels, notes and help.
pub(super) fn remarks(workspace: &Workspace, diagnostic: &Diagnostic) -> Vec<String> {
    let Diagnostic { primary, notes, help, suggestions, .. } = diagnostic;
    let remark = (!primary.text.is_empty()).then(|| remark(workspace, primary));
    let notes = notes.iter().map(|note| format!("note: {note}"));
    let help = help.iter().map(|help| format!("help: {help}"));
    let suggestions = suggestions.iter().map(|it| format!("help: {}", suggestion(it)));
    remark.into_iter().chain(notes).chain(help).chain(suggestions).collect()
}

/// A label with the source text that it is about, if that is short; without an excerpt, the label
/// alone would be unclear.
fn remark(workspace: &Workspace, label: &Label) -> String {
    let marked = workspace.slice(label.span);
    if marked.is_empty() || marked.len() > LONGEST_QUOTE || marked.contains(['\n', '\r']) {
        label.text.clone()
    } else {
        format!("`{marked}`: {}", label.text)
    }
}

/// A change to the source in words; the new text is quoted unless the words contain it.
pub(super) fn suggestion(suggestion: &Suggestion) -> String {
    let Suggestion { replacement, text, .. } = suggestion;
    let quoted = format!("`{}`", replacement.trim());
    if replacement.trim().is_empty() || text.contains(&quoted) {
        text.clone()
    } else {
        format!("{text}: {quoted}")
    }
}

/// `file:line:column`.
pub(super) fn place(workspace: &Workspace, span: Span) -> String {
    let (file, span) = workspace.file_and_span(span);
    let place = file.line_column(span.start);
    format!("{}:{}:{}", visible_line(file.name()), place.line, place.column)
}

/// Whether two findings can be the same fault: one line that was expanded to many objects, or is
/// inherited by them, and violates the rule in each.
pub(super) fn is_same_fault(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.rule.name, a.severity, &a.primary) == (b.rule.name, b.severity, &b.primary)
}

/// Whether findings only differ in the number of their instance.
pub(super) fn differ_in_numbers(same: &[Diagnostic]) -> bool {
    let without_numbers =
        |it: &Diagnostic| it.message.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let mut texts = same.iter().map(without_numbers);
    let first = texts.next();
    texts.all(|text| Some(text) == first)
}

/// The line for findings that are not shown.
pub(super) fn more_of_this_kind(count: usize) -> String {
    format!("and {count} more of this kind at the same location")
}
