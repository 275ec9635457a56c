//! `krm`: lists as kpt and kustomize pass them, recorded from kpt 1.0.0-beta.56 and kustomize 5.8.1.

use std::fs;

use serde_json::{Value, json};

use super::{Folder, OBJECT, Run};
use crate::support::root;

const SANDBOX: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\n\
    metadata: {name: dev, namespace: b}\n\
    spec: {image: \"python:3.13\", podSecurityContext: {runAsUser: 1000}}\n";

/// A recorded list.
fn recorded(name: &str) -> String {
    fs::read_to_string(root().join("fixtures/krm").join(name)).unwrap()
}

fn krm(list: &str) -> Run {
    Folder::new(&[]).run_with_stdin(&["krm"], list)
}

fn read(list: &str) -> Value {
    serde_yaml::from_str(list).unwrap()
}

/// Kind and name of each item.
fn items(list: &str) -> Vec<String> {
    let list = read(list);
    let name = |it: &Value| {
        format!("{}/{}", it["kind"].as_str().unwrap(), it["metadata"]["name"].as_str().unwrap())
    };
    list["items"].as_array().unwrap().iter().map(name).collect()
}

/// A list of documents with a `functionConfig`.
fn list(items: &[&str], config: &str) -> String {
    let indented = |text: &str| text.trim_end().replace('\n', "\n  ");
    let items = items.iter().map(|it| indented(&format!("- {it}")) + "\n").collect::<String>();
    let config = match config {
        "" => String::new(),
        config => format!("functionConfig:\n  {}\n", indented(config)),
    };
    format!("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{items}{config}")
}

fn function(kind: &str, spec: &str) -> String {
    format!(
        "apiVersion: functions.sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: f}}\n{spec}"
    )
}

#[test]
fn a_definition_becomes_its_objects_and_other_items_keep_their_bytes() {
    let input = recorded("kpt.yaml");
    let (output, stderr) = krm(&input).expect(0);
    assert!(stderr.contains("warning[run-as-user-unset]"), "{stderr}");
    assert_eq!(items(&output), ["Kptfile/pkg", "ConfigMap/a", "Sandbox/dev", "ConfigMap/z"]);
    let before = input.split("- apiVersion: sandboxc.dev").next().unwrap();
    assert!(output.starts_with(before), "{output}");
    let after = input.split("{image: \"python:3.13\"}\n").nth(1).unwrap();
    assert!(output.contains(after), "{output}");
    let list = read(&output);
    let sandbox = &list["items"][2];
    assert_eq!(sandbox["apiVersion"], "agents.x-k8s.io/v1beta1");
    // In the file of its definition; kpt adds the position.
    let path = json!({
        "config.kubernetes.io/path": "app.yaml", "internal.config.kubernetes.io/path": "app.yaml",
    });
    assert_eq!(sandbox["metadata"]["annotations"], path);
    let [result] = &list["results"].as_array().unwrap()[..] else { panic!("{output}") };
    let message = result["message"].as_str().unwrap();
    assert!(message.ends_with("; rule: run-as-user-unset") && !message.contains('\n'), "{message}");
    let expected = json!({
        "severity": "warning",
        "resourceRef": {
            "apiVersion": "sandboxc.dev/v1alpha1", "kind": "Sandbox", "namespace": "b", "name": "dev",
        },
        "field": {"path": "spec.podTemplate.spec.securityContext.runAsUser"},
        "file": {"path": "app.yaml", "index": 1},
        "tags": {"rule": "run-as-user-unset"},
        "message": message,
    });
    assert_eq!(*result, expected);
    // A function may run again.
    let (again, _) = krm(&output).expect(0);
    assert_eq!(items(&again), items(&output));
}

#[test]
fn a_transformer_of_kustomize_gets_no_annotations_of_the_run() {
    let (output, _) = krm(&recorded("kustomize_transformer.yaml")).expect(0);
    assert_eq!(items(&output), ["ConfigMap/a", "Sandbox/dev"]);
    assert!(read(&output)["items"][1]["metadata"].get("annotations").is_none(), "{output}");
}

#[test]
fn a_generator_adds_objects_and_replaces_those_of_an_earlier_run() {
    let (output, _) = krm(&recorded("kustomize_generator.yaml")).expect(0);
    assert_eq!(items(&output), ["Build/sandboxes", "Sandbox/dev"]);
    let (again, _) = krm(&output.replace("python:3.13", "python:3.14")).expect(0);
    assert_eq!(items(&again), items(&output));
    assert!(!again.contains("python:3.13"), "{again}");
}

#[test]
fn a_definition_is_a_function() {
    let folder = Folder::new(&[]);
    let config = SANDBOX.replace(
        "namespace: b}",
        "namespace: b, annotations: {config.kubernetes.io/function: 'exec: {path: x}', a: b}}",
    );
    for items_before in [&[][..], &[config.as_str()]] {
        let run = folder.run_with_stdin(&["krm"], &list(items_before, &config));
        let (output, stderr) = run.expect(0);
        assert_eq!(stderr, "");
        let list = read(&output);
        let built = list["items"].as_array().unwrap().last().unwrap();
        assert_eq!(built["apiVersion"], "agents.x-k8s.io/v1beta1");
        assert_eq!(built["metadata"]["annotations"], json!({"a": "b"}));
    }
}

#[test]
fn a_definition_that_is_never_applied_stays_with_its_objects() {
    let local = "namespace: b, annotations: {config.kubernetes.io/local-config: 'true'}}";
    let definition = SANDBOX.replace("namespace: b}", local);
    let input = list(&[&definition, OBJECT], "");
    let (output, _) = krm(&input).expect(0);
    assert_eq!(items(&output), ["Sandbox/dev", "Sandbox/dev", "ConfigMap/web"]);
    assert!(output.starts_with(&list(&[&definition], "")), "{output}");
    // The objects of an earlier run may be in another file by now.
    let moved = output.replace(
        "kind: Sandbox\n  metadata:\n    name: dev\n",
        "kind: Sandbox\n  metadata:\n    annotations: {config.kubernetes.io/path: x.yaml}\n    name: dev\n",
    );
    assert_ne!(moved, output);
    let (again, _) = krm(&moved.replace("python:3.13", "python:3.14")).expect(0);
    assert_eq!(items(&again), items(&output));
    let built = &read(&again)["items"][1];
    let annotations = &built["metadata"]["annotations"];
    assert_eq!(annotations["config.kubernetes.io/path"], "x.yaml", "{again}");
    assert!(!again.contains("python:3.13"), "{again}");
}

#[test]
fn a_function_builds_files_with_its_settings() {
    let definition = SANDBOX.replace("python:3.13", "python:{{ values.tag }}");
    let folder = Folder::new(&[
        (
            "definitions/sandboxc.yaml",
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {tag: dev}\n  \
             environments: {prod: {values: {tag: prod}}}\n",
        ),
        ("definitions/a.yaml", &definition),
    ]);
    let built = |spec: &str, status| {
        let config = function("Build", spec);
        folder.run_with_stdin(&["krm", "-q"], &list(&[], &config)).expect(status)
    };
    let image = |(output, _): (String, String)| {
        let list = read(&output);
        let spec = &list["items"][0]["spec"]["podTemplate"]["spec"];
        spec["containers"][0]["image"].as_str().unwrap().to_owned()
    };
    assert_eq!(image(built("spec: {files: [definitions]}", 0)), "python:dev");
    let prod = "spec: {files: [definitions], environment: prod}";
    assert_eq!(image(built(prod, 0)), "python:prod");
    let tag = "spec: {files: [definitions], environment: prod, values: {tag: '3.14'}}";
    assert_eq!(image(built(tag, 0)), "python:3.14");
    let (output, stderr) = built("spec: {files: [nowhere]}", 2);
    assert!(stderr.starts_with("error: cannot read `nowhere`"), "{stderr}");
    let message = read(&output)["results"][0]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("cannot read `nowhere`"), "{message}");
    let (_, stderr) = built("spec: {files: [definitions], policy: priviledged}", 1);
    assert!(stderr.contains("help: did you mean `privileged`?"), "{stderr}");
    let (output, stderr) = built("spec: {files: [definitions], file: x}", 1);
    assert!(stderr.contains("--> functionConfig:4:"), "{stderr}");
    assert_eq!(read(&output)["results"][0]["tags"], json!({"rule": "unknown-field"}));
}

