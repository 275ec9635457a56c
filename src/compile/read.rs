//! The first stage: the documents of each file, without the files that are not manifests.

use super::projects::is_project_file;
use super::{Options, Purpose};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::folder::{self, Skipped, Why};
use crate::kube::Hidden;
use crate::lower::may_have_definitions;
use crate::parallel::ordered_map;
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::tree::{Node, Value};
use crate::yaml::{self, Document, Documents, ParsedFile};

/// The contents of the files.
pub(super) struct Read {
    /// The documents of each file, in the order of the files.
    pub(super) documents: Vec<Vec<Document>>,
    /// The documents that cannot be read and are probably a Project.
    pub(super) unread_projects: Vec<Span>,
}

/// Whether a line of a document names the kind `Project`.
fn reads_like_project(text: &str) -> bool {
    may_have_definitions(text)
        && text
            .lines()
            .any(|it| it.trim_start().starts_with(['k', 'K']) && it.trim_end().ends_with("Project"))
}

/// The number of files that are parsed at once.
const AT_ONCE: usize = 256;

/// The size of a file, in bytes, below which its documents are parsed one after the other, at once with other
/// files. Those of a larger file are parsed at once themselves.
const SMALL: usize = 64 << 10;

/// The documents of each file.
pub(super) fn read<'w>(
    workspace: &'w Workspace,
    options: &Options,
    skipped: &mut Skipped,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Read {
    let files = workspace.ids().filter(|it| is_read(workspace, *it) && !skipped.contains(*it));
    let files: Vec<_> = files.collect();
    let read = Read { documents: Vec::new(), unread_projects: Vec::new() };
    let budget = yaml::Budget::default();
    let skips_named = false;
    let mut reader =
        Reader { workspace, options, skipped, hidden, sink, budget, skips_named, read };
    for block in files.chunks(AT_ONCE) {
        let ahead = reader.ahead(block);
        for (file, ahead) in block.iter().zip(ahead) {
            if options.cancellation.is_canceled() {
                reader.read.documents.clear();
                return reader.read;
            }
            reader.file(*file, ahead);
        }
    }
    let Reader { mut read, skips_named, .. } = reader;
    let is_input =
        |it: &FileId| matches!(workspace.file(*it).role(), FileRole::Named | FileRole::Found);
    let mut all = read.documents.iter().flatten();
    let is_empty = all.all(|it| workspace.role_at(it.span) == FileRole::Context);
    if is_empty && !skips_named && sink.reported().is_none() {
        let first = workspace.ids().find(is_input);
        first.map(|it| without_objects(workspace, it)).into_iter().for_each(|it| sink.report(it));
    }
    read.unread_projects.sort_unstable();
    read
}

/// Reads one file after the other.
struct Reader<'r, 'w> {
    workspace: &'w Workspace,
    options: &'r Options,
    skipped: &'r mut Skipped,
    hidden: &'r mut Hidden<'w>,
    sink: &'r mut Sink,
    /// What the files so far leave of the limits of the run.
    budget: yaml::Budget,
    /// Whether a named file was skipped, since another program reads it.
    skips_named: bool,
    read: Read,
}

