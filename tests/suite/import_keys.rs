//! `import` loses nothing: each key of a file of idegym, of an Open Science Archive or of Nodepool changes
//! the definitions or the findings, or is on the list of its documentation.

use std::collections::BTreeSet;
use std::fs;

use rayon::prelude::*;
use sandboxc::{ImportOptions, Severity, Workspace, emit_stream, import};
use serde_json::{Map, Value, json};

use crate::support::{root, sampled};
use crate::unpacked::unpacked;

/// The definitions and the findings, without their locations. `None` if nothing is imported because
/// of an error.
fn imported(document: &Value) -> Option<(String, Vec<String>)> {
    let mut workspace = Workspace::new();
    workspace.add("input.json", document.to_string());
    let imported = import(&workspace, &ImportOptions::default());
    if imported.diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return None;
    }
    let findings = imported
        .diagnostics
        .iter()
        .map(|it| format!("{}: {}", it.rule.name, it.details().message.as_prose()));
    Some((emit_stream(&imported.objects), findings.collect()))
}

/// The paths of all keys and items, as JSON pointers.
fn paths(value: &Value, path: &str, found: &mut Vec<String>) {
    let mut below = |step: &str, value: &Value| {
        let path = format!("{path}/{}", step.replace('~', "~0").replace('/', "~1"));
        paths(value, &path, found);
        found.push(path);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, it)| below(key, it)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| below(&at.to_string(), it));
        }
        _ => {}
    }
}

/// The document without the value at a path.
fn without(document: &Value, path: &str) -> Value {
    let mut document = document.clone();
    let (owner, step) = path.rsplit_once('/').unwrap();
    match document.pointer_mut(owner).unwrap() {
        Value::Object(map) => drop(map.remove(&step.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(step.parse().unwrap())),
        _ => unreachable!("{path}"),
    }
    document
}

/// The document with another value of the same type at a path. A default that is written out has no
/// other effect than the same value by default.
fn with_another(document: &Value, path: &str) -> Option<Value> {
    let mut document = document.clone();
    let value = document.pointer_mut(path).unwrap();
    *value = match value {
        Value::Bool(it) => json!(!*it),
        Value::Number(it) => json!(it.as_i64()? + 1),
        Value::String(it) => json!(format!("{it}1")),
        _ => return None,
    };
    Some(document)
}

/// `/hooks/0/run/filesDirs/r1` as `hooks[].run.filesDirs.r1`.
fn written(path: &str) -> String {
    let mut text = String::new();
    for step in path.split('/').skip(1) {
        if step.bytes().all(|it| it.is_ascii_digit()) {
            text += "[]";
        } else {
            text += if text.is_empty() { "" } else { "." };
            text += &step.replace("~1", "/");
        }
    }
    text
}

/// Whether a value means the same as no value.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.values().all(is_nothing),
        _ => false,
    }
}

/// The keys whose removal or change has no effect.
fn lost(document: &Value) -> BTreeSet<String> {
    let mut found = Vec::new();
    paths(document, "", &mut found);
    let before = imported(document);
    let is_lost = |path: &&String| {
        before.is_some()
            && !document.pointer(path).is_none_or(is_nothing)
            && imported(&without(document, path)) == before
            && with_another(document, path).is_none_or(|it| imported(&it) == before)
    };
    found.iter().filter(is_lost).map(|it| written(it)).collect()
}

