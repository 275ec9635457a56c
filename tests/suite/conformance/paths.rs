//! The fields of our errors against those of the API server, for documents that both reject.
//!
//! The server names some fields in a way of its own. A document whose fields have none of the
//! relations below is listed in `known-paths.txt` with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{Comparison, Outcome};
use crate::support::root;

pub(super) const KNOWN: &str = "fixtures/conformance/known-paths.txt";

/// The relation of the nearest pair of our fields and the server's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    Same,
    /// The server names the field in another way, or without indexes.
    Renamed,
    /// We report a missing field at its owner.
    Owner,
    /// The server names the owner of the field.
    Part,
    /// Two fields of one owner contradict each other: we report the other one.
    Other,
}

impl Relation {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Same => "the same field",
            Self::Renamed => "the same field, which the server names differently",
            Self::Owner => "a missing field: `check` reports its owner",
            Self::Part => "the server reports the owner of the field",
            Self::Other => "another field of the same owner, which contradicts it",
        }
    }
}

/// Names that the server uses, and ours: of the internal types, and of definitions with one version.
const NAMES: [(&str, &str); 20] = [
    ("spec.validation.", "spec.versions.schema."),
    ("spec.subresources", "spec.versions.subresources"),
    ("spec.additionalPrinterColumns", "spec.versions.additionalPrinterColumns"),
    ("spec.selectableFields", "spec.versions.selectableFields"),
    ("spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"),
    (
        "spec.conversion.conversionReviewVersions",
        "spec.conversion.webhook.conversionReviewVersions",
    ),
    ("spec.template.labels", "spec.template.metadata.labels"),
    ("spec.template.annotations", "spec.template.metadata.annotations"),
    ("spec.jobTemplate.spec.template.labels", "spec.jobTemplate.spec.template.metadata.labels"),
    ("template.labels", "template.metadata.labels"),
    ("metadata.taints", "spec.taints"),
    ("spec.LoadBalancerSourceRanges", "spec.loadBalancerSourceRanges"),
    ("spec.clusterIPs", "spec.clusterIP"),
    ("annotations.", "metadata.annotations."),
    ("involvedObject", "regarding"),
    ("reportingController", "reportingComponent"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
];

/// A path as its fields, without indexes and keys.
fn fields(path: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in path.char_indices() {
        let is_end = depth == 0 && matches!(character, '.' | '[');
        if is_end {
            parts.push(&path[start..at]);
        }
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_end || depth > 0 || character == ']' {
            start = at + character.len_utf8();
        }
    }
    parts.push(&path[start..]);
    parts.retain(|it| !it.is_empty() && *it != "<nil>");
    // The keys of annotations have dots.
    if parts.starts_with(&["metadata", "annotations"]) {
        parts.truncate(2);
    }
    parts
}

fn relation(server: &str, (rule, ours): (&str, &str)) -> Option<Relation> {
    if server == ours {
        return Some(Relation::Same);
    }
    let renamed = NAMES.iter().find_map(|(from, to)| Some((*to, server.strip_prefix(from)?)));
    let renamed = renamed.map_or_else(|| server.to_owned(), |(to, rest)| format!("{to}{rest}"));
    let (theirs, ours) = (fields(&renamed), fields(ours));
    let (shorter, longer) = (theirs.len().min(ours.len()), theirs.len().max(ours.len()));
    if theirs[..shorter] != ours[..shorter] {
        let is_sibling = theirs.len() == ours.len() && theirs[..shorter - 1] == ours[..shorter - 1];
        return is_sibling.then_some(Relation::Other);
    }
    let is_missing = matches!(rule, "field-missing" | "field-empty") || longer - shorter == 1;
    match theirs.len().cmp(&ours.len()) {
        std::cmp::Ordering::Equal => Some(Relation::Renamed),
        std::cmp::Ordering::Less => Some(Relation::Part),
        std::cmp::Ordering::Greater => is_missing.then_some(Relation::Owner),
    }
}

/// The number of documents with each relation, by version.
pub(super) fn compare<'c>(
    comparisons: &[Comparison<'c>],
) -> BTreeMap<&'c str, BTreeMap<Option<Relation>, usize>> {
    let mut counts: BTreeMap<&str, BTreeMap<_, usize>> = BTreeMap::new();
    for (version, relation, _) in relations(comparisons) {
        *counts.entry(version).or_default().entry(relation).or_default() += 1;
    }
    counts
}

/// The relation of each document that both reject and whose fields the server names.
fn relations<'c>(
    comparisons: &[Comparison<'c>],
) -> impl Iterator<Item = (&'c str, Option<Relation>, &'c str)> {
    comparisons.iter().filter(|it| is_compared(it)).map(|it| {
        let errors = &it.recorded.errors;
        let pairs = errors.iter().flat_map(|server| {
            it.errors.iter().filter_map(|ours| relation(&server.field, (ours.0, &ours.1)))
        });
        (it.version, pairs.min(), it.document.id.as_str())
    })
}

fn is_compared(it: &Comparison<'_>) -> bool {
    it.outcome == Outcome::BothRefuse
        && it.recorded.stage == "validation"
        && it.recorded.errors.iter().any(|error| !error.field.is_empty())
}

/// Each document with other fields than the server's is known, with a reason.
pub(super) fn check(comparisons: &[Comparison<'_>]) {
    let text = fs::read_to_string(root().join(KNOWN)).unwrap();
    let known: BTreeSet<_> = text
        .lines()
        .map(|line| {
            let (id, reason) = line.split_once(": ").unwrap_or((line, ""));
            assert!(!reason.is_empty(), "{KNOWN}: {id} has no reason");
            id
        })
        .collect();
    let unrelated = relations(comparisons).filter(|(_, relation, _)| relation.is_none());
    let unrelated: BTreeSet<_> = unrelated.map(|(_, _, id)| id).collect();
    let new: Vec<_> = unrelated.difference(&known).collect();
    assert!(new.is_empty(), "other fields than the server's: {new:#?}");
    let gone: Vec<_> = known.difference(&unrelated).collect();
    assert!(gone.is_empty(), "{KNOWN} names documents whose fields agree: {gone:#?}");
}
