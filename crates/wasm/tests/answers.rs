//! Each command answers as the command of the program does.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use serde_json::{Value, json};

const BOX: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\n\
                   spec: {image: 'python:3.13'}\n";
const FAULTY: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: é😀}\nspec: {container: []}\n";

fn ask(request: &Value) -> Value {
    serde_json::from_str(&sandboxc_wasm::answer(&request.to_string())).unwrap()
}

fn ok(request: &Value) -> Value {
    let mut answer = ask(request);
    assert_eq!(answer["error"], Value::Null, "{answer}");
    answer["ok"].take()
}

fn input(text: &str) -> Value {
    json!({ "files": [{ "name": "a.yaml", "text": text }] })
}

fn text(answer: &Value) -> &str {
    answer["text"].as_str().unwrap()
}

#[test]
fn check_lists_findings_with_positions_of_an_editor() {
    let answer = ok(&json!({ "command": "check", "input": input(FAULTY) }));
    let findings = answer["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["rule"] == "unknown-field").unwrap();
    assert_eq!(found["severity"], "error");
    assert_eq!(found["file"], "a.yaml");
    assert_eq!(found["start"], json!({ "line": 4, "column": 8 }));
    assert_eq!(found["end"], json!({ "line": 4, "column": 17 }));
    assert_eq!(found["isInline"], true);
    let name = findings.iter().find(|finding| finding["start"]["line"] == 3).unwrap();
    assert_eq!(name["start"]["column"], 18);
    assert_eq!(name["end"]["column"], 21);
    assert_eq!(
        answer["errors"],
        findings.iter().filter(|finding| finding["severity"] == "error").count()
    );
    assert!(text(&answer).contains("--> a.yaml:4:8"), "{answer}");
}

#[test]
fn check_knows_the_environments_and_applies_settings() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: a}\n\
                   spec:\n  environments: {staging: {}, production: {}}\n";
    let settings = json!({ "kubernetes": "1.34", "environment": "staging", "policy": "baseline" });
    let files = json!([{ "name": "sandboxc.yaml", "text": project }]);
    let input = json!({ "files": files, "settings": settings });
    let answer = ok(&json!({ "command": "check", "input": input }));
    assert_eq!(answer["environments"], json!(["staging", "production"]));
    assert_eq!(answer["kubernetes"], json!(["1.34"]));
    assert!(text(&answer).contains("environment staging"), "{answer}");
}

#[test]
fn a_setting_without_meaning_is_refused() {
    let settings = [("kubernetes", "2.0", "use 1.33, "), ("policy", "strict", "use restricted, ")];
    for (field, value, help) in settings {
        let input = json!({ "files": [], "settings": { field: value } });
        let answer = ask(&json!({ "command": "check", "input": input }));
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(value), "{answer}");
        assert!(answer["error"]["help"].as_str().unwrap().starts_with(help), "{answer}");
    }
}

#[test]
fn report_is_that_of_the_program() {
    let answer = ok(&json!({ "command": "report", "input": input(FAULTY) }));
    let report: Value = serde_json::from_str(answer.as_str().unwrap()).unwrap();
    assert_eq!(report["format"], 1);
    assert_eq!(report["checked"]["files"], 1);
}

#[test]
fn actions_repair_a_finding() {
    let range = json!({ "start": { "line": 4, "column": 8 }, "end": { "line": 4, "column": 8 } });
    let request =
        json!({ "command": "actions", "input": input(FAULTY), "file": "a.yaml", "range": range });
    let actions = ok(&request);
    let edit = &actions[0]["edits"][0];
    assert_eq!(actions[0]["rule"], "unknown-field");
    assert_eq!(
        (edit["text"].as_str(), edit["file"].as_str()),
        (Some("containers"), Some("a.yaml"))
    );
    assert_eq!(edit["end"], json!({ "line": 4, "column": 17 }));
}

#[test]
fn hover_describes_a_field() {
    let hover = |column: u32| {
        let position = json!({ "line": 4, "column": column });
        ok(
            &json!({ "command": "hover", "input": input(BOX), "file": "a.yaml", "position": position }),
        )
    };
    let answer = hover(9);
    assert!(text(&answer).starts_with("`image`"), "{answer}");
    assert_eq!(answer["start"], json!({ "line": 4, "column": 8 }));
    assert_eq!(hover(7), Value::Null);
}

#[test]
fn completion_offers_fields() {
    let text = BOX.replace("{image: 'python:3.13'}", "\n  ima");
    let position = json!({ "line": 5, "column": 6 });
    let request = json!({ "command": "complete", "input": input(&text), "file": "a.yaml", "position": position });
    let answer = ok(&request);
    let offered = answer
        .as_array()
        .unwrap()
        .iter()
        .find(|completion| completion["label"] == "image")
        .unwrap();
    assert_eq!(offered["kind"], "property");
    assert_eq!(offered["start"], json!({ "line": 5, "column": 3 }));
}

