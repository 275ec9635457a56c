//! Compares our verdicts with those of the API server's own code, recorded by `tools/oracle`.
//!
//! `fixtures/conformance/known-differences.txt` lists the exact differences, each with its reason: a
//! new difference fails the test, and so does a line that no longer applies or has no reason.

mod admission;
pub(crate) mod corpus;
mod defaults;
mod page;
mod paths;
mod pod_security;
mod policies;
mod pruning;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt;
use std::fs;

use rayon::prelude::*;
use sandboxc::{KubernetesVersion, Options, Severity, Workspace, compile};

use self::corpus::{Document, Recorded, documents, live_differences, recordings};
use crate::support::{has_all, root, sampled};

const COMMAND: &str = "UPDATE_GENERATED=1 cargo test --test suite conformance";
const DIFFERENCES: &str = "fixtures/conformance/known-differences.txt";
const PAGE: &str = "docs/conformance.md";

/// The relation of our verdict to the server's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    BothAccept,
    BothRefuse,
    /// We accept a document that the server rejects.
    FalseAccept,
    /// We reject a document that the server accepts.
    FalseReject,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BothAccept | Self::BothRefuse => "agree",
            Self::FalseAccept => "false-accept",
            Self::FalseReject => "false-reject",
        })
    }
}

/// The result for one document and one version.
struct Comparison<'a> {
    document: &'a Document,
    recorded: &'a Recorded,
    version: &'a str,
    outcome: Outcome,
    /// The errors with which we reject the document: rules and paths.
    errors: Vec<(&'static str, String)>,
}

impl Comparison<'_> {
    fn rules(&self) -> BTreeSet<&'static str> {
        self.errors.iter().map(|(rule, _)| *rule).collect()
    }
}

/// What comes before the reason of a difference.
const REASON: &str = ": ";

/// The lines of differences with the reasons that the file has for them.
fn with_reasons(lines: Vec<String>, known: &str) -> Vec<String> {
    let reason = |line: &str| {
        let mut known = known.lines().filter_map(|it| it.split_once(REASON));
        known.find(|(difference, _)| *difference == line).map(|it| it.1.to_owned())
    };
    let explained = lines.into_iter().map(|line| match reason(&line) {
        Some(reason) => format!("{line}{REASON}{reason}"),
        None => line,
    });
    explained.collect()
}

#[test]
fn conformance_differences_are_the_known_ones() {
    let known = fs::read_to_string(root().join(DIFFERENCES)).unwrap();
    let documents = compared_documents(&known);
    let recordings = recordings();
    let comparisons: Vec<_> = recordings
        .iter()
        .flat_map(|(version, recorded)| compare_all(&documents, version, recorded))
        .collect();
    let found = with_reasons(differences(&comparisons), &known);
    let unexplained: Vec<_> = found.iter().filter(|line| !line.contains(REASON)).collect();
    assert!(unexplained.is_empty(), "add `{REASON}<reason>` to these lines: {unexplained:#?}");
    paths::check(&comparisons);
    let page = has_all().then(|| {
        page::text(&comparisons, &found, &paths::compare(&comparisons), &live_differences())
    });
    if let Some(page) = page.as_ref().filter(|_| env::var_os("UPDATE_GENERATED").is_some()) {
        fs::write(root().join(DIFFERENCES), found.join("\n") + "\n").unwrap();
        fs::write(root().join(PAGE), page).unwrap();
        return;
    }
    let known: BTreeSet<_> = known.lines().collect();
    let found: BTreeSet<_> = found.iter().map(String::as_str).collect();
    let lines = |sign: &str, lines: Vec<&&str>| -> Vec<String> {
        lines.into_iter().map(|line| format!("{sign} {line}")).collect()
    };
    let mut report = lines("new:", found.difference(&known).collect());
    report.extend(lines("gone:", known.difference(&found).collect()));
    report.truncate(40);
    assert!(report.is_empty(), "\n{}\nif they are right, run: {COMMAND}", report.join("\n"));
    let stale = page.is_some_and(|it| fs::read_to_string(root().join(PAGE)).unwrap() != it);
    assert!(!stale, "{PAGE} is stale; run: {COMMAND}");
}

/// A sample of the documents and those that are known to differ, or all of them.
fn compared_documents(known: &str) -> Vec<Document> {
    let paths = fs::read_to_string(root().join(paths::KNOWN)).unwrap();
    let paths = paths.lines().filter_map(|it| it.split(": ").next());
    let known: BTreeSet<_> =
        known.lines().filter_map(|it| it.split(' ').nth(1)).chain(paths).collect();
    let (known, others): (Vec<_>, Vec<_>) =
        documents().into_iter().partition(|it| known.contains(it.id.as_str()));
    known.into_iter().chain(sampled(others, 60)).collect()
}