impl<'w> Reader<'_, 'w> {
    /// Whether each of these files is skipped without being parsed, and the documents of the small other ones,
    /// all at once.
    fn ahead(&self, files: &[FileId]) -> Vec<(bool, Option<ParsedFile<'w>>)> {
        let workspace = self.workspace;
        let is_alone = files.len() == 1;
        let ahead = |file: &FileId| {
            let text = workspace.file(*file).text();
            let is_skipped = can_be_skipped(workspace, *file) && !folder::may_be_manifest(text);
            let is_worth_it = !is_skipped && !is_alone && text.len() < SMALL;
            (is_skipped, is_worth_it.then(|| ParsedFile::of(*file, text)))
        };
        ordered_map(files.iter().collect(), ahead)
    }

    fn file(&mut self, file: FileId, (is_skipped, ahead): (bool, Option<ParsedFile<'w>>)) {
        let workspace = self.workspace;
        let text = workspace.file(file).text();
        if is_skipped {
            skip_other(workspace, file, self.skipped);
            return;
        }
        let can_be_skipped = can_be_skipped(workspace, file);
        // `check` skips files that do not look like manifests. The output of `build` must be
        // complete.
        let is_question = matches!(self.options.purpose, Purpose::Check | Purpose::Compare);
        let can_be_foreign = can_be_skipped && is_question && !may_have_definitions(text);
        if can_be_foreign && self.skipped.skips_by_path(workspace, file) {
            self.hidden.add(text);
            return;
        }
        if yaml::check_file(file, workspace.file(file), self.sink).is_err() {
            self.hidden.add(text);
            return;
        }
        let mut findings = self.sink.part();
        let before = self.budget.values;
        let Documents { mut read, unread } = match ahead {
            Some(ahead) => ahead.documents(&mut self.budget, &mut findings),
            None => yaml::documents_within(file, text, &mut self.budget, &mut findings),
        };
        if self.options.purpose == Purpose::Compare {
            read = read.into_iter().flat_map(objects_of_list).collect();
        }
        let are_of_other_program = unread.is_empty()
            && !read.is_empty()
            && read.iter().all(|it| folder::is_of_other_program(&it.root));
        let why = if can_be_skipped {
            self.other(&read, &unread)
        } else {
            self.skips_named |= are_of_other_program;
            are_of_other_program.then_some(Why::Configuration)
        };
        if let Some(why) = why {
            self.budget.values = before;
            match why {
                Why::Other => skip_other(workspace, file, self.skipped),
                why => self.skipped.add(workspace, file, why),
            }
            return;
        }
        let first_error = findings.iter().filter(|it| it.severity == Severity::Error);
        let first_error = first_error.map(|it| workspace.file_and_span(it.primary.span).1).min();
        if can_be_foreign
            && first_error.is_some_and(|it| folder::is_template(text, it.start as usize))
        {
            self.budget.values = before;
            self.skipped.add(workspace, file, Why::Template);
            self.hidden.add(text);
            return;
        }
        self.sink.absorb(findings);
        read.retain(|document| !document.root.is_null());
        self.read.documents.push(read);
        for place in unread {
            if reads_like_project(workspace.slice(place)) {
                self.read.unread_projects.push(place);
            }
            self.hidden.add(workspace.slice(place));
        }
    }

    /// Why the documents of a file are not objects.
    fn other(&self, read: &[Document], unread: &[Span]) -> Option<Why> {
        let reads_like_manifest =
            |place: &Span| folder::reads_like_manifest(self.workspace.slice(*place));
        let is_manifest = |it: &Document| folder::is_manifest(&it.root);
        if !unread.iter().any(reads_like_manifest) && !read.iter().any(is_manifest) {
            return Some(Why::Other);
        }
        let are_configuration = read.iter().all(|it| folder::is_configuration(&it.root));
        (unread.is_empty() && are_configuration).then_some(Why::Configuration)
    }
}

/// The items of a list of objects, which other programs print, as documents.
fn objects_of_list(document: Document) -> Vec<Document> {
    let items = document.root.items();
    let is_list_of_objects = !items.is_empty() && items.iter().all(folder::is_manifest);
    match document.root.value {
        Value::List(items) if is_list_of_objects => {
            let item = |root: Node| Document { span: root.span(), root, values: 0 };
            items.into_iter().map(item).collect()
        }
        _ => vec![document],
    }
}

/// Whether the documents of a file are part of the run.
fn is_read(workspace: &Workspace, file: FileId) -> bool {
    let file = workspace.file(file);
    match file.role() {
        FileRole::Values | FileRole::OtherProject | FileRole::External => false,
        // Findings would show a file that the author of a Project has named, and may not know.
        FileRole::KnownKinds => {
            let has = |word: &[u8]| memchr::memmem::find(file.text().as_bytes(), word).is_some();
            file.unreadable().is_some() || has(b"CustomResourceDefinition")
        }
        _ => true,
    }
}

/// Whether a file need not be a manifest: it was not named, and its content is known.
fn can_be_skipped(workspace: &Workspace, file: FileId) -> bool {
    let file = workspace.file(file);
    file.unreadable().is_none() && matches!(file.role(), FileRole::Found | FileRole::Context)
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