/// The paths in the first column of the table in "Keys that are not imported".
fn documented(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let section = text.split("### Keys that are not imported").nth(1).unwrap();
    let section = section.split("\n#").next().unwrap();
    let rows = section.lines().filter_map(|it| it.strip_prefix("| ")?.split(" | ").next());
    rows.flat_map(|it| it.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Whether a documented path is this one, or one above it. `*` is any key, except the variables of
/// settings.
fn covers(documented: &str, path: &str) -> bool {
    let is_setting = path.to_uppercase().starts_with("ENVIRONMENT.OSA_RUNNER");
    if is_setting && documented == "environment.*" {
        return false;
    }
    let mut steps = path.split('.');
    documented.split('.').all(|own| steps.next().is_some_and(|it| own == "*" || own == it))
}

/// Keys of recorded inputs that a variable or the configuration of a run replaces, or that belong to a
/// provider of another driver.
const REPLACED: [&str; 8] = [
    "config_environment_over_file: runner.k8s.namespace",
    "env_overrides: runner.k8s.job_ttl_seconds",
    "env_overrides: runner.k8s.namespace",
    "hook_run_config: hooks[].config.level",
    "other_driver: providers[].pools",
    "other_driver: providers[].pools[]",
    "other_driver: providers[].pools[].name",
    "other_driver: providers[].pools[].nodes",
];

/// A sample of the recorded inputs of a system, and forms that they do not have.
fn inputs(system: &str, others: &[Value]) -> Vec<(String, Value)> {
    let folder = unpacked().join("oracles").join(system);
    let mut cases: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    cases.sort();
    let mut inputs = Vec::new();
    for case in sampled(cases.iter().filter(|it| it.is_dir()), 24) {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let text = ["input.json", "input.yaml"]
            .iter()
            .find_map(|it| fs::read_to_string(case.join(it)).ok())
            .unwrap();
        inputs.push((name, serde_yaml::from_str(&text).unwrap()));
    }
    inputs.extend(others.iter().map(|it| ("another form".to_owned(), it.clone())));
    inputs
}

fn check(system: &str, others: &[Value]) {
    let documented = documented(&format!("{system}.md"));
    let is_unknown = |line: &String| {
        let (_, path) = line.split_once(": ").unwrap();
        !documented.iter().any(|it| covers(it, path)) && !REPLACED.contains(&line.as_str())
    };
    let lines = inputs(system, others).into_par_iter().flat_map_iter(|(name, input)| {
        let paths = lost(&input).into_iter();
        paths.map(|path| format!("{name}: {path}")).collect::<Vec<_>>()
    });
    let failures: Vec<_> = lines.filter(is_unknown).collect();
    for other in others {
        assert!(imported(other).is_some(), "{other}");
    }
    assert!(failures.is_empty(), "keys that change nothing:\n{}", failures.join("\n"));
}

/// A configuration whose settings have other values than their defaults.
fn orchestrator() -> Value {
    json!({
        "orchestrator": {
            "port": 8000,
            "node_pool": {"enabled": true, "taint_key": "acme.dev/pool", "preference_weight": 7},
            "pod_snapshot": {"enabled": true, "service_account_name": "snap"},
        },
        "otel": {"tracing": {"endpoint": "http://otel:4318", "timeout": 2}},
        "environment": {"IDEGYM_NODE_POOL_TAINT_KEY": "acme.dev/other"},
    })
}

#[test]
fn each_key_of_idegym_is_imported_or_documented() {
    check("idegym", &[orchestrator()]);
}

/// An archive with all keys.
fn archive() -> Value {
    let digest = format!("sha256:{}", "01".repeat(32));
    let release = json!({"image": "ghcr.io/acme/check:v1", "digest": digest, "source_ref": "abc"});
    let limits = json!({"timeout_seconds": 60, "memory": "2g", "cpu": "2"});
    let columns = json!([{"name": "a", "json_type": "string", "required": true}]);
    let hook = json!({
        "name": "check",
        "feature": {"kind": "table", "cardinality": "one", "columns": columns},
        "config": {"a": {"b": 1}},
        "limits": limits,
        "release": release,
    });
    let ingester = json!({
        "name": "geo",
        "release": release,
        "config": {"a": 1},
        "limits": limits,
        "schedule": {"cron": "0 3 * * *", "limit": 5},
        "initial_run": {"limit": 7},
    });
    let convention = json!({
        "title": "Geo series",
        "description": "Series",
        "schema": {"id": "geo", "version": "1.0.0", "fields": []},
        "file_requirements": {"max_count": 5},
        "docs": {"purpose": "a"},
        "hooks": [hook],
        "ingester": ingester,
    });
    let mut archive: Map<String, Value> = [
        "name",
        "version",
        "description",
        "domain",
        "base_url",
        "dev_mode",
        "frontend",
        "database",
        "logging",
        "worker",
        "auth",
        "data",
        "mcp",
        "observability",
        "host_data_dir",
    ]
    .iter()
    .map(|it| ((*it).to_owned(), json!("a")))
    .collect();
    archive.insert("conventions".to_owned(), json!([convention]));
    let environment = json!({"OSA_RUNNER__BACKEND": "k8s", "OSA_DATABASE__URL": "postgresql://db"});
    archive.insert("environment".to_owned(), environment);
    Value::Object(archive)
}

#[test]
fn each_key_of_an_archive_is_imported_or_documented() {
    let archive = archive();
    check("osa", &[archive["conventions"][0].clone(), archive]);
}

#[test]
fn each_key_of_a_nodepool_file_is_imported_or_documented() {
    check("nodepool", &[]);
}
