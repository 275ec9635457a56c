//! Where a finding is, for programs that open the file.

use crate::findings::rendered::Templates;
use crate::source::{Span, Workspace};

/// The locations of findings.
pub(super) struct Locations<'w> {
    workspace: &'w Workspace,
    templates: Templates<'w>,
}

/// The location of a finding in a file of the repository.
pub(super) struct Location<'w> {
    /// The name of the file as on the command line, `stdin`, or the template that the document on
    /// standard input was rendered from.
    pub(super) file: &'w str,
    /// The position in the file, which is unknown in a template.
    pub(super) range: Option<Range>,
}

/// The start and the end, each with line and column; columns count bytes or characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) start: (u32, u32),
    pub(super) end: (u32, u32),
}

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Columns {
    Characters,
    Bytes,
}

impl<'w> Locations<'w> {
    pub(super) fn of(workspace: &'w Workspace) -> Self {
        Self { workspace, templates: Templates::of(workspace) }
    }

    pub(super) fn at(&self, span: Span, columns: Columns) -> Location<'w> {
        let file = self.workspace.file_at(span);
        if file.is_named() {
            Location { file: file.name(), range: Some(range(self.workspace, span, columns)) }
        } else if let Some(file) = self.template(span) {
            Location { file, range: None }
        } else {
            Location { file: "stdin", range: Some(range(self.workspace, span, columns)) }
        }
    }

    /// The template of a document on standard input.
    pub(super) fn template(&self, span: Span) -> Option<&'w str> {
        if self.workspace.file_at(span).is_named() { None } else { self.templates.at(span) }
    }
}

/// The position of a span in its file.
pub(super) fn range(workspace: &Workspace, span: Span, columns: Columns) -> Range {
    let (file, span) = workspace.file_and_span(span);
    let position = |offset: u32| {
        let place = file.line_column(offset);
        match columns {
            Columns::Characters => (place.line, place.column),
            Columns::Bytes => {
                let start = file.lines().line_start(file.lines().line_of(offset));
                (place.line, offset - start + 1)
            }
        }
    };
    Range { start: position(span.start), end: position(span.end) }
}
