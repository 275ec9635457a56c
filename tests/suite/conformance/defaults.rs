//! Values that the API server accepts as defaults of each type.
//!
//! `fixtures/conformance/defaults.txt` is recorded by `tools/oracle`: see `judgeDefaults`.

use std::fs;

use rayon::prelude::*;
use sandboxc::{Options, Workspace, compile};
use serde_json::{Value, json};

use super::pruning::definition;
use crate::support::root;

#[test]
fn conformance_of_defaults() {
    let recording = fs::read_to_string(root().join("fixtures/conformance/defaults.txt")).unwrap();
    let mut lines = recording.lines();
    let values: Vec<Value> = serde_json::from_str(lines.next().unwrap()).unwrap();
    let lines: Vec<_> = lines.collect();
    let differences: Vec<_> =
        lines.par_iter().flat_map_iter(|line| differences(line, &values)).collect();
    assert!(differences.is_empty(), "{}: {differences:#?}", differences.len());
    assert!(lines.len() > 60, "only {} schemas", lines.len());
}

/// The values of a line on which the verdicts differ.
fn differences(line: &str, values: &[Value]) -> Vec<String> {
    let (place, rest) = line.split_once(' ').unwrap();
    let (verdicts, schema) = rest.split_once(' ').unwrap();
    let schema: Value = serde_json::from_str(schema).unwrap();
    // To compare with `1`, the server converts 1.5 to an integer.
    let has_integers = schema.get("enum").is_some_and(|it| it.to_string().contains('1'));
    let judged = values.iter().zip(verdicts.chars());
    let judged = judged.filter(|(value, _)| !(has_integers && **value == json!(1.5)));
    let differs = |(value, verdict): &(&Value, char)| {
        let mut workspace = Workspace::new();
        let schema = with_default(schema.clone(), value, place);
        workspace.add("definition.yaml", definition(&schema.to_string()));
        compile(&workspace, &Options::default()).has_errors() != (*verdict == 'r')
    };
    let differing = judged.filter(differs);
    differing
        .map(|(value, verdict)| format!("{value} {place} {schema}: server {verdict}"))
        .collect()
}

fn with_default(mut schema: Value, value: &Value, place: &str) -> Value {
    match place {
        "field" => json!({"type": "object", "properties": {"f": schema}, "default": {"f": value}}),
        "item" => json!({"type": "array", "items": schema, "default": [value]}),
        _ => {
            schema["default"] = value.clone();
            schema
        }
    }
}
