//! Runs with several environments: the findings of each are one report.

use super::Compilation;
use crate::diag::{Diagnostic, Message, listed, message};
use crate::exception;
use crate::sorted::SortedMap;
use crate::source::Span;

/// The same finding in several environments.
type Key = (Span, &'static str, Message);

impl Compilation {
    /// The results of one input in several environments, without objects. Findings that apply to only
    /// some of the environments name them. `None` without any.
    #[must_use]
    pub fn of_environments(runs: Vec<(String, Self)>) -> Option<Self> {
        let count = runs.len();
        let mut found: SortedMap<Key, (Diagnostic, Vec<String>)> = SortedMap::new();
        let mut all: Option<Self> = None;
        for (name, mut run) in runs {
            for finding in std::mem::take(&mut run.diagnostics) {
                let (span, rule, message) = finding.identity();
                let key: Key = (span, rule, message.clone());
                let (known, names) =
                    found.entry(key).or_insert_with(|| (finding.clone(), Vec::new()));
                known.severity = known.severity.min(finding.severity);
                names.push(name.clone());
            }
            match &mut all {
                None => all = Some(run),
                Some(all) => all.join(run),
            }
        }
        let mut all = all?;
        all.objects = Vec::new();
        all.environment = None;
        all.secrets.sort_unstable();
        all.secrets.dedup();
        let findings = found.into_values().filter_map(|(mut finding, names)| {
            if names.len() < count {
                // An exception is used if it is used in one environment.
                if exception::is_unused(&finding) {
                    return None;
                }
                finding.add_note(in_environments(&names));
            }
            Some(finding)
        });
        all.diagnostics = findings.collect();
        Some(all)
    }

    /// Adds the results of the same input in another environment.
    fn join(&mut self, other: Self) {
        self.left_out.extend(other.left_out);
        self.secrets.extend(other.secrets);
        self.allowed = self.allowed.max(other.allowed);
        self.summaries.extend(other.summaries);
        self.judged.extend(other.judged);
        self.is_strict |= other.is_strict;
    }
}

fn in_environments(names: &[String]) -> Message {
    let plural = if names.len() == 1 { "" } else { "s" };
    message!("in the environment{plural} {}", listed(names.iter().map(String::as_str)))
}
