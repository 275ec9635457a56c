//! The expected findings of a case.

use super::beside;
use super::read::TestCase;
use super::run::Judge;
use crate::compile::Compilation;
use crate::diag::{Diagnostic, Severity, listed, message};
use crate::kube::InputObject;
use crate::object_query::ObjectQuery;
use crate::test_case::{Expected, Level, TEST_FAILED};

/// Whether `build` would print nothing.
pub(super) fn has_failed(compilation: &Compilation) -> bool {
    compilation.diagnostics.iter().any(|it| it.severity <= fails(compilation))
}

/// The mildest severity with which `build` prints nothing.
const fn fails(compilation: &Compilation) -> Severity {
    if compilation.is_strict { Severity::Warning } else { Severity::Error }
}

/// The findings that a case does not expect, and the expected ones that it does not have.
pub(super) fn compare(judge: &Judge<'_>, case: &TestCase) -> Vec<Diagnostic> {
    let found = &judge.compilation.diagnostics;
    let Some(expected) = &case.expect.findings else {
        let fails = fails(judge.compilation);
        return found.iter().filter(|it| it.severity <= fails).cloned().collect();
    };
    let is_it = |expected: &Expected, it: &Diagnostic| judge.is_expected(case, expected, it);
    let is_unexpected = |it: &&Diagnostic| {
        it.severity <= Severity::Warning && !expected.items.iter().any(|one| is_it(one, it))
    };
    let noted = |it: &Diagnostic| it.clone().note("the case does not expect this finding");
    let mut failures: Vec<_> = found.iter().filter(is_unexpected).map(noted).collect();
    for one in &expected.items {
        if !found.iter().any(|it| is_it(one, it)) {
            failures.push(absent(one, found));
        }
    }
    failures
}

impl Judge<'_> {
    fn is_expected(&self, case: &TestCase, expected: &Expected, it: &Diagnostic) -> bool {
        let Expected { rule, object, file, severity, message } = expected;
        let own = self.workspace.file(case.file).name();
        let place = it.primary.span;
        let is_in_file = |name: &str| {
            let found = self.workspace.file_at(place).name().replace('\\', "/");
            found == beside(&own.replace('\\', "/"), name)
        };
        let is_in_object = |name: &str| {
            let inputs = &self.compilation.inputs;
            let input = InputObject::index_at(inputs, place).and_then(|at| inputs.get(at));
            let query = ObjectQuery::parse(name);
            input.zip(query).is_some_and(|(input, query)| query.matches_input(input))
        };
        let is_level = |level: Level| match level {
            Level::Error => it.severity == Severity::Error,
            Level::Warning => it.severity == Severity::Warning,
            Level::Note => it.severity == Severity::Note,
        };
        it.rule.name == rule.as_str()
            && object.as_ref().is_none_or(|object| is_in_object(object.as_str()))
            && file.as_ref().is_none_or(|file| is_in_file(file.as_str()))
            && severity.as_ref().is_none_or(|severity| is_level(severity.value))
            && message.as_ref().is_none_or(|part| {
                it.details().message.as_prose().to_string().contains(part.as_str())
            })
    }
}

/// An expected finding that the case does not have.
fn absent(expected: &Expected, found: &[Diagnostic]) -> Diagnostic {
    let rule = expected.rule.as_str();
    let of_rule = found.iter().find(|it| it.rule.name == rule);
    let message = match of_rule {
        None => message!("no finding of the rule `{rule}`"),
        Some(_) => message!("no such finding of the rule `{rule}`"),
    };
    let failure =
        Diagnostic::new(&TEST_FAILED, expected.rule.span(), message).at("expected finding");
    if let Some(other) = of_rule {
        let text = message!("{}: {}", other.severity.as_str(), other.details().message);
        return failure.label(other.primary.span, "finding of this rule").note(text);
    }
    let mut rules: Vec<_> = found.iter().map(|it| it.rule.name).collect();
    rules.sort_unstable();
    rules.dedup();
    let none = "there are no findings".into();
    failure.note(if rules.is_empty() {
        none
    } else {
        message!("rules with findings: {}", listed(rules))
    })
}