/// Each document has a recorded verdict for each version, and each verdict has a document.
#[test]
fn conformance_recordings_are_of_this_corpus() {
    let documents = documents();
    let names: BTreeSet<_> = documents.iter().map(|document| document.id.as_str()).collect();
    assert_eq!(names.len(), documents.len(), "two documents have one id");
    let versions: Vec<_> = recordings().into_keys().collect();
    let supported: Vec<_> = KubernetesVersion::all().map(|it| it.to_string()).collect();
    assert_eq!(versions, supported, "run: tools/oracle/record.sh");
    for (version, recorded) in recordings() {
        let recorded: BTreeSet<_> = recorded.keys().map(String::as_str).collect();
        let apart: Vec<_> = names.symmetric_difference(&recorded).take(10).collect();
        assert!(apart.is_empty(), "{version}: {apart:?}\nrun: tools/oracle/record.sh");
    }
}

/// The recording of a running API server only contains verdicts that differ from the linked code.
#[test]
fn conformance_live_recordings_hold_the_differences_alone() {
    let recordings = recordings();
    let live = live_differences();
    for version in [KubernetesVersion::OLDEST, KubernetesVersion::NEWEST] {
        assert!(
            live.contains_key(&version.to_string()),
            "run: tools/oracle/record-live.sh {version}"
        );
    }
    for (version, differing) in live {
        let recorded = recordings.get(&version).expect("a version that is recorded");
        for (id, verdict) in differing {
            let linked = recorded.get(&id).unwrap_or_else(|| panic!("{id} is in no stream"));
            assert_ne!(verdict.is_accepted(), linked.is_accepted(), "{id} does not differ");
        }
    }
}

fn compare_all<'a>(
    documents: &'a [Document],
    version: &'a str,
    recorded: &'a BTreeMap<String, Recorded>,
) -> Vec<Comparison<'a>> {
    let mut options = Options::default();
    options.kubernetes = KubernetesVersion::parse(version).expect("a supported version").into();
    let compare = |document: &'a Document| {
        let recorded = recorded.get(&document.id)?;
        let errors = errors(document, &options);
        let outcome = match (recorded.is_accepted(), errors.is_empty()) {
            (true, true) => Outcome::BothAccept,
            (false, false) => Outcome::BothRefuse,
            (false, true) => Outcome::FalseAccept,
            (true, false) => Outcome::FalseReject,
        };
        Some(Comparison { document, recorded, version, outcome, errors })
    };
    documents.par_iter().filter_map(compare).collect()
}

/// The errors that `check` reports for the document together with the definition of its kind. Errors in the definition belong to the verdict on the definition.
fn errors(document: &Document, options: &Options) -> Vec<(&'static str, String)> {
    let mut workspace = Workspace::new();
    let file = workspace.add("document.yaml", document.text.as_str());
    if !document.definition.is_empty() {
        workspace.add("definition.yaml", document.definition.as_str());
    }
    let is_in_document = |place| workspace.locate(place).file == file;
    compile(&workspace, options)
        .diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error && is_in_document(it.primary.span))
        .map(|it| {
            (it.rule.name, it.details().path.as_ref().map(ToString::to_string).unwrap_or_default())
        })
        .collect()
}

/// The difference for one document and direction.
#[derive(Default)]
struct Line<'a> {
    versions: Vec<&'a str>,
    rules: BTreeSet<&'static str>,
}

/// One line per document and direction: `<direction> <document> <version>.. [by <rule>..]`.
fn differences(comparisons: &[Comparison<'_>]) -> Vec<String> {
    let mut lines: BTreeMap<(Outcome, &str), Line<'_>> = BTreeMap::new();
    for it in comparisons {
        if matches!(it.outcome, Outcome::FalseAccept | Outcome::FalseReject) {
            let line = lines.entry((it.outcome, &it.document.id)).or_default();
            line.versions.push(it.version);
            line.rules.extend(it.rules());
        }
    }
    lines.into_iter().map(|((outcome, id), line)| written(outcome, id, line)).collect()
}

fn written(outcome: Outcome, id: &str, line: Line<'_>) -> String {
    let versions = line.versions.join(",");
    let rules: Vec<_> = line.rules.into_iter().collect();
    let by = if rules.is_empty() { String::new() } else { format!(" by {}", rules.join(",")) };
    format!("{outcome} {id} {versions}{by}")
}
