//! One mistake, one message: findings that only follow from another one are left out.
//!
//! Every stage reports what it sees. A field that stands one level too high is unknown there, and what
//! it belongs in seems to be empty; a label that no server takes is selected by nothing. Whoever corrects
//! the first is rid of the second. Only what an error explains is dropped, so a verdict never changes.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::source::Span;

/// Rules that say that something is not there. It is, under a name or at a place that is reported.
const OF_ABSENCE: &[&str] = &[
    "containers-empty",
    "env-source-missing",
    "handler-missing",
    "ingress-without-backend",
    "label-selector-missing",
    "limit-incomplete",
    "network-policy-empty",
    "network-policy-peer-empty",
    "persistent-volume-incomplete",
    "policy-rule-incomplete",
    "pool-member-without-readiness-probe",
    "secret-incomplete",
    "selector-empty",
    "selector-mismatch",
    "service-ports-missing",
    "volume-claim-incomplete",
    "volume-source-invalid",
];

/// Rules that compare selectors with labels, of one object or of several.
const OF_SELECTION: &[&str] = &[
    "network-policy-without-effect",
    "sandbox-without-network-policy",
    "selector-mismatch",
    "selector-of-absent-label",
    "selector-without-pods",
    "unmanaged-without-network-policy",
];

/// Rules that look at a pool with what scales it, of which there is one too many.
const OF_TWINS: &[&str] = &["pool-replicas-autoscaled", "warm-pool-holds-volumes"];

/// Rules that another one says better of the same place.
const OF_LISTS: &[&str] = &["list-item-duplicate"];

/// Rules for which it is unknown what an object was meant to be.
const OF_KIND: &[&str] = &["api-version-removed", "api-version-wrong", "kind-not-in-version"];

/// All that may follow from another finding.
const CONSEQUENCES: [&[&str]; 4] = [OF_ABSENCE, OF_LISTS, OF_SELECTION, OF_TWINS];

/// Errors of one object that are looked at. A definition may stand for 100,000 objects, each with the
/// same ones.
const MOST_CAUSES: usize = 100;

/// Leaves out the findings that follow from an error; `inputs` are sorted by place.
pub(crate) fn drop_consequences(
    inputs: &[InputObject],
    findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut errors: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let object = InputObject::index_at(inputs, finding.primary.span);
        if let Some(object) = object.filter(|_| is_cause(finding)) {
            let causes = errors.entry(object).or_default();
            if causes.len() < MOST_CAUSES {
                causes.push(number);
            }
        }
    }
    if errors.is_empty() {
        return findings;
    }
    let renamed = right_names(&findings);
    let mut dropped = BTreeSet::new();
    for (number, finding) in findings.iter().enumerate() {
        let explains =
            |cause: &usize| findings.get(*cause).is_some_and(|cause| explains(cause, finding));
        let mut objects = places(finding).filter_map(|it| InputObject::index_at(inputs, it));
        if is_candidate(finding)
            && objects.any(|object| errors.get(&object).is_some_and(|it| it.iter().any(explains)))
            || is_missed_by_right_name(finding, &renamed)
        {
            dropped.insert(number);
        }
    }
    let kept = findings.into_iter().enumerate().filter(|(number, _)| !dropped.contains(number));
    kept.map(|(_, finding)| finding).collect()
}

/// What objects with a wrong name should be called.
fn right_names(findings: &[Diagnostic]) -> BTreeSet<String> {
    let wrong = findings.iter().filter(|it| it.rule.name == "name-invalid");
    let right = wrong.flat_map(|it| &it.suggestions).map(|it| format!("`{}`", it.replacement));
    right.collect()
}

/// Whether a reference has the right name of an object, and finds it not for its wrong one.
fn is_missed_by_right_name(finding: &Diagnostic, renamed: &BTreeSet<String>) -> bool {
    !renamed.is_empty()
        && finding.rule.name.ends_with("-not-found")
        && finding.message.split(' ').any(|word| renamed.contains(word))
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// Whether others may follow from it, and it from none.
fn is_cause(finding: &Diagnostic) -> bool {
    let name = finding.rule.name;
    is_error(finding) && !CONSEQUENCES.iter().any(|rules| rules.contains(&name))
}

fn places(finding: &Diagnostic) -> impl Iterator<Item = Span> + '_ {
    let secondary = finding.secondary.iter().map(|label| label.span);
    std::iter::once(finding.primary.span).chain(secondary)
}

fn is_candidate(finding: &Diagnostic) -> bool {
    let name = finding.rule.name;
    CONSEQUENCES.iter().any(|rules| rules.contains(&name))
}

/// Whether `finding` would go with the error `cause`, which lies in an object that it speaks of.
fn explains(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    let name = finding.rule.name;
    let is_selection = OF_SELECTION.contains(&name) && is_about_selection(cause, finding);
    let is_absence = OF_ABSENCE.contains(&name) && (is_around(cause, finding) || is_of_kind(cause));
    let is_twice = cause.rule.name == "object-duplicate" && OF_TWINS.contains(&name);
    let is_said_better = OF_LISTS.contains(&name) && cause.primary.span == finding.primary.span;
    is_selection || is_absence || is_twice || is_said_better
}

fn is_of_kind(cause: &Diagnostic) -> bool {
    OF_KIND.contains(&cause.rule.name)
}

/// Whether an error is about a selector, or about a label that it may select.
fn is_about_selection(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    let path = cause.path.as_deref().unwrap_or_default();
    // A workload selects the labels of its template, and never its own.
    let is_own = path.starts_with("metadata.") && finding.rule.name == "selector-mismatch";
    path.contains("elector") || path.contains(".labels") && !is_own
}

/// Whether an unknown field, of which it is known what was meant, stands in the object that misses
/// something, in a part of it, or around it.
fn is_around(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    let is_known = !(cause.help.is_empty() && cause.suggestions.is_empty());
    let (Some(unknown), Some(incomplete)) = (&cause.path, &finding.path) else { return false };
    let parent = |path: &str| path.rsplit_once('.').map_or("", |(parent, _)| parent).to_owned();
    let owner = parent(unknown);
    let is_inside = |outer: &str| {
        owner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    cause.rule.name == "unknown-field"
        && is_known
        && (is_inside(incomplete) || owner == parent(incomplete))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn names_are_those_of_rules() {
        let known: BTreeSet<_> = rules::all().into_iter().map(|it| it.name).collect();
        let all = [&CONSEQUENCES.concat()[..], OF_KIND, &["object-duplicate", "unknown-field"]];
        for name in all.concat() {
            assert!(known.contains(name), "{name}");
        }
    }
}
