//! Removal of secret values from reports.
//!
//! Reports end up in CI logs, code-scanning pages and chat messages. So they never contain the
//! values of a Secret, or of environment variables whose names look like credentials: not in source
//! excerpts, not in messages, and not in suggested changes.

mod cases;
mod credentials;
mod lines;
mod redact;

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Sink};
use crate::kube;
use crate::source::{FileId, Span, Workspace};
use crate::yaml::{self, Budget, Documents};
pub(crate) use credentials::{Inside, Veil};

/// Removes secret values from the findings. Returns the spans of all secret values near the
/// findings, sorted, so that excerpts can hide them.
pub(crate) fn redact(workspace: &Workspace, findings: Vec<&mut Diagnostic>) -> Vec<Span> {
    let (mut secrets, mut aliases) = (Vec::new(), yaml::ALIASES);
    let places = places_shown(&findings);
    for places in places.chunk_by(|a, b| is_one_file(workspace, *a, *b)) {
        secrets.extend(secrets_near(workspace, places, &mut aliases));
    }
    secrets.sort_unstable();
    secrets.dedup();
    let punctuation = punctuation_shown(workspace, &findings);
    if !secrets.is_empty() {
        let secrets = redact::Secrets::new(workspace, &secrets);
        for finding in findings {
            secrets.mask(finding);
        }
    }
    without(&secrets, &punctuation)
}

/// The findings that only point at punctuation, which is not secret: the message explains it.
fn punctuation_shown(workspace: &Workspace, findings: &[&mut Diagnostic]) -> Vec<Span> {
    let is_punctuation =
        |c: char| matches!(c, '{' | '}' | '[' | ']' | '"' | '\'' | ':' | ',' | '#' | ' ');
    let places = findings.iter().map(|it| it.primary.span);
    let mut places: Vec<_> =
        places.filter(|it| workspace.slice(*it).chars().all(is_punctuation)).collect();
    places.sort_unstable();
    places
}

/// The parts of sorted spans outside of `shown`, which is sorted as well.
fn without(secrets: &[Span], shown: &[Span]) -> Vec<Span> {
    let mut parts = Vec::new();
    for secret in secrets {
        let (start, length) = secret.parts();
        let (mut at, end) = (0, length as usize);
        let first = shown.partition_point(|it| it.parts().0 < start);
        for place in shown.iter().skip(first) {
            let from = secret.distance(*place) as usize;
            if from >= end {
                break;
            }
            parts.extend((at < from).then(|| secret.part(at..from)));
            at = at.max(from + place.parts().1 as usize);
        }
        parts.extend((at < end).then(|| secret.part(at..end)));
    }
    parts
}

/// Whether a text is a template that only names values: `{{ values.token }}`, with or without quotes
/// and with any spaces between the braces.
fn is_reference(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '{' | '}' | ' ');
    text.starts_with('{')
        && text.ends_with('}')
        && text.contains("values.")
        && text.chars().all(is_part)
}

/// The spans that a report can show, sorted.
fn places_shown(findings: &[&mut Diagnostic]) -> Vec<Span> {
    let mut places = Vec::new();
    for finding in findings {
        places.push(finding.primary.span);
        places.extend(finding.details().secondary.iter().map(|label| label.span));
        places.extend(finding.details().suggestions.iter().map(|suggestion| suggestion.span));
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Masks all secret values of the files at these positions.
pub(crate) fn mask_files(workspace: &mut Workspace, positions: &BTreeSet<usize>) {
    let ids = workspace.ids().enumerate().filter(|(position, _)| positions.contains(position));
    let mut budget = Budget::default();
    let secrets: Vec<_> = ids.flat_map(|(_, id)| secrets_of(workspace, id, &mut budget)).collect();
    workspace.mask(&secrets);
}

/// Returns the YAML or JSON of a file with its secret values masked: other characters, and all line
/// breaks, are at the same positions.
#[must_use]
pub fn mask_secrets(text: &str) -> String {
    let mut workspace = Workspace::new();
    workspace.add("", text);
    mask_files(&mut workspace, &BTreeSet::from([0]));
    workspace.ids().map(|it| workspace.file(it).text()).collect()
}

/// The spans of all secret values in a file, within the limits of all files that are read.
pub(crate) fn secrets_of(workspace: &Workspace, file: FileId, budget: &mut Budget) -> Vec<Span> {
    let text = workspace.file(file).text();
    if !credentials::may_contain_secret(text) {
        return Vec::new();
    }
    secrets_in(workspace, yaml::documents_within(file, text, budget, &mut Sink::unused()))
}

fn is_one_file(workspace: &Workspace, one: Span, other: Span) -> bool {
    workspace.file_at(one).id() == workspace.file_at(other).id()
}

/// The spans of the secret values in the shown documents and in the adjacent ones, because an
/// excerpt can include lines of those. All spans are in one file.
fn secrets_near(workspace: &Workspace, places: &[Span], aliases: &mut usize) -> Vec<Span> {
    let Some(file) = places.first().map(|it| workspace.file_at(*it).id()) else {
        return Vec::new();
    };
    let text = workspace.file(file).text();
    let is_wanted = credentials::may_contain_secret;
    if !is_wanted(text) {
        return Vec::new();
    }
    let documents = yaml::documents_near(file, text, places, is_wanted, aliases);
    secrets_in(workspace, documents)
}

fn secrets_in(workspace: &Workspace, documents: Documents) -> Vec<Span> {
    let Documents { read, unread } = documents;
    let mut secrets = Vec::new();
    for document in read {
        for (root, _) in kube::items_of_list(document.root, document.span) {
            let text_of = |place| workspace.slice(place);
            credentials::collect(&root, &text_of, &mut secrets);
            cases::collect(&root, &text_of, &mut secrets);
        }
    }
    for document in unread {
        secrets.extend(lines::of_unreadable(document, workspace.slice(document)));
    }
    secrets.retain(|it| !is_reference(workspace.slice(*it)));
    secrets
}
