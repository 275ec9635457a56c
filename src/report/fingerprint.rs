//! The fingerprints by which services recognize a finding in a later run. They do not change when lines
//! are added above: the rule, the file, the object, the field and the marked text, and an index if all
//! of these are equal.

use crate::diag::Diagnostic;
use crate::kube::InputObject;
use crate::sorted::SortedMap;
use crate::source::{Workspace, content_hash};

/// The fingerprints of findings.
pub(super) struct Fingerprints<'r> {
    workspace: &'r Workspace,
    inputs: &'r [InputObject],
    seen: SortedMap<u64, usize>,
}

impl<'r> Fingerprints<'r> {
    pub(super) fn new(workspace: &'r Workspace, inputs: &'r [InputObject]) -> Self {
        Self { workspace, inputs, seen: SortedMap::new() }
    }

    pub(super) fn of(&mut self, diagnostic: &Diagnostic) -> String {
        let span = diagnostic.primary.span;
        let object = InputObject::index_at(self.inputs, span).and_then(|at| self.inputs.get(at));
        let object = object.map_or_else(String::new, InputObject::describe);
        let path = diagnostic.details().path.as_ref().map_or_else(String::new, ToString::to_string);
        let marked = self.workspace.slice(span);
        let first_line = marked.split_once('\n').map_or(marked, |(line, _)| line).trim();
        let parts =
            [diagnostic.rule.name, self.workspace.file_at(span).name(), &object, &path, first_line];
        let hash = content_hash(parts.join("\0").as_bytes());
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    }
}