#[test]
fn errors_leave_the_items_as_they_are() {
    let wrong = SANDBOX.replace("image", "imagge");
    let path = "metadata:\n  name: a\n  annotations: {config.kubernetes.io/path: a.yaml, \
        config.kubernetes.io/index: '3'}";
    let other = format!("apiVersion: v1\nkind: ConfigMap\n{path}\ndata: {{x: 1}}\n");
    let input = list(&[&other, &wrong], "");
    let (output, stderr) = krm(&input).expect(1);
    assert!(output.starts_with(&input), "{output}");
    assert!(stderr.contains("--> items[0] (a.yaml):6:11"), "{stderr}");
    // Without the path of a file.
    assert!(stderr.contains("--> items[1] (Sandbox/b/dev):4:8"), "{stderr}");
    assert!(stderr.contains("help: did you mean `image`?"), "{stderr}");
    let list = read(&output);
    let results = list["results"].as_array().unwrap();
    let field =
        |at: usize| (results[at]["severity"].as_str(), results[at]["field"]["path"].as_str());
    assert_eq!(field(0), (Some("error"), Some("data[x]")));
    assert_eq!(results[0]["file"], json!({"path": "a.yaml", "index": 3}));
    assert_eq!(field(1), (Some("error"), Some("spec.imagge")));
}

