//! The collector of findings.

use super::{Diagnostic, Severity};

/// Proof that an error was reported. Only [`Sink`] makes it.
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
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error, and gives the token with which a stage may stop.
    pub(crate) fn error(&mut self, mut diagnostic: Diagnostic) -> Reported {
        diagnostic.severity = Severity::Error;
        self.diagnostics.push(diagnostic);
        Reported(())
    }

    /// Takes over what another sink collected.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
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

    /// Drops the findings that do not hold.
    pub(crate) fn retain(&mut self, holds: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(holds);
    }

    /// How many findings there are.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Whether there is none.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All findings in the order of output: by place, rule and text, exact repetitions once.
    #[must_use]
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.diagnostics.dedup_by(|a, b| a.sort_key() == b.sort_key());
        self.diagnostics
    }
}
