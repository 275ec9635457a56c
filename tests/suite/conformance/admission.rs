//! Objects that are admitted in view of others, recorded from a running API server, against ours.
//!
//! A case is a list of objects that were created one after the other. What the server rejects is an
//! error, or a warning if a controller creates the rejected Pods. Whether a quota suffices depends
//! on all objects, so it is one warning.

use std::collections::BTreeSet;

use sandboxc::{KubernetesVersion, Options, Severity, Workspace, compile};
use serde::Deserialize;

use super::corpus::recorded_cases;

const RULES: [&str; 5] = [
    "limit-range-violated",
    "overhead-mismatch",
    "priority-mismatch",
    "quota-resource-unset",
    "runtime-class-conflict",
];
const QUOTA: &str = "quota-exceeded";

#[derive(Clone, Deserialize)]
struct Admitted {
    verdict: String,
    /// The verdict on the Pods of a controller.
    #[serde(default)]
    pods: String,
}

#[test]
fn conformance_admission_decides_as_the_server() {
    for (version, cases) in recorded_cases("admission", |_, _| true) {
        let mut failures = Vec::new();
        for case in &cases {
            let (expected, found) = (expected(&case.verdicts), found(&case.text, version));
            if found != expected {
                failures.push(format!("{} {version}: {found:?}, not {expected:?}", case.id));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// The positions of rejected objects, each with the severity of its findings, and whether a quota
/// is exceeded.
type Outcome = (BTreeSet<(usize, Severity)>, bool);

fn expected(objects: &[Admitted]) -> Outcome {
    let mut rejected = BTreeSet::new();
    let mut exceeds = false;
    for (position, object) in objects.iter().enumerate() {
        let verdicts = [(&object.verdict, Severity::Error), (&object.pods, Severity::Warning)];
        for (verdict, severity) in verdicts {
            if verdict.contains("exceeded quota") {
                exceeds = true;
            } else if !matches!(verdict.as_str(), "" | "accepted") {
                rejected.insert((position, severity));
            }
        }
    }
    (rejected, exceeds)
}

fn found(case: &str, version: KubernetesVersion) -> Outcome {
    let mut workspace = Workspace::new();
    let texts = case.split("\n---\n").enumerate();
    let files: Vec<_> =
        texts.map(|(at, text)| workspace.add(format!("{at}.yaml"), text.to_owned())).collect();
    let mut options = Options::default();
    options.kubernetes = version.into();
    let (mut rejected, mut exceeds) = (BTreeSet::new(), false);
    for finding in compile(&workspace, &options).diagnostics {
        let file = workspace.locate(finding.primary.span).file;
        let position = files.iter().position(|it| *it == file).unwrap();
        let is_own = RULES.contains(&finding.rule.name);
        exceeds |= finding.rule.name == QUOTA;
        if is_own || finding.severity == Severity::Error {
            rejected.insert((position, finding.severity));
        }
    }
    (rejected, exceeds)
}