#[test]
fn a_check_returns_the_items_except_to_kustomize() {
    let check = function("Check", "spec: {policy: baseline}");
    let input = list(&[OBJECT, SANDBOX], &check);
    assert_eq!(krm(&input).expect(0).0, input);
    let input = list(&[&OBJECT.replace("default}", "default}\ndata: {x: 1}")], &check);
    assert!(krm(&input).expect(1).0.starts_with(&input));
    let data = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {action: check}\n";
    let input = list(&[SANDBOX], data);
    assert_eq!(krm(&input).expect(0).0, input);
    // kustomize fails if a validator returns them.
    let input = recorded("kustomize_transformer.yaml").replace("kind: Build", "kind: Check");
    let (output, _) = krm(&input).expect(0);
    assert_eq!(items(&output), ["Check/list-this-function-under-validators-not-transformers"]);
}

#[test]
fn other_input_is_refused() {
    let other = |input: &str, problem: &str| {
        let (output, stderr) = krm(input).expect(1);
        assert_eq!(output, "");
        assert!(stderr.starts_with(&format!("error: {problem}")), "{stderr}");
    };
    other("", "standard input is empty: expected a ResourceList\n  help: ");
    other("# nothing\n---\n", "standard input is empty");
    other(OBJECT, "standard input is `kind: ConfigMap` of `v1`");
    other(&format!("{OBJECT}---\n{OBJECT}"), "standard input has 2 documents");
    other("- a\n", "standard input is not an object");
    let map = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {a: b}\n";
    other(map, "`items` of the ResourceList is a map");
    let (output, stderr) = krm("a: [b\n").expect(1);
    assert!(output.is_empty() && stderr.starts_with("error[unclosed-bracket]"), "{stderr}");
    let (output, stderr) =
        krm(&list(&[OBJECT], OBJECT.replace("ConfigMap", "Secret").as_str())).expect(1);
    assert!(stderr.contains("the `functionConfig` is Secret (v1)"), "{stderr}");
    assert_eq!(items(&output), ["ConfigMap/web"]);
    assert_eq!(read(&output)["results"][0]["severity"], "error");
}

#[test]
fn a_list_without_items_reads_no_files() {
    let folder = Folder::new(&[("a.yaml", "key: [a, b\n")]);
    for input in [list(&[], ""), "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n".into()]
    {
        let (output, stderr) = folder.run_with_stdin(&["krm"], &input).expect(0);
        assert_eq!((read(&output)["items"].clone(), stderr), (json!([]), String::new()));
    }
}

#[test]
fn json_is_a_list_as_well() {
    let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "b"}});
    let definition: Value = serde_yaml::from_str(SANDBOX).unwrap();
    let input = json!({
        "apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [object, definition],
    });
    let (output, _) = krm(&input.to_string()).expect(0);
    assert_eq!(items(&output), ["ConfigMap/a", "Sandbox/dev"]);
    assert!(
        output.contains(r#""agents.x-k8s.io/v1beta1""#) || !output.starts_with('{'),
        "{output}"
    );
}
