//! Fields that the API server keeps and drops, under every combination of the keywords that decide about
//! them, two schemas deep.
//!
//! `fixtures/conformance/pruning.txt` is recorded by `tools/oracle`. Its first line lists the values by
//! their paths, each other line has a schema and the verdict on each value: see `judgePruning`.

use std::collections::BTreeMap;
use std::fs;

use rayon::prelude::*;
use sandboxc::{FileId, Options, Severity, Workspace, compile};
use serde_json::{Value, json};

use crate::support::{root, sampled};

#[test]
fn conformance_of_kept_and_dropped_fields() {
    let recording = fs::read_to_string(root().join("fixtures/conformance/pruning.txt")).unwrap();
    let mut lines = recording.lines();
    let paths: Vec<_> = lines.next().unwrap().split(' ').collect();
    let lines: Vec<_> = lines.collect();
    assert!(lines.len() > 500, "only {} schemas", lines.len());
    let lines = sampled(lines, 8);
    let differences: Vec<_> =
        lines.par_iter().flat_map_iter(|line| differences(line, &paths)).collect();
    let shown: Vec<_> = differences.iter().take(60).collect();
    assert!(differences.is_empty(), "{} differences, e.g. {shown:#?}", differences.len());
}

/// The values of a line on which the verdicts differ.
fn differences(line: &str, paths: &[&str]) -> Vec<String> {
    let (levels, rest) = line.split_once(' ').unwrap();
    let (verdicts, schema) = rest.split_once(' ').unwrap();
    let typed: u32 = levels.parse().unwrap();
    let mut workspace = Workspace::new();
    let definition = workspace.add("definition.yaml", definition(schema));
    let mut verdict_of = BTreeMap::new();
    if verdicts != "-" {
        for (path, verdict) in paths.iter().zip(verdicts.chars()) {
            let steps: Vec<_> = path.split('.').collect();
            let object = json!({
                "apiVersion": "example.com/v1", "kind": "Widget",
                "metadata": {"name": format!("w{}", verdict_of.len()), "namespace": "a"},
                "spec": value(&steps, 1, typed),
            });
            let file = workspace.add(format!("{path}.yaml"), object.to_string());
            verdict_of.insert(file, (*path, verdict));
        }
    }
    let mut rules: BTreeMap<FileId, Vec<&str>> = BTreeMap::new();
    for it in &compile(&workspace, &Options::default()).diagnostics {
        if it.severity == Severity::Error {
            let file = workspace.locate(it.primary.span).file;
            rules.entry(file).or_default().push(it.rule.name);
        }
    }
    let is_refused = rules.contains_key(&definition);
    if is_refused != (verdicts == "-") {
        return vec![format!("the definition with {schema}: {:?}", rules.get(&definition))];
    }
    // The server calls the keys of such a map forbidden.
    let has_no_keys = schema.contains(r#""additionalProperties":false"#);
    let differs = |file: &FileId, verdict: char| match rules.get(file) {
        None => verdict != '.',
        // The server drops unknown fields before it checks types.
        Some(rules) => {
            let is_unknown = rules.contains(&"unknown-field") && !has_no_keys;
            verdict == '.' || is_unknown && verdict != 'u'
        }
    };
    let differing = verdict_of.iter().filter(|(file, (_, verdict))| differs(file, *verdict));
    let describe = |(file, (path, verdict)): (&FileId, &(&str, char))| {
        format!("{path} with {schema}: server {verdict}, here {:?}", rules.get(file))
    };
    differing.map(describe).collect()
}

pub(super) fn definition(schema: &str) -> String {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let root = json!({"type": "object", "properties": {"spec": schema}});
    let names = json!({"kind": "Widget", "plural": "widgets", "singular": "widget"});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": root},
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": names, "versions": [version],
        },
    })
    .to_string()
}

/// The value with this path; `level` counts from 1. Maps on the levels with a bit in `typed` get a
/// type.
fn value(path: &[&str], level: u32, typed: u32) -> Value {
    let (step, below) = (path[0], &path[1..]);
    let mut value = match step {
        "text" => return json!("text"),
        "0" => return json!([value(below, level + 1, typed)]),
        "metadata" => json!({"metadata": {"name": "a"}}),
        "odd-metadata" => json!({"metadata": {"name": "a", "q": "text"}}),
        _ => json!({step: value(below, level + 1, typed)}),
    };
    if typed & (1 << (level - 1)) != 0 {
        value["apiVersion"] = json!("v1");
        value["kind"] = json!("Part");
    }
    value
}
