//! Objects under admission policies: the responses of a running API server against our findings.
//!
//! In a case, everything up to the last binding exists, and each later object is created. The
//! server only tells the first reason to reject an object; it must be among ours.

use std::collections::BTreeSet;

use rayon::prelude::*;
use sandboxc::{Diagnostic, KubernetesVersion, Options, Purpose, Severity, Workspace, compile};
use serde::Deserialize;

use super::corpus::recorded_cases;
use crate::support::sampled;

#[derive(Clone, Deserialize)]
struct Judged {
    /// `Kind/name`.
    object: String,
    /// Empty if the object is accepted.
    #[serde(default)]
    message: String,
    #[serde(default)]
    warnings: Vec<String>,
}

/// What policies say about an object: `policy binding message`.
#[derive(Default, PartialEq, Debug)]
struct Verdict {
    denied: BTreeSet<String>,
    warned: BTreeSet<String>,
    /// The object is invalid after the changes of a policy.
    is_invalid: bool,
}

#[test]
fn conformance_policies_decide_as_the_server() {
    let mut failures = Vec::new();
    for (version, cases) in recorded_cases::<Judged>("policies", is_served) {
        failures.par_extend(sampled(cases, 16).par_iter().flat_map_iter(|case| {
            let found = found(&case.text, version).into_iter().zip(&case.verdicts);
            let show = |(found, server): (Verdict, &Judged)| {
                format!("{} {version}:\n  {found:?}\n  {}", case.id, server.message)
            };
            found.filter(|(found, server)| differs(found, server)).map(show).collect::<Vec<_>>()
        }));
    }
    assert!(failures.is_empty(), "{}\n{} failures", failures.join("\n"), failures.len());
}

fn differs(found: &Verdict, server: &Judged) -> bool {
    // A policy with functions that the version lacks is rejected itself.
    if server.object.contains("AdmissionPolicy") {
        return false;
    }
    let expected = expected(server);
    if found.is_invalid != expected.is_invalid {
        return true;
    }
    match expected.denied.first() {
        Some(first) => !found.denied.contains(first),
        None => !found.denied.is_empty() || found.warned != expected.warned,
    }
}

/// Mutating policies are served since Kubernetes 1.36.
fn is_served(case: &str, version: KubernetesVersion) -> bool {
    version.minor() >= 36 || !case.contains("kind: MutatingAdmissionPolicy")
}

/// Whether the server rejects an object that a policy changed: in validation, or because the result
/// cannot be decoded.
fn is_invalid(message: &str) -> bool {
    message.contains(" is invalid: ") || message.starts_with("Internal error occurred: ")
}

fn expected(judged: &Judged) -> Verdict {
    let mut verdict = Verdict::default();
    // configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: …
    // policy 'p' with binding 'b' denied request: …
    let denial = judged.message.split_once("ValidatingAdmissionPolicy '").map(|it| it.1);
    if let Some(text) = denial.or_else(|| judged.message.strip_prefix("policy '")) {
        let (names, message) = text.split_once("' denied request: ").unwrap();
        let (policy, binding) = names.split_once("' with binding '").unwrap();
        verdict.denied.insert(format!("{policy} {binding} {message}"));
    } else if is_invalid(&judged.message) {
        verdict.is_invalid = true;
    } else {
        assert!(judged.message.is_empty(), "{}", judged.message);
    }
    for warning in &judged.warnings {
        let start = "Validation failed for ValidatingAdmissionPolicy '";
        let Some(text) = warning.strip_prefix(start) else { continue };
        let (policy, rest) = text.split_once("' with binding '").unwrap();
        let (binding, message) = rest.split_once("': ").unwrap();
        verdict.warned.insert(format!("{policy} {binding} {message}"));
    }
    verdict
}

/// The verdicts on the objects of a case.
fn found(case: &str, version: KubernetesVersion) -> Vec<Verdict> {
    let mut workspace = Workspace::new();
    let texts = case.split("\n---\n").enumerate();
    let files: Vec<_> =
        texts.map(|(at, text)| workspace.add(format!("{at}.yaml"), format!("{text}\n"))).collect();
    let last = case.split("\n---\n").collect::<Vec<_>>();
    let last = last.iter().rposition(|it| it.contains("PolicyBinding")).unwrap();
    let mut options = Options::default();
    options.kubernetes = version.into();
    options.grouping = sandboxc::Grouping::None;
    // Cases can contain alternatives with one name.
    options.purpose = Purpose::Check;
    let mut verdicts: Vec<_> = files.iter().map(|_| Verdict::default()).collect();
    for finding in compile(&workspace, &options).diagnostics {
        let file = workspace.locate(finding.primary.span).file;
        let at = files.iter().position(|it| *it == file).unwrap();
        if at <= last {
            continue;
        }
        match finding.rule.name {
            "policy-denied" if finding.severity != Severity::Error => continue,
            "policy-denied" if finding.details().message.as_prose().contains(" makes ") => {
                verdicts[at].is_invalid = true;
                continue;
            }
            "policy-denied" => verdicts[at].denied.insert(summary(&finding, " denies ")),
            "policy-warning" if finding.details().message.as_prose().contains(" warns about ") => {
                verdicts[at].warned.insert(summary(&finding, " warns about "))
            }
            _ => continue,
        };
    }
    verdicts
}

fn summary(finding: &Diagnostic, verb: &str) -> String {
    let (policy, rest) = finding.details().message.as_prose().split_once(verb).unwrap();
    let (_, message) = rest.split_once(": ").unwrap();
    let name = |text: &str| text.split('`').nth(1).unwrap().to_owned();
    format!("{} {} {message}", name(policy), name(finding.primary.text.as_prose()))
}
