//! Removal of secret values from reports.
//!
//! Reports end up in CI logs, code-scanning pages and chat messages. So they never contain the
//! values of a Secret, or of environment variables whose names look like credentials: not in source
//! excerpts, not in messages, and not in suggested changes.
//!
//! What is hidden follows from positions: [`Veil`] has the secret values of a tree,
//! [`Hidden`] what is hidden in the text of a document, and a message at such a position only quotes
//! words that the rest of the text shows.

mod cases;
mod document;
mod names;
mod redact;
mod signs;
mod structure;
mod values;
mod veil;

use std::collections::{BTreeMap, BTreeSet};

use self::document::Hidden;
use crate::diag::{Diagnostic, Sink};
use crate::source::{FileId, Span, Workspace, offset};
use crate::yaml::{self, Budget, Document, Documents};
pub(crate) use signs::ends_as_credential;
pub(crate) use values::SecretValues;
pub(crate) use veil::{Inside, Veil, is_plain};

/// Removes secret values from the findings. Returns the spans of all secret values near the
/// findings, sorted, so that excerpts can hide them.
pub(crate) fn redact(workspace: &Workspace, findings: Vec<&mut Diagnostic>) -> Vec<Span> {
    let (mut hidden, mut aliases) = (Hidden::default(), yaml::ALIASES);
    let places = places_shown(&findings);
    for places in places.chunk_by(|a, b| is_one_file(workspace, *a, *b)) {
        add_hidden_near(workspace, places, &mut aliases, &mut hidden);
    }
    let Hidden { mut spans, mut guarded, unread, expressions, .. } = hidden;
    let values = SecretValues::of(workspace);
    guarded.extend(expressions.into_iter().filter(|place| values.are_read_at(*place)));
    spans.sort_unstable();
    spans.dedup();
    if !spans.is_empty() || !guarded.is_empty() {
        let secrets = redact::Secrets::new(workspace, &spans, [guarded, unread]);
        for finding in findings {
            secrets.mask(finding);
        }
    }
    spans
}

/// Removes secret values from findings, and returns a copy of the workspace without those near them, for
/// reports with excerpts. The findings of [`compile`](crate::compile()) have none.
#[must_use]
pub fn mask_findings(workspace: &Workspace, findings: &mut [Diagnostic]) -> Workspace {
    let secrets = redact(workspace, findings.iter_mut().collect());
    let mut shown = workspace.with_texts(BTreeMap::new());
    shown.mask(&secrets);
    shown
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

/// Masks all secret values of the files at these positions, before and after a change. If one of the two
/// files cannot be read, only the structure of both is shown: a repair of half a value is not known as
/// one.
pub(crate) fn mask_changes(
    before: &mut Workspace,
    after: &mut Workspace,
    positions: &BTreeSet<usize>,
) {
    let mut budgets = [Budget::default(), Budget::default()];
    let pairs = before.ids().zip(after.ids()).enumerate().collect::<Vec<_>>();
    for (_, (old, new)) in pairs.into_iter().filter(|(position, _)| positions.contains(position)) {
        let [of_old, of_new] = &mut budgets;
        let mut found = [hidden_of(before, old, of_old), hidden_of(after, new, of_new)];
        let is_structure = found.iter().any(|it| it.is_structure);
        for ((side, file), hidden) in
            [(&mut *before, old), (&mut *after, new)].into_iter().zip(&mut found)
        {
            if is_structure {
                hidden.add_structure(side, whole(side, file));
            }
            side.mask(&hidden.spans);
        }
    }
}

/// Returns the YAML or JSON of a file with its secret values masked: other characters, and all line
/// breaks, are at the same positions.
#[must_use]
pub fn mask_secrets(text: &str) -> String {
    let mut workspace = Workspace::new();
    workspace.add("", text);
    for file in workspace.ids() {
        let mut secrets = hidden_of(&workspace, file, &mut Budget::default()).spans;
        secrets.sort_unstable();
        workspace.mask(&secrets);
    }
    workspace.ids().map(|it| workspace.file(it).text()).collect()
}

/// The spans of all secret values in a file, and of the expressions that name one, sorted, within the
/// limits of all files that are read.
pub(crate) fn secrets_and_references(
    workspace: &Workspace,
    file: FileId,
    budget: &mut Budget,
) -> Vec<Span> {
    let Hidden { mut spans, references, .. } = hidden_of(workspace, file, budget);
    spans.extend(references);
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// What is hidden in a file.
fn hidden_of(workspace: &Workspace, file: FileId, budget: &mut Budget) -> Hidden {
    let text = workspace.file(file).text();
    let mut hidden = Hidden::default();
    if signs::may_contain_secret(text) {
        let Documents { read, .. } =
            yaml::documents_within(file, text, budget, &mut Sink::unused());
        // Whatever was not read, for whatever reason, is unread.
        let parts = yaml::document_spans(file, text);
        hidden.add_all(workspace, documents_of(parts, read));
    }
    hidden
}

fn whole(workspace: &Workspace, file: FileId) -> Span {
    Span::new(file, 0, offset(workspace.file(file).text().len()))
}

fn is_one_file(workspace: &Workspace, one: Span, other: Span) -> bool {
    workspace.file_at(one).id() == workspace.file_at(other).id()
}

/// Adds what is hidden in the shown documents and in the adjacent ones, because an excerpt can include
/// lines of those. All spans are in one file.
fn add_hidden_near(
    workspace: &Workspace,
    places: &[Span],
    aliases: &mut usize,
    hidden: &mut Hidden,
) {
    let Some(file) = places.first().map(|place| workspace.file_at(*place).id()) else { return };
    let text = workspace.file(file).text();
    let is_wanted = |text: &str| signs::may_contain_secret(text) || values::reads_values(text);
    let Documents { read, unread } = yaml::documents_near(file, text, places, is_wanted, aliases);
    let mut starts: Vec<_> =
        read.iter().map(|document| document.span).chain(unread).map(Span::start_point).collect();
    if starts.is_empty() {
        return;
    }
    starts.sort_unstable();
    let is_near = |part: &Span| {
        let at = starts.partition_point(|start| *start < part.start_point());
        starts.get(at).is_some_and(|start| *start < part.end_point())
    };
    let parts = yaml::document_spans(file, text).into_iter().filter(is_near).collect();
    hidden.add_all(workspace, documents_of(parts, read));
}

/// The documents that were read, with the spans of their parts, which are in order. The others are unread.
fn documents_of(parts: Vec<Span>, mut read: Vec<Document>) -> Documents {
    read.sort_by_key(|it| it.span);
    let mut rest = read.into_iter().peekable();
    let mut documents = Documents { read: Vec::new(), unread: Vec::new() };
    for part in parts {
        match rest.next_if(|document| document.span.start_point() < part.end_point()) {
            Some(document) => documents.read.push(Document { span: part, ..document }),
            None => documents.unread.push(part),
        }
    }
    documents
}
