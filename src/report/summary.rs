//! The number of findings of each severity.

use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::sorted::SortedSet;
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

/// The input of a run, and the settings by which it was judged.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Objects and definitions of the input.
    pub objects: usize,
    /// Those of kinds without a definition, whose fields are not checked.
    #[serde(skip_serializing_if = "is_zero")]
    pub unchecked: usize,
    /// Files of the input.
    pub files: usize,
    /// Findings that exceptions allow, which are not counted elsewhere.
    pub allowed: usize,
    /// The Kubernetes versions whose API servers must accept the output.
    pub kubernetes: Vec<String>,
    /// The files with the Projects that apply.
    pub projects: Vec<String>,
    /// The selected environments.
    pub environments: Vec<String>,
}

impl Checked {
    /// ` for Kubernetes 1.36, 1.37 (project sandboxc.yaml, environment prod)`, without absent parts.
    fn basis(&self) -> String {
        let listed = |noun: &str, names: &[String]| match names {
            [] => None,
            [name] => Some(format!("{noun} {name}")),
            names => Some(format!("{noun}s {}", names.join(", "))),
        };
        let projects = match self.projects.len() {
            0 | 1 => listed("project", &self.projects),
            count => Some(plural(count, "project")),
        };
        let environments = listed("environment", &self.environments);
        let settings: Vec<_> = projects.into_iter().chain(environments).collect();
        let kubernetes = if self.kubernetes.is_empty() {
            String::new()
        } else {
            format!(" for Kubernetes {}", self.kubernetes.join(", "))
        };
        if settings.is_empty() {
            return kubernetes;
        }
        format!("{kubernetes} ({})", settings.join(", "))
    }
}

impl Summary {
    /// Counts the findings.
    #[must_use]
    pub fn of(workspace: &Workspace, diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
        let file = |it: &Diagnostic| workspace.file_at(it.primary.span).id();
        let files: SortedSet<_> = diagnostics.iter().map(file).collect();
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

    /// `checked 12 objects in 3 files for Kubernetes 1.37: 2 errors, 1 warning, 4 allowed`.
    #[must_use]
    pub fn describe_checked(self, checked: &Checked) -> String {
        let Checked { objects, unchecked, files, allowed, .. } = *checked;
        let objects = plural(objects.saturating_sub(unchecked), "object");
        let files = plural(files, "file");
        let basis = checked.basis();
        let counts = self.counts().unwrap_or_else(|| "no findings".to_owned());
        let allowed = if allowed > 0 { format!(", {allowed} allowed") } else { String::new() };
        let rest = match unchecked {
            0 => String::new(),
            1 => "; 1 object of a kind without a definition is not checked".to_owned(),
            _ => format!("; {unchecked} objects of kinds without a definition are not checked"),
        };
        format!("checked {objects} in {files}{basis}: {counts}{allowed}{rest}")
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
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
        let checked = Checked { objects: 12, files: 3, allowed: 4, ..Checked::default() };
        let text = "checked 12 objects in 3 files: 1 error, 2 warnings, 4 allowed";
        assert_eq!(summary.describe_checked(&checked), text);
        let checked = Checked { objects: 1, files: 1, ..Checked::default() };
        let text = "checked 1 object in 1 file: no findings";
        assert_eq!(Summary::default().describe_checked(&checked), text);
        let checked = Checked { objects: 377, unchecked: 347, files: 9, ..Checked::default() };
        let text = "checked 30 objects in 9 files: no findings; 347 objects of kinds without a definition are not checked";
        assert_eq!(Summary::default().describe_checked(&checked), text);
    }

    #[test]
    fn the_summary_has_the_settings_of_the_run() {
        let texts = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
        let basis = |kubernetes: &[&str], projects: &[&str], environments: &[&str]| {
            let (kubernetes, projects) = (texts(kubernetes), texts(projects));
            Checked {
                kubernetes,
                projects,
                environments: texts(environments),
                ..Checked::default()
            }
            .basis()
        };
        assert_eq!(basis(&["1.37"], &[], &[]), " for Kubernetes 1.37");
        assert_eq!(
            basis(&["1.36", "1.37"], &["../sandboxc.yaml"], &["prod"]),
            " for Kubernetes 1.36, 1.37 (project ../sandboxc.yaml, environment prod)"
        );
        assert_eq!(
            basis(&["1.37"], &["a", "b"], &["dev", "prod"]),
            " for Kubernetes 1.37 (2 projects, environments dev, prod)"
        );
    }
}
