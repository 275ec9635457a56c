//! `fixtures/effective/`: compares the output of `effective` with the objects that the
//! controllers of agent-sandbox send for the same input, recorded by `tools/agent-sandbox-oracle`.
//!
//! Intended differences are listed in `differences`, as for other recordings.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sandboxc::{Compilation, Severity};
use serde_json::{Map, Value};

use super::lines::{LINES, of_line};
use super::{run, steady};
use crate::oracles::compare::{compare, objects_by_name};
use crate::oracles::differences::{Target, read_lines};
use crate::oracles::{file_name, folders};
use crate::unpacked::unpacked;

#[test]
fn created_objects_are_those_that_the_controllers_send() {
    // Inputs in other directories can be compared before they become fixtures.
    let elsewhere = env::var_os("EFFECTIVE_CASES").map(PathBuf::from);
    let cases = folders(&elsewhere.unwrap_or_else(|| unpacked().join("effective")));
    assert!(!cases.is_empty());
    let recorded: Vec<_> = cases
        .iter()
        .flat_map(|case| LINES.map(|line| (case, line)))
        .filter(|(case, line)| recording(case, line).exists())
        .collect();
    for line in LINES {
        assert!(recorded.iter().any(|it| it.1 == line), "no recording of {line}");
    }
    let failures: Vec<_> =
        recorded.par_iter().flat_map_iter(|(case, line)| failures(case, line)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The recording of a case with a release line.
fn recording(case: &Path, line: &str) -> PathBuf {
    case.join(format!("recorded-{line}.json"))
}

/// The differences of a case that are not listed, and the listed ones that do not exist.
fn failures(case: &Path, release: &str) -> Vec<String> {
    let name = format!("{} {release}", file_name(case));
    let lines = read_lines(&case.join("differences"));
    let mut used = vec![false; lines.len()];
    let mut failures = Vec::new();
    for (target, detail) in differences(case, release) {
        match lines.iter().position(|it| it.target.covers(&target)) {
            Some(at) => used[at] = true,
            None => failures.push(format!("{name}: {target}: {detail}")),
        }
    }
    let unused = lines.iter().zip(&used).filter(|(_, used)| !**used);
    failures.extend(unused.map(|(it, _)| format!("{name}: no such difference: {it}")));
    failures
}

fn differences(case: &Path, line: &str) -> Vec<(Target, String)> {
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let recorded: Value = serde_json::from_str(&read(recording(case, line))).unwrap();
    let compilation = run(&read(case.join("input.yaml")), &of_line(line, steady()));
    let mut found = conditions(&recorded["ready"], &compilation);
    if compilation.has_errors() {
        return found;
    }
    let recorded: Vec<_> =
        recorded["objects"].as_object().unwrap().iter().filter_map(sent).collect();
    let ours = compilation.objects.iter().map(|it| serde_json::to_value(it.root()).unwrap());
    let ours: Vec<_> = ours.map(without_empty_parts).collect();
    let (recorded, ours) = (objects_by_name(&recorded), objects_by_name(&ours));
    let by_field = compare(&recorded, &ours);
    // Values that are equal must also have the same form.
    let rewritten = recorded.iter().filter(|(key, it)| {
        let is_equal = |target: &Target| {
            !matches!(target, Target::Field { kind, name, .. } if *kind == key.0 && *name == key.2)
        };
        ours.get(*key).is_some_and(|own| own != *it) && by_field.iter().all(|it| is_equal(&it.0))
    });
    found.extend(rewritten.map(|(key, it)| {
        let target = Target::Field { kind: key.0.clone(), name: key.2.clone(), path: Vec::new() };
        (target, format!("equal by value, but written in another form: {it}"))
    }));
    found.extend(by_field);
    found
}

/// The object after all requests of the controllers, or `None` if they deleted it.
fn sent((key, requests): (&String, &Value)) -> Option<Value> {
    let mut object = Value::Null;
    for request in requests.as_array().unwrap() {
        let body = &request["body"];
        match request["verb"].as_str().unwrap() {
            "create" | "update" => object = body.clone(),
            "patch" => merge_patch(&mut object, body),
            "delete" => return None,
            verb => panic!("{key}: {verb}"),
        }
    }
    let name = key.rsplit('/').next().unwrap();
    object["metadata"]["name"] = name.into();
    Some(without_empty_parts(object))
}

/// Applies a JSON merge patch (RFC 7386).
fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(fields) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let map = target.as_object_mut().unwrap();
    for (key, value) in fields {
        if value.is_null() {
            map.remove(key);
        } else {
            merge_patch(map.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

/// Removes empty values: Go writes an empty struct as `{}`, and an unset pointer as `null`. The
/// namespace `default` is optional.
fn without_empty_parts(mut object: Value) -> Value {
    fn prune(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.values_mut().for_each(prune);
                let is_empty = |it: &Value| it.as_object().is_some_and(Map::is_empty);
                map.retain(|key, it| {
                    let is_struct = matches!(key.as_str(), "resources" | "metadata");
                    !(it.is_null() || is_struct && is_empty(it))
                });
            }
            Value::Array(items) => items.iter_mut().for_each(prune),
            _ => {}
        }
    }
    prune(&mut object);
    if object["metadata"]["namespace"] == "default" {
        object["metadata"].as_object_mut().unwrap().remove("namespace");
    }
    object
}

/// Claims whose recorded condition `Ready` differs from the reported one.
fn conditions(recorded: &Value, compilation: &Compilation) -> Vec<(Target, String)> {
    let notes: Vec<_> =
        compilation.diagnostics.iter().flat_map(|it| it.details().notes.iter()).collect();
    let mut expected = BTreeMap::new();
    for (claim, ready) in recorded.as_object().unwrap() {
        let text = |key: &str| ready[key].as_str().unwrap_or("").to_owned();
        let (reason, message) = (text("reason"), text("message"));
        let note = match text("status").as_str() {
            "False" => format!("the controller sets `Ready=False`, `{reason}`: {message}"),
            "Deleted" => "the controller deletes it".to_owned(),
            _ => continue,
        };
        expected.insert(claim.clone(), note);
    }
    let mut found = Vec::new();
    for (claim, note) in &expected {
        if !notes.iter().any(|it| it.as_prose().ends_with(note)) {
            let near: Vec<_> =
                notes.iter().filter(|it| it.as_prose().contains("the controller")).collect();
            found.push((target_of(claim), format!("{note:?} is not reported, but {near:?}")));
        }
    }
    let claims = compilation.diagnostics.iter().filter(|it| it.rule.name == "claim-not-ready");
    let errors = compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    if expected.is_empty() {
        for finding in claims.chain(errors) {
            let name = finding.rule.name;
            found.push((
                target_of(&format!("SandboxClaim/-/{name}")),
                finding.details().message.as_prose().to_string(),
            ));
        }
    }
    found
}

fn target_of(key: &str) -> Target {
    let (kind, name) = (key.split('/').next().unwrap(), key.rsplit('/').next().unwrap());
    let path = vec!["status".to_owned()];
    Target::Field { kind: kind.to_owned(), name: name.to_owned(), path }
}
