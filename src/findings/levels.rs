//! The severities that the command line and the Project choose for rules.

use std::cell::LazyCell;

use crate::diag::{
    Diagnostic, Rule, Severity, Sink, TOO_MANY_FINDINGS, Words, did_you_mean, message,
};
use crate::findings::exception::EXCEPTION_RULE_UNKNOWN;
use crate::project::Project;
use crate::sorted::SortedMap;

/// What a user chooses for the findings of a rule. Errors stay errors: the API server rejects the
/// object, whatever the user prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Level {
    /// They are not reported.
    Allow,
    /// They are warnings.
    Warn,
    /// They are errors.
    Deny,
}

/// The word for all warnings, in place of a rule.
pub(super) const WARNINGS: &str = "warnings";

/// The levels of a run.
pub(crate) struct Levels<'o> {
    /// By rule; those of the command line take precedence.
    by_rule: SortedMap<&'o str, (Level, &'static str)>,
    /// Whether warnings fail the run.
    pub(crate) denies_warnings: bool,
}

impl<'o> Levels<'o> {
    /// Reads those of the Project, whose names of rules are looked up in `rules`, and those of the command line.
    pub(crate) fn of(
        project: &'o Project,
        given: &'o [(String, Level)],
        rules: &LazyCell<Vec<&'static Rule>>,
        sink: &mut Sink,
    ) -> Self {
        let mut levels = Self { by_rule: SortedMap::new(), denies_warnings: false };
        for (level, names) in [(Level::Warn, &project.warn), (Level::Deny, &project.deny)] {
            for name in names {
                let is_known = rules.iter().any(|rule| rule.name == name.as_str());
                if is_known || level == Level::Deny && name.as_str() == WARNINGS {
                    levels.add(name.as_str(), level, "the Project");
                    continue;
                }
                let message = message!("unknown rule `{}`", name.as_str());
                let known = rules.iter().map(|rule| rule.name);
                sink.report(
                    Diagnostic::new(&EXCEPTION_RULE_UNKNOWN, name.span(), message)
                        .at("unknown rule")
                        .help_if(did_you_mean(name.as_str(), known)),
                );
            }
        }
        for (name, level) in given {
            levels.add(name, *level, "the command line");
        }
        levels
    }

    fn add(&mut self, name: &'o str, level: Level, source: &'static str) {
        if name == WARNINGS {
            self.denies_warnings = level == Level::Deny;
        } else {
            self.by_rule.insert(name, (level, source));
        }
    }

    /// Changes the severities of findings. Returns those to report, and the number of the others.
    pub(super) fn apply(&self, mut findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, usize) {
        if self.by_rule.is_empty() {
            return (findings, 0);
        }
        let before = findings.len();
        findings.retain_mut(|finding| {
            if *finding.rule == TOO_MANY_FINDINGS && finding.severity == Severity::Note {
                self.deny_unknown(finding);
                return true;
            }
            let Some((level, source)) = self.by_rule.get(finding.rule.name) else { return true };
            if finding.severity == Severity::Error && !finding.is_policy {
                return true;
            }
            match level {
                Level::Allow => return false,
                Level::Warn => finding.severity = Severity::Warning,
                Level::Deny => {
                    finding.severity = Severity::Error;
                    finding.add_note(message!("an error because {source} denies this rule"));
                }
            }
            true
        });
        let not_reported = before - findings.len();
        (findings, not_reported)
    }

    /// Makes the note about warnings that were left out an error if a rule is denied: one of them could be of
    /// that rule.
    fn deny_unknown(&self, finding: &mut Diagnostic) {
        let mut levels = self.by_rule.values();
        if let Some((_, source)) = levels.find(|(level, _)| *level == Level::Deny) {
            finding.severity = Severity::Error;
            finding.add_note(message!(
                "an error because {} denies a rule, and one of the others can be of it",
                Words(source)
            ));
        }
    }
}
