//! The collector of findings.

use super::{Diagnostic, Severity};
use crate::scalar::{KubernetesVersion, Versions};

/// Proof that an error was reported. Only [`Sink`] can create it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reported(());

/// Collects the findings of one stage or one thread.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// An empty sink.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a finding of any severity.
    pub(crate) fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.shorten();
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error, and returns the token that lets a stage stop.
    pub(crate) fn error(&mut self, mut diagnostic: Diagnostic) -> Reported {
        diagnostic.severity = Severity::Error;
        self.report(diagnostic);
        Reported(())
    }

    /// Adds the findings of another sink.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
    }

    /// Runs a check once for each target version, and restricts its findings to that version.
    pub(crate) fn per_version(
        &mut self,
        targets: Versions,
        mut check: impl FnMut(KubernetesVersion, &mut Self),
    ) {
        for target in targets.iter() {
            let before = self.diagnostics.len();
            check(target, self);
            for finding in self.diagnostics.iter_mut().skip(before) {
                finding.kubernetes = Some(target.into());
            }
        }
    }

    /// The token, if an error was reported.
    #[must_use]
    pub(crate) fn reported(&self) -> Option<Reported> {
        let has_error = self.diagnostics.iter().any(|it| it.severity == Severity::Error);
        has_error.then_some(Reported(()))
    }

    /// The findings so far, in the order of reporting.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter()
    }

    /// The findings so far, mutable.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.diagnostics.iter_mut()
    }

    /// Keeps only the findings for which `holds` returns true.
    pub(crate) fn retain(&mut self, holds: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(holds);
    }

    /// The number of findings.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Whether there are no findings.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All findings in the order of output: by position, rule and message. A finding that is also
    /// reported as an error is dropped, and so are exact duplicates.
    #[must_use]
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.diagnostics.dedup_by(|repetition, first| {
            if repetition.sort_key() == first.sort_key() {
                first.unite(repetition);
                return true;
            }
            repetition.is_covered_by(first)
        });
        self.diagnostics
    }

    /// Like [`into_sorted`](Self::into_sorted), for a run with these target versions: findings that
    /// only apply to some of them name these.
    #[must_use]
    pub(crate) fn into_sorted_for(self, targets: Versions) -> Vec<Diagnostic> {
        let mut findings = self.into_sorted();
        for finding in &mut findings {
            finding.kubernetes = finding.kubernetes.filter(|versions| *versions != targets);
            if let Some(versions) = finding.kubernetes {
                finding.notes.push(format!("on Kubernetes {versions}"));
            }
        }
        findings
    }
}
