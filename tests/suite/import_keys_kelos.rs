//! `import` loses nothing: each key of a resource of kelos changes the definitions or the findings.

use std::fs;

use rayon::prelude::*;
use sandboxc::{ImportOptions, Workspace, emit_stream, import};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::sampled;
use crate::unpacked::unpacked;

/// The path of a map in a document, as keys and indexes.
type Path = Vec<Value>;

/// The documents of a recorded input.
fn documents(case: &std::path::Path) -> Vec<Value> {
    let text = fs::read_to_string(case.join("input.yaml")).unwrap();
    let documents = serde_yaml::Deserializer::from_str(&text);
    documents.map(|it| Value::deserialize(it).unwrap()).collect()
}

/// The definitions and the findings, without their locations.
fn imported(documents: &[Value]) -> (String, Vec<String>) {
    let mut workspace = Workspace::new();
    let text: Vec<_> = documents.iter().map(ToString::to_string).collect();
    workspace.add("a.yaml", text.join("\n---\n"));
    let imported = import(&workspace, &ImportOptions::default());
    let findings = imported
        .diagnostics
        .iter()
        .map(|it| format!("{}: {}", it.rule.name, it.details().message.as_prose()));
    (emit_stream(&imported.objects), findings.collect())
}

fn maps(value: &Value, path: &[Value], found: &mut Vec<Path>) {
    let below = |key: Value| path.iter().cloned().chain([key]).collect::<Path>();
    match value {
        Value::Object(map) => {
            found.push(path.to_vec());
            map.iter().for_each(|(key, it)| maps(it, &below(json!(key)), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| maps(it, &below(json!(at)), found));
        }
        _ => {}
    }
}

fn at<'v>(value: &'v mut Value, path: &[Value]) -> &'v mut serde_json::Map<String, Value> {
    let found = path.iter().fold(value, |value, step| match step {
        Value::String(key) => &mut value[key.as_str()],
        index => &mut value[usize::try_from(index.as_u64().unwrap()).unwrap()],
    });
    found.as_object_mut().unwrap()
}

/// The keys of a case whose removal changes nothing, and the maps in which an unknown key changes nothing.
fn lost(case: &std::path::Path) -> Vec<String> {
    let documents = documents(case);
    let before = imported(&documents);
    let name = case.file_name().unwrap().to_str().unwrap();
    let mut lost = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        // A resource without a spec is rejected as a whole.
        let is_kelos =
            document["apiVersion"].as_str().is_some_and(|it| it.starts_with("kelos.dev/"))
                && !document["spec"].is_null();
        let mut found = Vec::new();
        maps(document, &[], &mut found);
        for path in found.iter().filter(|_| is_kelos) {
            let mut check = |change: &dyn Fn(&mut serde_json::Map<String, Value>), what: &str| {
                let mut changed = documents.clone();
                change(at(&mut changed[number], path));
                if imported(&changed) == before {
                    let path = Value::from(path.clone());
                    lost.push(format!("{name} {}: {path} {what}", document["kind"]));
                }
            };
            let mut document = document.clone();
            for key in at(&mut document, path).keys() {
                check(&|map| _ = map.remove(key), key);
            }
            check(&|map| _ = map.insert("unknownKey".to_owned(), json!(1)), "an unknown key");
        }
    }
    lost
}

#[test]
fn each_key_of_a_kelos_resource_is_imported_or_reported() {
    let folder = unpacked().join("oracles/kelos");
    let mut cases: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    cases.retain(|it| it.is_dir());
    cases.sort();
    let lost: Vec<_> = sampled(cases, 32).par_iter().flat_map_iter(|it| lost(it)).collect();
    assert!(lost.is_empty(), "keys that change nothing: {lost:#?}");
}
