//! `Edited`: files whose source a command has changed, and what it found in them.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Sink};
use crate::findings::secrecy;
use crate::source::{Span, Workspace};

/// The result of [`format_files`](crate::format_files) and [`migrate`](crate::migrate()).
#[derive(Debug)]
#[non_exhaustive]
pub struct Edited {
    /// The files after the changes, in the order of the original workspace. Files with errors and
    /// skipped files are unchanged.
    pub workspace: Workspace,
    /// The positions of the changed files in the workspace.
    pub files: BTreeSet<usize>,
    /// The findings, sorted by position in the original workspace.
    pub diagnostics: Vec<Diagnostic>,
    /// The spans of secret values near the findings, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
}

/// A file that changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// The name of the file, as shown in messages.
    pub name: String,
    /// Whether the input is a file, and not standard input.
    pub is_named: bool,
    /// The content before the change.
    pub before: String,
    /// The content after the change.
    pub after: String,
}

impl Edited {
    /// The files with their new strings, by position.
    pub(crate) fn new(workspace: &Workspace, texts: BTreeMap<usize, String>, sink: Sink) -> Self {
        let mut diagnostics = sink.into_sorted();
        let secrets = secrecy::redact(workspace, diagnostics.iter_mut().collect());
        let files = texts.keys().copied().collect();
        Self { workspace: workspace.with_texts(texts), files, diagnostics, secrets }
    }

    /// Returns the changed files, compared with the original workspace.
    #[must_use]
    pub fn changes(&self, before: &Workspace) -> Vec<FileChange> {
        changes(before, &self.workspace, &self.files)
    }

    /// Returns [`changes`](Self::changes) for display, with secret values masked.
    #[must_use]
    pub fn shown_changes(&self, before: &Workspace) -> Vec<FileChange> {
        shown_changes(before, &self.workspace, &self.files)
    }
}

/// The changed files with secret values masked.
pub(crate) fn shown_changes(
    before: &Workspace,
    after: &Workspace,
    files: &BTreeSet<usize>,
) -> Vec<FileChange> {
    let [mut before, mut after] = [before, after].map(|it| it.with_texts(BTreeMap::new()));
    secrecy::mask_changes(&mut before, &mut after, files);
    changes(&before, &after, files)
}

/// The changed files.
pub(crate) fn changes(
    before: &Workspace,
    after: &Workspace,
    files: &BTreeSet<usize>,
) -> Vec<FileChange> {
    let pairs = before.ids().zip(after.ids()).enumerate();
    let changed = pairs.filter(|(position, _)| files.contains(position));
    let change = |(_, (old, new))| {
        let (old, new) = (before.file(old), after.file(new));
        FileChange {
            name: old.name().to_owned(),
            is_named: old.is_named(),
            before: old.text().to_owned(),
            after: new.text().to_owned(),
        }
    };
    changed.map(change).filter(|it| it.before != it.after).collect()
}
