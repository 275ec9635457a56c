//! Files that mark the directory of a project and have no Project.

use crate::diag::{Diagnostic, Severity, Sink, message, nearest};
use crate::folder;
use crate::kube::InputObject;
use crate::lower::API_GROUP;
use crate::project::PROJECT_MISSING;
use crate::sorted::SortedSet;
use crate::source::{FileId, FileRole, PROJECT_FILE, Span, Workspace};

/// Whether a file marks the directory of a project.
pub(super) fn is_project_file(workspace: &Workspace, file: FileId) -> bool {
    folder::file_name(workspace.file(file).name()) == PROJECT_FILE
}

/// Whether an object is a Project, or probably one with a typo.
pub(super) fn is_like_project(object: &InputObject) -> bool {
    let kind = &object.gvk.kind;
    kind == "Project"
        || object.gvk.group == API_GROUP
            && (kind.is_empty() || nearest(kind, ["Project"]).is_some())
}

/// Reports each such file without errors: the settings that the author expects do not apply.
pub(super) fn report_missing(workspace: &Workspace, inputs: &[InputObject], sink: &mut Sink) {
    let is_read = |it: &FileId| {
        let role = workspace.file(*it).role();
        matches!(role, FileRole::Named | FileRole::Found | FileRole::Context)
    };
    let mut marks: SortedSet<_> = workspace.ids().filter(is_read).collect();
    marks.retain(|it| is_project_file(workspace, *it));
    if marks.is_empty() {
        return;
    }
    for object in inputs.iter().filter(|it| is_like_project(it)) {
        marks.remove(&workspace.file_at(object.place).id());
    }
    for finding in sink.iter().filter(|it| it.severity == Severity::Error) {
        marks.remove(&workspace.file_at(finding.primary.span).id());
    }
    for file in marks {
        let message = message!("`{}` has no Project", workspace.file(file).name());
        let finding = Diagnostic::new(&PROJECT_MISSING, Span::new(file, 0, 0), message);
        sink.report(
            finding
                .at("no Project")
                .note("the file marks a project, and the default settings apply to it")
                .help("add a document with `kind: Project`, or rename the file"),
        );
    }
}
