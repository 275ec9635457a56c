//! The number of findings of each severity.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::source::Workspace;

/// The counts of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity note.
    pub notes: usize,
    /// Files with at least one finding.
    pub files: usize,
}

/// The input of a run.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Objects and definitions of the input.
    pub objects: usize,
    /// Files of the input.
    pub files: usize,
    /// Findings that exceptions allow, which are not counted elsewhere.
    pub allowed: usize,
}

impl Summary {
    /// Counts the findings.
    #[must_use]
    pub fn of(workspace: &Workspace, diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
        let file = |it: &Diagnostic| workspace.file_at(it.primary.span).id();
        let files: BTreeSet<_> = diagnostics.iter().map(file).collect();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            files: files.len(),
        }
    }

    /// `2 errors, 1 warning in 3 files`; empty without findings.
    #[must_use]
    pub fn describe(self) -> Option<String> {
        self.counts().map(|counts| format!("{counts} in {}", plural(self.files, "file")))
    }

    /// `checked 12 objects in 3 files: 2 errors, 1 warning, 4 allowed`.
    #[must_use]
    pub fn describe_checked(self, checked: Checked) -> String {
        let Checked { objects, files, allowed } = checked;
        let (objects, files) = (plural(objects, "object"), plural(files, "file"));
        let counts = self.counts().unwrap_or_else(|| "no findings".to_owned());
        let allowed = if allowed > 0 { format!(", {allowed} allowed") } else { String::new() };
        format!("checked {objects} in {files}: {counts}{allowed}")
    }

    fn counts(self) -> Option<String> {
        let counts: Vec<_> =
            [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, noun)| plural(count, noun))
                .collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_in_words() {
        let summary = Summary { errors: 2, warnings: 1, notes: 0, files: 3 };
        assert_eq!(summary.describe().as_deref(), Some("2 errors, 1 warning in 3 files"));
        let summary = Summary { notes: 1, files: 1, ..Summary::default() };
        assert_eq!(summary.describe().as_deref(), Some("1 note in 1 file"));
        assert_eq!(Summary::default().describe(), None);
    }

    #[test]
    fn the_summary_has_the_checked_objects_with_and_without_findings() {
        let summary = Summary { errors: 1, warnings: 2, notes: 0, files: 1 };
        let checked = Checked { objects: 12, files: 3, allowed: 4 };
        let text = "checked 12 objects in 3 files: 1 error, 2 warnings, 4 allowed";
        assert_eq!(summary.describe_checked(checked), text);
        let checked = Checked { objects: 1, files: 1, allowed: 0 };
        let text = "checked 1 object in 1 file: no findings";
        assert_eq!(Summary::default().describe_checked(checked), text);
    }
}
