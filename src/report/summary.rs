//! How many findings of each severity there are.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Severity};

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

impl Summary {
    /// Counts.
    #[must_use]
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
        let files: BTreeSet<_> = diagnostics.iter().map(|it| it.primary.span.file).collect();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            files: files.len(),
        }
    }

    /// `2 errors, 1 warning in 3 files`; nothing where there is no finding.
    #[must_use]
    pub fn describe(self) -> Option<String> {
        let counts: Vec<_> =
            [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, noun)| plural(count, noun))
                .collect();
        (!counts.is_empty())
            .then(|| format!("{} in {}", counts.join(", "), plural(self.files, "file")))
    }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_said_in_words() {
        let summary = Summary { errors: 2, warnings: 1, notes: 0, files: 3 };
        assert_eq!(summary.describe().as_deref(), Some("2 errors, 1 warning in 3 files"));
        let summary = Summary { notes: 1, files: 1, ..Summary::default() };
        assert_eq!(summary.describe().as_deref(), Some("1 note in 1 file"));
        assert_eq!(Summary::default().describe(), None);
    }
}
