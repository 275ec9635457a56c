//! Removal of secret values from reports.
//!
//! Reports are read in CI logs, code-scanning pages and chat messages. So they never contain the
//! values of a Secret, or of environment variables whose names look like credentials: neither in an
//! excerpt of the source, nor quoted in a message, nor in a suggested change.

mod credentials;
mod lines;
mod redact;

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Sink};
use crate::kube;
use crate::source::{FileId, Span, Workspace};
use crate::yaml::{self, Documents};

/// Removes secret values from the findings. Returns the spans of all secret values in files with
/// findings, sorted, for the excerpts.
pub(crate) fn redact(workspace: &Workspace, findings: Vec<&mut Diagnostic>) -> Vec<Span> {
    let mut secrets = Vec::new();
    for file in files_shown(workspace, &findings) {
        secrets.extend(secrets_of(workspace, file));
    }
    secrets.sort_unstable();
    if !secrets.is_empty() {
        for finding in findings {
            redact::finding(workspace, &secrets, finding);
        }
    }
    secrets
}

/// The files that a report can show excerpts of.
fn files_shown(workspace: &Workspace, findings: &[&mut Diagnostic]) -> BTreeSet<FileId> {
    let places = findings.iter().flat_map(|finding| {
        let secondary = finding.secondary.iter().map(|label| label.span);
        std::iter::once(finding.primary.span).chain(secondary)
    });
    places.map(|place| workspace.file_at(place).id()).collect()
}

/// The spans of all secret values in a file.
pub(crate) fn secrets_of(workspace: &Workspace, file: FileId) -> Vec<Span> {
    let text = workspace.file(file).text();
    if !credentials::may_contain_secret(text) {
        return Vec::new();
    }
    let Documents { read, unread } = yaml::documents(file, text, |_| {}, &mut Sink::new());
    let mut secrets = Vec::new();
    for document in read {
        for (root, _) in kube::items_of_list(document.root, document.span) {
            credentials::collect(&root, &|place| workspace.slice(place), &mut secrets);
        }
    }
    for document in unread {
        secrets.extend(lines::of_unreadable(document, workspace.slice(document)));
    }
    secrets
}
