//! `fmt`: the canonical layout of definitions and manifests.
//!
//! Only spaces and line breaks change. The order of documents and keys, comments, quotes and the
//! meaning are kept; `yaml::layout` describes how that is certain.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use crate::diag::{Diagnostic, Severity, Sink};
use crate::edited::Edited;
use crate::folder::{self, Skipped, Why};
use crate::parallel::ordered_map_of;
use crate::schema::INTERNAL;
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::yaml::{self, Documents, NoLayout};

/// A text without a canonical layout, because it cannot be read.
#[derive(Debug)]
pub struct Unformatted {
    /// The text, as the only file.
    pub workspace: Workspace,
    /// The findings; one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Returns a text in its canonical layout. JSON is kept unchanged.
///
/// ```
/// let text = "kind: List\nitems:\n-   kind: Pod # one\n";
/// assert_eq!(sandboxc::format(text).unwrap(), "kind: List\nitems:\n  - kind: Pod # one\n");
/// ```
///
/// # Errors
/// If the text cannot be read.
pub fn format(text: &str) -> Result<String, Box<Unformatted>> {
    let mut workspace = Workspace::new();
    let file = workspace.add("<text>", text);
    let mut sink = Sink::new();
    match formatted(&workspace, file, &mut sink) {
        Some((formatted, _)) => Ok(formatted),
        None => Err(Box::new(Unformatted { workspace, diagnostics: sink.into_sorted() })),
    }
}

/// Formats the files of a workspace: those that `check` reads, except for files with
/// [`FileRole::Context`] and the like.
#[must_use]
pub fn format_files(workspace: &Workspace) -> Edited {
    let mut skipped = Skipped::find(workspace);
    let mut inputs = Vec::new();
    for (position, file) in workspace.ids().enumerate() {
        if workspace.file(file).can_change()
            && !skipped.contains(file)
            && !skips(workspace, file, &mut skipped)
        {
            inputs.push((position, file));
        }
    }
    let work = |(position, file)| {
        let mut findings = Sink::new();
        let formatted = formatted(workspace, file, &mut findings);
        (position, file, formatted, findings)
    };
    let (mut sink, mut texts) = (Sink::new(), BTreeMap::new());
    for (position, file, formatted, findings) in ordered_map_of(workspace.bytes(), inputs, work) {
        let source = workspace.file(file);
        match formatted {
            Some((_, false)) if source.role() == FileRole::Found => {
                skipped.add(workspace, file, Why::Other);
            }
            Some((formatted, _)) if formatted != source.text() => {
                texts.insert(position, formatted);
            }
            Some(_) => {}
            None if is_template(workspace, file, &findings) => {
                skipped.add(workspace, file, Why::Template);
            }
            None => sink.absorb(findings),
        }
    }
    let mut notes = Sink::new();
    skipped.report(workspace, &mut notes);
    // The advice of these notes is about `check`.
    notes.into_sorted().into_iter().for_each(|it| sink.report(it.without_advice()));
    Edited::new(workspace, texts, sink)
}

/// Skips a file that was found in a directory and is not a manifest, without reading it.
pub(crate) fn skips(workspace: &Workspace, file: FileId, skipped: &mut Skipped) -> bool {
    let source = workspace.file(file);
    if source.role() != FileRole::Found || source.unreadable().is_some() {
        return false;
    }
    if !folder::may_be_manifest(source.text()) {
        skipped.add(workspace, file, Why::Other);
        return true;
    }
    skipped.skips_by_path(workspace, file)
}

/// Whether a file that cannot be read is a template of another program.
pub(crate) fn is_template(workspace: &Workspace, file: FileId, findings: &Sink) -> bool {
    let errors = findings.iter().filter(|it| it.severity == Severity::Error);
    let first = errors.map(|it| workspace.locate(it.primary.span)).min();
    first.is_some_and(|it| folder::is_template(workspace.file(file).text(), it.start as usize))
}

/// The canonical layout of a file, and whether one of its documents is a manifest. Reports why there
/// is none.
fn formatted(workspace: &Workspace, file: FileId, sink: &mut Sink) -> Option<(String, bool)> {
    let source = workspace.file(file);
    let text = source.text();
    yaml::check_file(file, source, sink).ok()?;
    let mut findings = Sink::new();
    let Documents { read, .. } = yaml::documents(file, text, &mut findings);
    if findings.reported().is_some() {
        sink.absorb(findings);
        return None;
    }
    let is_manifest = read.iter().any(|it| folder::is_manifest(&it.root));
    if text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
    {
        return Some((text.to_owned(), is_manifest));
    }
    match yaml::layout(file, text) {
        Ok(formatted) => Some((formatted, is_manifest)),
        Err(NoLayout::Unreadable(document) | NoLayout::Changed(document)) => {
            let place = Span::new(file, document.start, document.start);
            let message = "the document is not formatted, because it would change";
            let finding = Diagnostic::new(&INTERNAL, place, message)
                .note("this is a bug in the formatter; the file is left as it is")
                .help("report the document, or exclude the file: `--exclude`");
            sink.report(finding);
            None
        }
    }
}
