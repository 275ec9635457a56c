//! The controls of the Pod Security Standards, recorded for every document that creates Pods.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rayon::prelude::*;
use sandboxc::{
    Diagnostic, KubernetesVersion, Options, PodSecurityLevel, Versions, Workspace, compile,
};

use super::corpus::{Document, Recorded, documents, recordings};
use crate::support::{root, sampled};

/// In the host network, a port of a Pod is a port of the node by default. The host network is
/// reported, and not each of its ports.
const NODE_NETWORK: (&str, &str) = ("pod-security-host-namespaces", "pod-security-host-port");

#[test]
fn conformance_pod_security_controls_match_admission() {
    let text = fs::read_to_string(root().join("fixtures/security/rules.json")).unwrap();
    let rules: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let documents = sampled(documents(), 20);
    let recordings = recordings();
    let accepted = |document: &Document| -> Vec<_> {
        let verdicts = recordings.iter().map(|(version, recorded)| {
            (KubernetesVersion::parse(version).unwrap(), &recorded[&document.id])
        });
        verdicts.filter(|(_, recorded)| recorded.is_accepted()).collect()
    };
    let documents: Vec<_> = documents.iter().map(|it| (it, accepted(it))).collect();
    let compared: usize = documents.iter().map(|it| it.1.len()).sum();
    assert!(compared > 150, "only {compared} verdicts");
    let mut failures = Vec::new();
    for level in ["baseline", "restricted"] {
        failures.par_extend(documents.par_iter().flat_map_iter(|(document, verdicts)| {
            let expected = |it: &(_, &Recorded)| (it.0, expected(it.1, level, &rules));
            let expected = verdicts.iter().map(expected).collect();
            differences(document, level, expected)
        }));
    }
    failures.truncate(40);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The versions for which other rules than the expected ones report the Pods of a document. A run for all
/// versions has the findings of a run for each of them, as `versions` holds.
fn differences(
    document: &Document,
    level: &str,
    expected: Vec<(KubernetesVersion, BTreeSet<String>)>,
) -> Vec<String> {
    if expected.is_empty() {
        return Vec::new();
    }
    let mut options = Options::default();
    options.kubernetes = Versions::ALL;
    options.policy = PodSecurityLevel::parse(level);
    let findings = findings(document, &options);
    let differs = |(version, expected): (_, BTreeSet<String>)| {
        let mut found = found(&findings, version);
        if expected.contains(NODE_NETWORK.1) && found.contains(NODE_NETWORK.0) {
            found.insert(NODE_NETWORK.1.to_owned());
        }
        let id = &document.id;
        (found != expected).then(|| format!("{id} {version} {level}: {found:?}, not {expected:?}"))
    };
    expected.into_iter().filter_map(differs).collect()
}

fn expected(
    recorded: &Recorded,
    level: &str,
    rules: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let reasons = if level == "baseline" { &recorded.baseline } else { &recorded.restricted };
    reasons.iter().map(|reason| rules[reason].clone()).collect()
}

fn findings(document: &Document, options: &Options) -> Vec<Diagnostic> {
    let mut workspace = Workspace::new();
    workspace.add("document.yaml", document.text.as_str());
    compile(&workspace, options).diagnostics
}

/// The rules for which admission of a version rejects the Pods of a document.
fn found(findings: &[Diagnostic], version: KubernetesVersion) -> BTreeSet<String> {
    let holds = |it: &&Diagnostic| it.kubernetes.is_none_or(|all| all.contains(version));
    let names = findings.iter().filter(holds).map(|it| it.rule.name);
    names.filter(|it| it.starts_with("pod-security-")).map(str::to_owned).collect()
}
