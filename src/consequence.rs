//! One mistake, one message: findings that only follow from another one are left out.
//!
//! Every stage reports what it sees. A field that stands one level too high is unknown there, and what
//! it belongs in seems to be empty; a label that no server takes is selected by nothing. Whoever corrects
//! the first is rid of the second. Only what an error explains is dropped, so a verdict never changes.
//! It runs behind the exceptions: what an author allowed explains nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::source::Span;

/// Rules that say that something is not there. It is, under a name or at a place that is reported.
const OF_ABSENCE: &[&str] = &[
    "containers-empty",
    "env-source-missing",
    "expand-invalid",
    "field-missing",
    "handler-missing",
    "ingress-without-backend",
    "label-selector-missing",
    "limit-incomplete",
    "metric-source-mismatch",
    "name-missing",
    "network-policy-empty",
    "network-policy-peer-empty",
    "null-over-value",
    "persistent-volume-incomplete",
    "policy-rule-incomplete",
    "secret-incomplete",
    "selector-empty",
    "selector-mismatch",
    "service-ports-missing",
    "volume-claim-incomplete",
    "volume-claim-name-missing",
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

/// Warnings for what is not set or not used, as far as the object can be understood.
const OF_USE: &[&str] = &[
    "handler-port-not-found",
    "network-policy-without-effect",
    "override-without-effect",
    "pool-member-without-readiness-probe",
    "port-reachable-by-router-only",
    "retain-deletes-volumes",
    "safe-to-evict-unset",
    "sandbox-without-network-policy",
    "selector-without-pods",
    "target-port-not-found",
    "unmanaged-without-network-policy",
    "volume-claim-unmounted",
    "warm-pool-holds-volumes",
];

/// Rules that look at a pool with what scales it, of which there is one too many.
const OF_TWINS: &[&str] = &["pool-replicas-autoscaled", "warm-pool-holds-volumes"];

/// Rules that look for a volume, which may be the one that a broken volume claim would be.
const OF_VOLUMES: &[&str] = &["mount-without-volume"];

/// Rules that follow from others, and from which others follow.
const LINKS: &[&str] = &["mount-without-volume", "volume-claim-name-missing"];

/// Rules that another one says better of the same place.
const OF_LISTS: &[&str] = &["list-item-duplicate"];

/// Rules for which it is unknown what an object was meant to be.
const OF_KIND: &[&str] = &["api-version-removed", "api-version-wrong", "kind-not-in-version"];

/// All that may follow from another finding.
const CONSEQUENCES: [&[&str]; 6] =
    [OF_ABSENCE, OF_LISTS, OF_SELECTION, OF_TWINS, OF_USE, OF_VOLUMES];

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
        if is_one_of(&CONSEQUENCES, finding)
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

fn is_one_of(rules: &[&[&str]], finding: &Diagnostic) -> bool {
    rules.iter().any(|rules| rules.contains(&finding.rule.name))
}

/// Whether others may follow from it. Mostly it follows from none itself; whatever explains a link
/// explains also what follows from it.
fn is_cause(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
        && (is_one_of(&[LINKS], finding) || !is_one_of(&CONSEQUENCES, finding))
}

fn places(finding: &Diagnostic) -> impl Iterator<Item = Span> + '_ {
    let secondary = finding.secondary.iter().map(|label| label.span);
    std::iter::once(finding.primary.span).chain(secondary)
}

/// Whether `finding` would go with the error `cause`, which lies in an object that it speaks of.
fn explains(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    let is_absence = is_one_of(&[OF_ABSENCE], finding)
        && (is_one_of(&[OF_KIND], cause) || hides(cause, finding));
    let is_unused = is_one_of(&[OF_USE], finding)
        && (is_structural(cause)
            || ["mount-without-volume", "template-metadata-key-invalid"]
                .contains(&cause.rule.name));
    let is_selection = is_one_of(&[OF_SELECTION], finding) && is_about_selection(cause, finding);
    let is_twice = is_one_of(&[OF_TWINS], finding) && cause.rule.name == "object-duplicate";
    let is_said_better =
        is_one_of(&[OF_LISTS], finding) && cause.primary.span == finding.primary.span;
    let is_of_volume = is_one_of(&[OF_VOLUMES], finding) && is_about_volume_claim(cause);
    is_absence || is_unused || is_selection || is_twice || is_said_better || is_of_volume
}

/// Whether an error leaves it open what the object was meant to have: an unknown field of which it is
/// known what was meant, a value of another type, a key that stands twice.
fn is_structural(cause: &Diagnostic) -> bool {
    match cause.rule.name {
        "unknown-field" => !(cause.help.is_empty() && cause.suggestions.is_empty()),
        name => ["wrong-type", "duplicate-key"].contains(&name),
    }
}

/// Whether an error is about a selector, or about a label that it may select.
fn is_about_selection(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    let path = cause.path.as_deref().unwrap_or_default();
    // A workload selects the labels of its template, and never its own.
    let is_own = path.starts_with("metadata.") && finding.rule.name == "selector-mismatch";
    path.contains("elector") || path.contains(".labels") && !is_own
}

/// Whether an error leaves it open which volume an entry of `volumeClaimTemplates` would be.
fn is_about_volume_claim(cause: &Diagnostic) -> bool {
    let path = cause.path.as_deref().unwrap_or_default();
    cause.rule.name == "volume-claim-name-missing"
        || is_structural(cause) && path.starts_with("spec.volumeClaimTemplates[")
}

/// Whether what a finding misses is there, at the place or under the name that the error tells of.
fn hides(cause: &Diagnostic, finding: &Diagnostic) -> bool {
    if !is_structural(cause) || cause.rule.name == "duplicate-key" {
        // Of a key that stands twice the first counts, and it may be empty.
        return cause.rule.name == "duplicate-key";
    }
    let (Some(wrong), Some(incomplete)) = (&cause.path, &finding.path) else { return false };
    let (owner, key) = wrong.rsplit_once('.').unwrap_or(("", wrong));
    let owner = if cause.rule.name == "wrong-type" { wrong } else { owner };
    let missing = finding.primary.text.strip_prefix("needs ");
    let is_told = missing.is_some_and(|it| cause.help.iter().any(|help| help.contains(it)));
    let is_it = missing.is_some_and(|it| it.trim_matches('`') == key);
    let is_around = is_inside(owner, incomplete)
        || incomplete.rsplit_once('.').map_or("", |(parent, _)| parent) == owner;
    match finding.rule.name {
        "field-missing" => (is_it || is_told) && is_one_step_away(owner, incomplete),
        "name-missing" => ["", "metadata"].contains(&owner),
        _ => is_around || incomplete.split('.').any(|it| it == key),
    }
}

/// Whether two maps are the same, neighbours, or one is in the other: as far as a field goes when it is
/// indented by one level too few or too many.
fn is_one_step_away(one: &str, other: &str) -> bool {
    let parent = |path: &str| path.rsplit_once('.').map_or("", |(parent, _)| parent).to_owned();
    one == other || parent(one) == other || one == parent(other) || parent(one) == parent(other)
}

/// Whether a path leads to `outer` or into it.
fn is_inside(path: &str, outer: &str) -> bool {
    let rest = path.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn names_are_those_of_rules() {
        let known: BTreeSet<_> = rules::all().into_iter().map(|it| it.name).collect();
        let causes = ["object-duplicate", "mount-without-volume", "unknown-field", "wrong-type"];
        let all =
            [&CONSEQUENCES.concat()[..], OF_KIND, &causes, &["duplicate-key", "name-invalid"]];
        for name in all.concat() {
            assert!(known.contains(name), "{name}");
        }
    }
}
