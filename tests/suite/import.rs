//! `import`: what an imported string is after `build`.

use sandboxc::{ImportOptions, Options, Severity, Workspace, compile, emit_stream, import};
use serde::Deserialize;
use serde_json::{Value, json};

/// Strings that are expressions in a definition, or contain the end of a part without expressions.
const TEXTS: [&str; 9] = [
    "{{ 1 + 1 }}",
    "a {{ b",
    "{% if %} {# c #}\n",
    "{%endraw%}{{ 1 + 1 }}",
    "{% raw %}{%- endraw -%}{{ 1 + 1 }}{% endraw %}",
    "{%+  endraw",
    "{{%{%\tendraw %}{%endraw",
    "{% {% endraw {",
    "}} endraw {#",
];

/// A file of each system that has the text. The last one has it in configuration that the server of an
/// archive writes to a volume, so it is in no object.
fn files(text: &str) -> [Value; 4] {
    let digest = format!("sha256:{}", "0".repeat(64));
    let run = json!({"runId": "r", "workDir": "/data/work", "filesDirs": {"a": "/data/files/a"}});
    let release = json!({"image": "ghcr.io/acme/check", "digest": digest});
    let worker = json!({"type": "codex", "credentials": {"type": "none"}});
    let label =
        json!({"name": "l", "type": "pod", "image": "a:1", "env": [{"name": "A", "value": text}]});
    let pool = json!({"name": "ci", "labels": [label]});
    [
        json!({"apiVersion": "kelos.dev/v1alpha2", "kind": "Task", "metadata": {"name": "a"}, "spec": {"prompt": text, "worker": worker}}),
        json!({"client_id": "11111111-2222-4333-8444-555555555555", "image_tag": "a:1", "server_name": "py", "server_id": 7, "annotations": {"note": text}}),
        json!({"labels": [{"name": "l"}], "providers": [{"name": "lab", "driver": "kubernetes", "pools": [pool]}]}),
        json!({
            "runner": {"backend": "k8s", "k8s": {"namespace": "osa", "data_pvc_name": "data", "data_mount_path": "/data", "s3_bucket": "b", "s3_endpoint_url": "https://s3.example"}},
            "hooks": [{"name": "check", "release": release, "config": {"key": text}, "run": run}],
        }),
    ]
}

/// The strings of the objects that an imported file is built to.
fn strings_after_build(file: &Value) -> Vec<String> {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", file.to_string());
    let imported = import(&workspace, &ImportOptions::default());
    let mut workspace = Workspace::new();
    workspace.add("b.yaml", emit_stream(&imported.objects));
    let compilation = compile(&workspace, &Options::default());
    let findings = imported.diagnostics.iter().chain(&compilation.diagnostics);
    let errors: Vec<_> = findings.filter(|it| it.severity == Severity::Error).collect();
    let errors: Vec<_> = errors.iter().map(|it| &it.details().message).collect();
    assert!(errors.is_empty(), "{file}: {errors:?}");
    let mut strings = Vec::new();
    for document in serde_yaml::Deserializer::from_str(&emit_stream(&compilation.objects)) {
        collect(Value::deserialize(document).unwrap(), &mut strings);
    }
    strings
}

fn collect(value: Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text),
        Value::Array(items) => items.into_iter().for_each(|it| collect(it, strings)),
        Value::Object(map) => map.into_iter().for_each(|(_, it)| collect(it, strings)),
        _ => {}
    }
}

#[test]
fn strings_of_other_systems_are_not_evaluated() {
    for text in TEXTS {
        let as_json = Value::from(text).to_string();
        for (number, file) in files(text).iter().enumerate() {
            let strings = strings_after_build(file);
            let is_kept = |it: &String| it == text || it.contains(&as_json);
            assert!(number == 3 || strings.iter().any(is_kept), "{file}: {strings:#?}");
        }
    }
}
