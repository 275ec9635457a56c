//! Runs with several environments: the findings of each are one report.

use super::ApartEnvironments;
use super::compilation::{Compilation, Relation};
use crate::diag::{Diagnostic, Message, listed, message};
use crate::findings::exception;
use crate::sorted::SortedMap;
use crate::source::{Span, Workspace};

/// The same finding in several environments.
type Key = (Span, &'static str, Message);

/// Findings, each with the environments that it applies to.
type Found = SortedMap<Key, (Diagnostic, Vec<String>)>;

fn key_of(finding: &Diagnostic) -> Key {
    let (span, rule, message) = finding.identity();
    (span, rule, message.clone())
}

impl Compilation {
    /// The results of one input in several environments, without objects. Findings that apply to only
    /// some of the environments name them. `None` without any.
    #[must_use]
    pub fn of_environments(runs: Vec<(String, Self)>) -> Option<Self> {
        Self::joined(runs, SortedMap::new())
    }

    /// As [`of_environments`](Self::of_environments), of runs each of which has read its own environment alone.
    /// The findings about others are those of a run without an environment.
    #[must_use]
    pub fn of_environments_apart(
        runs: Vec<(String, Self)>,
        environments: &ApartEnvironments,
        (workspace, whole): (&Workspace, Self),
    ) -> Option<Self> {
        let mut found = Found::new();
        for finding in whole.diagnostics {
            if environments.contains(workspace, finding.primary.span) {
                let names = runs.iter().map(|(name, _)| name.clone()).collect();
                found.insert(key_of(&finding), (finding, names));
            }
        }
        let mut all = Self::joined(runs, found)?;
        all.secrets.extend(whole.secrets);
        all.sort_secrets();
        Some(all)
    }

    /// The results of runs, with findings that apply to all of them.
    fn joined(runs: Vec<(String, Self)>, mut found: Found) -> Option<Self> {
        let count = runs.len();
        let mut all: Option<Self> = None;
        for (name, mut run) in runs {
            for finding in std::mem::take(&mut run.diagnostics) {
                let (known, names) =
                    found.entry(key_of(&finding)).or_insert_with(|| (finding.clone(), Vec::new()));
                known.severity = known.severity.min(finding.severity);
                if names.len() < count {
                    names.push(name.clone());
                }
            }
            match &mut all {
                None => all = Some(run),
                Some(all) => all.join(run, Relation::Environments),
            }
        }
        let mut all = all?;
        all.objects = Vec::new();
        all.environment = None;
        all.sort_secrets();
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
}

fn in_environments(names: &[String]) -> Message {
    let plural = if names.len() == 1 { "" } else { "s" };
    message!("in the environment{plural} {}", listed(names.iter().map(String::as_str)))
}
