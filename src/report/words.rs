//! Findings as plain text, for readers that show the source next to them.

use crate::diag::{Details, Diagnostic, Label, Others, Suggestion};
use crate::limits::thousands;
use crate::markup::visible_line;
use crate::source::{Span, Workspace};

/// The maximum number of other locations of a finding that are listed.
const MAX_OTHERS: usize = 5;
/// The maximum number of labels, and of edits, per finding in machine-readable formats.
pub(super) const MAX_PARTS: usize = 100;
/// The maximum length of an edit, in bytes; longer ones are described in words.
const LONGEST_EDIT: usize = 4096;
/// The maximum length of a new text that words quote, in bytes: an editor shows a longer one with the change.
const LONGEST_NEW: usize = 120;
/// The maximum length of a path, in bytes.
const LONGEST_PATH: usize = 512;
/// A text that is longer is not quoted (bytes).
const LONGEST_QUOTE: usize = 40;

/// The lines after the headline: labels, notes and help.
pub(super) fn remarks(workspace: &Workspace, diagnostic: &Diagnostic) -> Vec<String> {
    let (primary, Details { notes, help, suggestions, .. }) =
        (&diagnostic.primary, diagnostic.details());
    let remark = (!primary.text.is_empty()).then(|| remark(workspace, primary));
    let notes = notes.iter().map(|note| format!("note: {}", note.as_prose()));
    let help = help.iter().map(|help| format!("help: {}", help.as_prose()));
    let suggestions = suggestions.iter().map(|it| format!("help: {}", suggestion(it)));
    remark.into_iter().chain(notes).chain(help).chain(suggestions).collect()
}

/// The same where the source is shown as well: a label that only repeats the headline is left out.
pub(crate) fn remarks_with_excerpt(workspace: &Workspace, diagnostic: &Diagnostic) -> Vec<String> {
    let label = &diagnostic.primary.text;
    let is_repeated =
        !label.is_empty() && diagnostic.details().message.as_prose().contains(label.as_prose());
    remarks(workspace, diagnostic).into_iter().skip(usize::from(is_repeated)).collect()
}

/// A finding in words, without its location: the headline, then the remarks and the other locations.
pub(crate) fn described(workspace: &Workspace, diagnostic: &Diagnostic) -> Vec<String> {
    let mut lines = remarks(workspace, diagnostic);
    lines.extend(more_of_this_kind(diagnostic, 0));
    lines.extend(other_places(workspace, diagnostic));
    let message = &diagnostic.details().message;
    // The first sentence is the headline, as SARIF advises.
    lines.insert(
        0,
        if lines.is_empty() {
            message.as_prose().to_string()
        } else {
            format!("{}.", message.as_prose())
        },
    );
    lines
}

/// A label with the source text that it is about, if that is short; without an excerpt, the label
/// alone would be unclear.
fn remark(workspace: &Workspace, label: &Label) -> String {
    let marked = workspace.slice(label.span);
    if marked.is_empty() || marked.len() > LONGEST_QUOTE || marked.contains(['\n', '\r']) {
        label.text.as_prose().to_string()
    } else {
        format!("`{marked}`: {}", label.text.as_prose())
    }
}

/// A change to the source in words; the new text is quoted unless the words contain it.
pub(super) fn suggestion(suggestion: &Suggestion) -> String {
    let Suggestion { replacement, text, .. } = suggestion;
    let new = replacement.trim();
    if new.is_empty() || new.len() > LONGEST_NEW || is_quoted(new, text.as_prose()) {
        text.as_prose().to_string()
    } else {
        format!("{}: `{new}`", text.as_prose())
    }
}

/// Whether a text quotes a value, alone or after its key: `` write `apiVersion: apps/v1` ``.
fn is_quoted(value: &str, text: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|quoted| {
        let before = quoted.trim().strip_suffix(value);
        before.is_some_and(|it| it.is_empty() || it.ends_with(' '))
    })
}

/// Whether a change to the source is short enough to be a part of a report.
pub(super) fn is_short(suggestion: &Suggestion) -> bool {
    suggestion.replacement.len() <= LONGEST_EDIT
}

/// The path of the field, if any.
pub(crate) fn path(diagnostic: &Diagnostic) -> Option<String> {
    let mut path = diagnostic.details().path.as_ref()?.to_string();
    if path.len() > LONGEST_PATH {
        path.truncate(path.floor_char_boundary(LONGEST_PATH));
        path.push('…');
    }
    Some(path)
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
pub(super) fn differ_in_numbers<'d>(same: impl Iterator<Item = &'d Diagnostic>) -> bool {
    let without_numbers = |it: &Diagnostic| {
        it.details().message.as_prose().chars().filter(|c| !c.is_ascii_digit()).collect::<String>()
    };
    let mut texts = same.map(without_numbers);
    let first = texts.next();
    texts.all(|text| Some(text) == first)
}

/// The line for findings at one location that are not shown: `hidden` ones, and those that the
/// finding itself represents.
pub(super) fn more_of_this_kind(diagnostic: &Diagnostic, hidden: usize) -> Option<String> {
    let own = if is_one_place(diagnostic) { diagnostic.others.count() } else { 0 };
    let count = hidden + own;
    (count > 0).then(|| format!("and {} more of this kind at the same location", thousands(count)))
}

/// The other locations of a finding: `and 9,999 more: a.yaml:3:5, a.yaml:9:5, ...`.
pub(super) fn other_places(workspace: &Workspace, diagnostic: &Diagnostic) -> Option<String> {
    let others = &diagnostic.others;
    if others.count() == 0 || is_one_place(diagnostic) {
        return None;
    }
    let places = others.places().iter().take(MAX_OTHERS);
    let mut places: Vec<_> = places.map(|it| place(workspace, *it)).collect();
    if others.count() > places.len() {
        places.push("... (`--all` shows each of them)".to_owned());
    }
    Some(format!("and {} more: {}", thousands(others.count()), places.join(", ")))
}

/// Whether all findings that a finding represents have its location.
fn is_one_place(Diagnostic { primary, others, .. }: &Diagnostic) -> bool {
    others.places().iter().all(|it| *it == primary.span)
}

/// The number of findings that some findings represent, including themselves.
pub(super) fn occurrences(others: &Others) -> usize {
    1 + others.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_quoted_once() {
        for (text, value, is_there) in [
            ("write `apiVersion: apps/v1`", "apps/v1", true),
            ("write `- ` before the key", "-", true),
            ("did you mean `name`?", "name", true),
            ("write its fields directly in `spec`", "image", false),
            ("write field names with a leading `.`", ".spec.size", false),
            ("use `13`", "3", false),
            ("name the image", "image", false),
        ] {
            assert_eq!(is_quoted(value, text), is_there, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_not_quoted() {
        let place = Workspace::new().start();
        for (length, is_quoted) in [(LONGEST_NEW, true), (LONGEST_NEW + 1, false)] {
            let replacement = "x".repeat(length);
            let finding = Diagnostic::new(&crate::yaml::KEY_NOT_TEXT, place, "any");
            let finding = finding.suggest(place, replacement.clone(), "indent the text");
            let words = suggestion(finding.details().suggestions.first().unwrap());
            assert_eq!(words.contains(&replacement), is_quoted, "{words}");
        }
    }
}
