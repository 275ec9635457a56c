//! The controls of the Pod Security Standards, recorded for every document that creates Pods.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rayon::prelude::*;
use sandboxc::{KubernetesVersion, Options, PodSecurityLevel, Workspace, compile};

use super::corpus::{Document, Recorded, documents, recordings};
use crate::support::root;

/// In the host network, a port of a Pod is a port of the node by default. The host network is
/// reported, and not each of its ports.
const NODE_NETWORK: (&str, &str) = ("pod-security-host-namespaces", "pod-security-host-port");

#[test]
fn conformance_pod_security_controls_match_admission() {
    let text = fs::read_to_string(root().join("fixtures/security/rules.json")).unwrap();
    let rules: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let documents = documents();
    let mut failures = Vec::new();
    let mut compared = 0;
    for (version, recorded) in recordings() {
        for level in ["baseline", "restricted"] {
            let mut options = Options::default();
            options.kubernetes = KubernetesVersion::parse(&version).unwrap().into();
            options.policy = PodSecurityLevel::parse(level);
            let accepted: Vec<_> = documents
                .iter()
                .map(|document| (document, &recorded[&document.id]))
                .filter(|(_, recorded)| recorded.is_accepted())
                .collect();
            compared += accepted.len();
            let found: Vec<_> = accepted
                .par_iter()
                .filter_map(|(document, recorded)| {
                    let expected = expected(recorded, level, &rules);
                    let mut found = found(document, &options);
                    if expected.contains(NODE_NETWORK.1) && found.contains(NODE_NETWORK.0) {
                        found.insert(NODE_NETWORK.1.to_owned());
                    }
                    let id = &document.id;
                    (found != expected)
                        .then(|| format!("{id} {version} {level}: {found:?}, not {expected:?}"))
                })
                .collect();
            failures.extend(found);
        }
    }
    assert!(compared > 1000, "only {compared} verdicts");
    failures.truncate(40);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn expected(
    recorded: &Recorded,
    level: &str,
    rules: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let reasons = if level == "baseline" { &recorded.baseline } else { &recorded.restricted };
    reasons.iter().map(|reason| rules[reason].clone()).collect()
}

/// The rules for which admission rejects the Pods of a document.
fn found(document: &Document, options: &Options) -> BTreeSet<String> {
    let mut workspace = Workspace::new();
    workspace.add("document.yaml", document.text.as_str());
    let findings = compile(&workspace, options).diagnostics;
    let names = findings.iter().map(|it| it.rule.name);
    names.filter(|it| it.starts_with("pod-security-")).map(str::to_owned).collect()
}
