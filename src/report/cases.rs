//! Findings as results of tests: a suite for each file, a case for each object in it.

use crate::diag::Diagnostic;
use crate::kube::InputObject;
use crate::sorted::SortedMap;
use crate::source::{FileId, SourceFile, Workspace};

/// The length in bytes above which the name of a case is truncated. Kind, namespace and name have
/// at most 63, 63 and 253.
const LONGEST_NAME: usize = 400;

/// The findings of each object of a file, by its index, and those outside of all objects.
pub(super) type Suite<'r> = SortedMap<Option<usize>, Vec<&'r Diagnostic>>;

/// The suites of all files, also of those without findings.
pub(super) fn suites<'r>(
    workspace: &Workspace,
    inputs: &[InputObject],
    diagnostics: &'r [Diagnostic],
) -> SortedMap<FileId, Suite<'r>> {
    let mut suites: SortedMap<FileId, Suite<'_>> =
        workspace.ids().map(|file| (file, Suite::new())).collect();
    for (index, input) in inputs.iter().enumerate() {
        suites
            .entry(workspace.locate(input.place).file)
            .or_default()
            .insert(Some(index), Vec::new());
    }
    for diagnostic in diagnostics {
        let place = diagnostic.primary.span;
        let cases = suites.entry(workspace.locate(place).file).or_default();
        cases.entry(InputObject::index_at(inputs, place)).or_default().push(diagnostic);
    }
    suites
}

/// The names of the cases of a suite, each of which is used once.
#[derive(Default)]
pub(super) struct Names(SortedMap<String, usize>);

impl Names {
    /// The name of the case of an object, or of the findings outside of all objects.
    pub(super) fn of(&mut self, file: &SourceFile, object: Option<&InputObject>) -> String {
        let mut name = object.map_or_else(|| file.name().to_owned(), InputObject::describe);
        if name.len() > LONGEST_NAME {
            name.truncate(name.floor_char_boundary(LONGEST_NAME));
            name.push('…');
        }
        let number = self.0.entry(name.clone()).or_default();
        *number += 1;
        if *number > 1 { format!("{name} ({number})") } else { name }
    }
}
