//! Compares our warnings with those of the API server's own code for accepted objects.

use std::collections::BTreeSet;
use std::fs;

use rayon::prelude::*;
use sandboxc::{KubernetesVersion, Options, Workspace, compile};

use super::corpus::{Document, Recorded, warned_documents, warned_recordings};
use crate::support::root;

/// A part of the text of a warning, and the corresponding rule.
type Sayings = Vec<(String, String)>;

#[test]
fn conformance_warnings_are_those_of_the_server() {
    let text = fs::read_to_string(root().join("fixtures/conformance/warnings/rules.json")).unwrap();
    let sayings: Sayings = serde_json::from_str(&text).unwrap();
    let documents = warned_documents();
    let newest = KubernetesVersion::NEWEST.to_string();
    assert!(warned_recordings().contains_key(&newest), "run: tools/oracle/record.sh {newest}");
    let mut failures = Vec::new();
    for (version, recorded) in warned_recordings() {
        assert_eq!(recorded.len(), documents.len(), "{version}: run tools/oracle/record.sh");
        let mut options = Options::default();
        options.kubernetes = KubernetesVersion::parse(&version).unwrap().into();
        let compare = |document: &Document| {
            let recorded = &recorded[&document.id];
            // Rejected documents have no warnings.
            if !recorded.is_accepted() {
                return None;
            }
            let (expected, found) =
                (expected(recorded, &sayings), found(document, &options, &sayings));
            let id = &document.id;
            (found != expected).then(|| format!("{id} {version}: {found:?}, not {expected:?}"))
        };
        failures.extend(documents.par_iter().filter_map(compare).collect::<Vec<_>>());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn expected(recorded: &Recorded, sayings: &Sayings) -> BTreeSet<String> {
    let rules = recorded.warnings.iter().map(|warning| {
        let rule = sayings.iter().find(|(part, _)| warning.contains(part));
        rule.unwrap_or_else(|| panic!("no rule for the warning {warning}")).1.clone()
    });
    rules.collect()
}

/// The rules that correspond to warnings of the server and that a document raises.
fn found(document: &Document, options: &Options, sayings: &Sayings) -> BTreeSet<String> {
    let mut workspace = Workspace::new();
    workspace.add("document.yaml", document.text.as_str());
    let findings = compile(&workspace, options).diagnostics;
    let names = findings.iter().map(|it| it.rule.name);
    names.filter(|name| sayings.iter().any(|(_, rule)| rule == name)).map(str::to_owned).collect()
}
