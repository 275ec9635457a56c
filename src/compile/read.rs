//! The first stage: the documents of each file, without the files that are not manifests.

use super::Options;
use super::projects::is_project_file;
use crate::diag::{Diagnostic, Severity, Sink};
use crate::folder::{self, Skipped, Why};
use crate::kube::Hidden;
use crate::lower::API_GROUP;
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::yaml::{self, Document, Documents};

/// The contents of the files.
pub(super) struct Read {
    /// The documents of each file, in the order of the files.
    pub(super) documents: Vec<Vec<Document>>,
    /// The documents that cannot be read and are probably a Project.
    pub(super) unread_projects: Vec<Span>,
}

/// Whether a line of a document names the kind `Project`.
fn reads_like_project(text: &str) -> bool {
    text.contains(API_GROUP)
        && text
            .lines()
            .any(|it| it.trim_start().starts_with(['k', 'K']) && it.trim_end().ends_with("Project"))
}

/// The documents of each file.
pub(super) fn read<'w>(
    workspace: &'w Workspace,
    options: &Options,
    skipped: &mut Skipped,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Read {
    let (mut documents, mut unread_projects) = (Vec::new(), Vec::new());
    let mut budget = yaml::Budget::default();
    let files = workspace.ids().filter(|it| is_read(workspace, *it) && !skipped.contains(*it));
    for file in files.collect::<Vec<_>>() {
        if options.cancellation.is_canceled() {
            documents.clear();
            break;
        }
        let text = workspace.file(file).text();
        let is_known = workspace.file(file).unreadable().is_none();
        let role = workspace.file(file).role();
        let can_be_skipped = is_known && matches!(role, FileRole::Found | FileRole::Context);
        if can_be_skipped && !folder::may_be_manifest(text) {
            skip_other(workspace, file, skipped);
            continue;
        }
        // `check` skips files that do not look like manifests. The output of `build` must be
        // complete.
        let can_be_foreign = can_be_skipped && options.findings_alone && !text.contains(API_GROUP);
        if can_be_foreign && skipped.skips_by_path(workspace, file) {
            hidden.add(text);
            continue;
        }
        if yaml::check_file(file, workspace.file(file), sink).is_err() {
            hidden.add(text);
            continue;
        }
        let mut findings = sink.part();
        let before = budget.values;
        let Documents { mut read, unread } =
            yaml::documents_within(file, text, &mut budget, &mut findings);
        let is_manifest = |it: &Document| folder::is_manifest(&it.root);
        let is_unread =
            unread.iter().any(|place| folder::reads_like_manifest(workspace.slice(*place)));
        if can_be_skipped && !is_unread && !read.iter().any(is_manifest) {
            budget.values = before;
            skip_other(workspace, file, skipped);
            continue;
        }
        let are_configuration = read.iter().all(|it| folder::is_configuration(&it.root));
        if can_be_skipped && unread.is_empty() && are_configuration {
            budget.values = before;
            skipped.add(workspace, file, Why::Configuration);
            continue;
        }
        let first_error = findings.iter().filter(|it| it.severity == Severity::Error);
        let first_error = first_error.map(|it| workspace.file_and_span(it.primary.span).1).min();
        if can_be_foreign
            && first_error.is_some_and(|it| folder::is_template(text, it.start as usize))
        {
            budget.values = before;
            skipped.add(workspace, file, Why::Template);
            hidden.add(text);
            continue;
        }
        sink.absorb(findings);
        read.retain(|document| !document.root.is_null());
        documents.push(read);
        for place in unread {
            if reads_like_project(workspace.slice(place)) {
                unread_projects.push(place);
            }
            hidden.add(workspace.slice(place));
        }
    }
    let is_input =
        |it: &FileId| matches!(workspace.file(*it).role(), FileRole::Named | FileRole::Found);
    let mut all = documents.iter().flatten();
    let is_empty = all.all(|it| workspace.role_at(it.span) == FileRole::Context);
    if is_empty && sink.reported().is_none() {
        let first = workspace.ids().find(is_input);
        first.map(|it| without_objects(workspace, it)).into_iter().for_each(|it| sink.report(it));
    }
    unread_projects.sort_unstable();
    Read { documents, unread_projects }
}

/// Whether the documents of a file are part of the run.
fn is_read(workspace: &Workspace, file: FileId) -> bool {
    let role = workspace.file(file).role();
    !matches!(role, FileRole::Values | FileRole::OtherProject | FileRole::External)
}

/// Skips a file without manifests.
fn skip_other(workspace: &Workspace, file: FileId, skipped: &mut Skipped) {
    if is_project_file(workspace, file) {
        skipped.omit(file);
    } else {
        skipped.add(workspace, file, Why::Other);
    }
}

/// Nothing to check is a typo in the name of a directory, or a directory whose files need a program
/// to become manifests. A stream can be empty on purpose.
fn without_objects(workspace: &Workspace, file: FileId) -> Diagnostic {
    let finding = yaml::without_objects(file);
    if workspace.file(file).role() != FileRole::Found {
        return finding;
    }
    finding
        .with_severity(Severity::Error)
        .without_advice()
        .help("name a directory with manifests or definitions, or name the files")
}

/// Whether a document may contain expressions.
pub(super) fn has_expressions(text: &str) -> bool {
    ["{{", "{%"]
        .into_iter()
        .any(|it| memchr::memmem::find(text.as_bytes(), it.as_bytes()).is_some())
}
