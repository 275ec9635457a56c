//! Removes secret values that a finding quotes.

use crate::diag::{Diagnostic, Label};
use crate::source::{Span, Workspace};

/// The replacement of a secret value.
const REDACTED: &str = "***";

/// The minimum length, in bytes, of a value that is recognized anywhere. A shorter one is only
/// recognized in backquotes, because it can be part of any word.
const RECOGNIZABLE: usize = 6;

/// The maximum distance, in bytes, between a finding and a value that it quotes.
const NEAR: u32 = 4096;

/// The minimum length, in bytes, of a quoted part of a value that is recognized.
const SHORTEST_PART: usize = 3;

/// Removes the secret values near a finding. A suggestion that contains one becomes a help message.
pub(super) fn finding(workspace: &Workspace, secrets: &[Span], finding: &mut Diagnostic) {
    let mut places = vec![finding.primary.span];
    places.extend(finding.secondary.iter().map(|label| label.span));
    places.extend(finding.suggestions.iter().map(|it| it.span));
    let about = finding.primary.span;
    let near: Vec<Span> = nearby(secrets, &places).collect();
    let values: Vec<_> = near
        .iter()
        .map(|secret| Secret {
            text: workspace.slice(*secret).trim().trim_matches(['"', '\'']),
            is_subject: secret.contains(about.start_point()) || about.contains(*secret),
        })
        .filter(|secret| !secret.text.is_empty())
        .collect();
    if values.is_empty() {
        return;
    }
    let redact = |text: &mut String| {
        for value in &values {
            *text = value.removed_from(text);
        }
    };
    redact(&mut finding.message);
    for Label { text, .. } in std::iter::once(&mut finding.primary).chain(&mut finding.secondary) {
        redact(text);
    }
    for mut suggestion in std::mem::take(&mut finding.suggestions) {
        redact(&mut suggestion.text);
        let mut replacement = suggestion.replacement.clone();
        redact(&mut replacement);
        let changes = |secret: &Span| {
            suggestion.span.has_begin_of(*secret) || secret.contains(suggestion.span)
        };
        if replacement == suggestion.replacement && !near.iter().any(changes) {
            finding.suggestions.push(suggestion);
        } else {
            finding.help.push(suggestion.text);
        }
    }
    finding.notes.iter_mut().chain(&mut finding.help).for_each(redact);
}

/// The secrets near one of the spans. A finding at a key can quote its value.
fn nearby<'s>(secrets: &'s [Span], places: &'s [Span]) -> impl Iterator<Item = Span> + 's {
    places.iter().flat_map(move |place| {
        let is_near = |it: &&Span| it.distance(*place) <= NEAR || place.has_begin_of(**it);
        let first = secrets.partition_point(|it| it < place && !is_near(&it));
        secrets.get(first..).unwrap_or_default().iter().take_while(is_near).copied()
    })
}

/// A secret value.
struct Secret<'v> {
    text: &'v str,
    /// Whether the finding is about the value.
    is_subject: bool,
}

impl Secret<'_> {
    /// Removes the value from the text.
    fn removed_from(&self, text: &str) -> String {
        let Self { text: value, is_subject } = *self;
        let mut parts: Vec<String> = Vec::new();
        for (number, part) in text.split('`').enumerate() {
            let is_quoted = number % 2 == 1;
            let is_part = is_subject && part.len() >= SHORTEST_PART && value.contains(part);
            // A long value is truncated in messages.
            let start = part.strip_suffix('…');
            let is_start =
                start.is_some_and(|it| it.len() >= SHORTEST_PART && value.starts_with(it));
            parts.push(if is_quoted && (part == value || is_part || is_start) {
                REDACTED.to_owned()
            } else if let Some(before) = start.and_then(|it| without_start_of(value, it)) {
                format!("{before}{REDACTED}")
            } else if value.len() >= RECOGNIZABLE {
                part.replace(value, REDACTED)
            } else {
                part.to_owned()
            });
        }
        parts.join("`")
    }
}

/// The text before the start of a value, if `text` ends in a truncated value.
fn without_start_of<'t>(value: &str, text: &'t str) -> Option<&'t str> {
    let first = value.get(..RECOGNIZABLE)?;
    let mut ends = text.match_indices(first).map(|(at, _)| text.split_at(at));
    ends.find(|(_, end)| value.starts_with(end)).map(|(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_quoted_parts_are_redacted() {
        let redacted = |text, value| Secret { text: value, is_subject: true }.removed_from(text);
        assert_eq!(redacted("`hunter22` is not base64", "hunter22"), "`***` is not base64");
        assert_eq!(redacted("`r22` at the end", "hunter22"), "`***` at the end");
        assert_eq!(redacted("did you mean hunter22=?", "hunter22"), "did you mean ***=?");
        assert_eq!(redacted("a key `data` has a value", "a"), "a key `data` has a value");
    }

    #[test]
    fn a_truncated_value_is_redacted() {
        let redacted =
            |text| Secret { text: "hunter2-hunter2", is_subject: false }.removed_from(text);
        assert_eq!(redacted("`hunter2-h…` is too long"), "`***` is too long");
        assert_eq!(redacted("a value that is cut: hunter2-h…"), "a value that is cut: ***");
        assert_eq!(redacted("a value that is cut: hunter…"), "a value that is cut: ***");
        assert_eq!(redacted("another value: hunt…"), "another value: hunt…");
    }

    #[test]
    fn a_finding_about_something_else_keeps_its_text() {
        let secret = Secret { text: "data=", is_subject: false };
        assert_eq!(secret.removed_from("`data` is not `data=`"), "`data` is not `***`");
    }
}