#[test]
fn build_prints_objects_in_each_format() {
    let build = |to: &str, is_annotated: bool| json!({ "command": "build", "input": input(BOX), "to": to, "isAnnotated": is_annotated });
    let answer = ok(&build("yaml", false));
    assert!(text(&answer).contains("kind: Sandbox\n"), "{answer}");
    assert!(answer["objects"].as_array().unwrap().contains(&json!("Sandbox/dev")), "{answer}");
    assert!(text(&ok(&build("yaml", true))).contains("# a.yaml:"));
    let list: Value = serde_json::from_str(text(&ok(&build("json", false)))).unwrap();
    assert_eq!(list["kind"], "List");
}

#[test]
fn build_prints_the_findings_of_faulty_input() {
    let request =
        json!({ "command": "build", "input": input(FAULTY), "to": "yaml", "isAnnotated": false });
    let answer = ok(&request);
    assert_eq!(answer["hasErrors"], true);
    assert!(text(&answer).contains("error[unknown-field]"), "{answer}");
}

#[test]
fn effective_prints_what_controllers_create() {
    let answer = ok(&json!({ "command": "effective", "input": input(BOX) }));
    assert!(text(&answer).contains("kind: Pod\n"), "{answer}");
}

#[test]
fn graph_draws_objects() {
    let answer = ok(&json!({ "command": "graph", "input": input(BOX) }));
    assert!(answer["svg"].as_str().unwrap().starts_with("<svg"), "{answer}");
    assert!(answer["mermaid"].as_str().unwrap().starts_with("flowchart"), "{answer}");
}

#[test]
fn diff_compares_two_versions() {
    let new = BOX.replace("3.13", "3.14");
    let answer = ok(&json!({ "command": "diff", "old": input(BOX), "input": input(&new) }));
    assert_eq!(answer["changes"], 1);
    assert!(text(&answer).contains("python:3.14"), "{answer}");
    let unreadable = input("a: [");
    let answer = ok(&json!({ "command": "diff", "old": unreadable, "input": input(&new) }));
    assert_eq!((&answer["hasErrors"], &answer["side"]), (&json!(true), &json!("pinned")));
}

#[test]
fn why_explains_a_field_or_an_object() {
    let why = |path: Value| {
        let object = "Sandbox/dev";
        ok(&json!({ "command": "why", "input": input(BOX), "object": object, "path": path }))
    };
    assert!(text(&why(Value::Null)).contains("python:3.13"));
    let path = "spec.podTemplate.spec.containers[0].image";
    assert!(text(&why(json!(path))).contains("a.yaml:4"));
    let request = json!({ "command": "why", "input": input(BOX), "object": "Pod/x", "path": null });
    assert_eq!(ask(&request)["error"]["message"], "object `Pod/x` not found in the output");
}

#[test]
fn fix_and_format_return_changed_files() {
    let faulty = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    \
                  image: b:1\n    imagePullPolicy: always\n";
    let answer = ok(&json!({ "command": "fix", "input": input(faulty), "isUnsafe": false }));
    assert_eq!(answer["changes"][0]["text"], faulty.replace("always", "Always"));
    let answer =
        ok(&json!({ "command": "format", "input": input("kind: List\nitems:\n-  a: 1\n") }));
    let expected = json!([{ "name": "a.yaml", "text": "kind: List\nitems:\n  - a: 1\n" }]);
    assert_eq!(answer["changes"], expected);
}

#[test]
fn split_names_the_documents() {
    let request =
        json!({ "command": "split", "input": input("kind: A\n---\nkind: B\n"), "file": "a.yaml" });
    let answer = ok(&request);
    let kinds: Vec<_> =
        answer["parts"].as_array().unwrap().iter().map(|part| &part["kind"]).collect();
    assert_eq!(kinds, ["A", "B"]);
}

#[test]
fn explain_has_rules_and_fields() {
    let explain =
        |subject: Value| json!({ "command": "explain", "subject": subject, "apiVersion": null });
    assert!(
        ok(&explain(json!("unknown-field")))["page"]
            .as_str()
            .unwrap()
            .starts_with("# unknown-field")
    );
    assert!(text(&ok(&explain(json!("deploy.spec.strategy")))).contains("rollingUpdate"));
    assert!(ok(&explain(Value::Null))["rules"].as_array().unwrap().len() > 500);
    assert!(ask(&explain(json!("nothing.here")))["error"]["message"].is_string());
}

#[test]
fn schema_describes_definitions() {
    let request = json!({ "command": "schema", "kind": null, "kubernetes": "1.34" });
    let schema: Value = serde_json::from_str(text(&ok(&request))).unwrap();
    assert!(schema["$schema"].is_string());
    let request = json!({ "command": "schema", "kind": "Nothing", "kubernetes": null });
    assert!(ask(&request)["error"]["help"].as_str().unwrap().contains("Sandbox"));
}

#[test]
fn info_lists_the_values_of_settings() {
    let info = ok(&json!({ "command": "info" }));
    assert_eq!(info["policies"], json!(["restricted", "baseline", "privileged"]));
    assert!(info["kubernetes"].as_array().unwrap().contains(&info["newest"]));
}

#[test]
fn what_is_not_a_request_is_refused() {
    for request in ["", "{}", "[]", r#"{"command": "drop"}"#, r#"{"command": "check"}"#] {
        let answer: Value = serde_json::from_str(&sandboxc_wasm::answer(request)).unwrap();
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("invalid request: "), "{answer}");
    }
}
