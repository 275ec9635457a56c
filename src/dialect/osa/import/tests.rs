//! Tests of `import` for forms that the recorded inputs do not have.

use serde_json::{Value, json};

use super::{IMPORT, ImportCx};
use crate::diag::Sink;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// The definitions, and the rules of the findings.
fn import(document: Value) -> (Vec<Value>, Vec<&'static str>) {
    let origin = Origin::source(Workspace::new().start());
    let root = Node::from_json(document, origin);
    assert!((IMPORT.recognizes)(&root));
    let mut sink = Sink::new();
    let definitions = (IMPORT.definitions)(
        root,
        &mut ImportCx { is_lossy: false, left_out: Vec::new(), sink: &mut sink },
    );
    let rules = sink.into_sorted().iter().map(|finding| finding.rule.name).collect();
    let json = |node: &Node| serde_json::from_str(&node.to_json().to_string()).unwrap();
    (definitions.iter().map(json).collect(), rules)
}

fn release() -> Value {
    json!({"image": "ghcr.io/acme/check:v1", "digest": DIGEST, "source_ref": "abc"})
}

#[test]
fn a_deployment_has_the_definitions_of_its_convention() {
    let feature = json!({"kind": "table", "cardinality": "one", "columns": []});
    let (definitions, rules) = import(json!({
        "title": "  GEO: Series (2nd) ",
        "description": "Series",
        "schema": {"id": "geo", "version": "1.0.0", "fields": []},
        "docs": {},
        "file_requirements": {},
        "hooks": [{"name": "check_dna", "feature": feature, "config": {}, "release": release()}],
        "ingester": {"name": "geo", "release": release(), "schedule": {"cron": "0 3 * * *"}},
    }));
    assert!(rules.is_empty(), "{rules:?}");
    let [hook, source] = definitions.as_slice() else { panic!("{definitions:?}") };
    assert_eq!(hook["metadata"]["name"], "check-dna");
    assert_eq!(hook["spec"]["hookName"], Value::Null);
    assert_eq!(source["metadata"]["name"], "geo");
    assert_eq!(source["spec"]["convention"], "geo-series-2nd");
    assert_eq!(source["spec"]["schedule"]["cron"], "0 3 * * *");
}

#[test]
fn a_batch_is_split_off_the_id_of_its_run() {
    for (id, run, batch) in [
        ("r_b2", "r", json!(2)),
        ("a_b_b10", "a_b", json!(10)),
        ("localhost_b7f1", "localhost_b7f1", Value::Null),
        ("_b2", "_b2", Value::Null),
        ("r_b", "r_b", Value::Null),
        ("r_b01", "r_b01", Value::Null),
    ] {
        let run_of = json!({"runId": id, "workDir": "/data/a"});
        let hook = json!({"name": "check", "release": release(), "run": run_of});
        let (definitions, _) = import(json!({"hooks": [hook]}));
        let found = &definitions[0]["spec"]["run"];
        assert_eq!((&found["runId"], &found["batch"]), (&json!(run), &batch), "{id}");
    }
}

#[test]
fn definitions_have_names_of_their_own() {
    let hook = |name: &str| json!({"name": name, "release": release()});
    let (definitions, _) =
        import(json!({"hooks": [hook("a_b"), hook("a-b"), hook("__"), hook("osa")]}));
    let names: Vec<_> =
        definitions.iter().map(|definition| definition["metadata"]["name"].clone()).collect();
    assert_eq!(names, ["a-b", "a-b-2", "hook", "osa"]);
}

#[test]
fn a_variable_takes_precedence_and_must_exist() {
    let runner = json!({"backend": "oci", "k8s": {"namespace": "file"}});
    let environment = json!({
        "osa_runner__backend": "k8s",
        "OSA_RUNNER__K8S__IMAGE_PULL_SECRETS": "[\"a\", \"b\"]",
        "OSA_RUNNER__K8S__JOB_TTL_SECONDS": 60,
        "OSA_RUNNER__K8S__S3_BUCKET": 7,
        "OSA_DATABASE__URL": "postgresql://db",
    });
    let (definitions, rules) = import(json!({"runner": runner, "environment": environment}));
    assert!(rules.is_empty(), "{rules:?}");
    assert_eq!(definitions[0]["spec"]["namespace"], "file");
    assert_eq!(definitions[1]["spec"]["imagePullSecrets"], json!([{"name": "a"}, {"name": "b"}]));
    assert_eq!(definitions[1]["spec"]["jobTtlSeconds"], 60);
    assert_eq!(definitions[1]["spec"]["s3"]["bucket"], "7");

    let environment = json!({"OSA_RUNNER__K8S__NAMESPACE": "a", "osa_runner__k8s__namespace": "b"});
    let (definitions, _) =
        import(json!({"runner": {"backend": "k8s"}, "environment": environment}));
    assert_eq!(definitions[0]["spec"]["namespace"], "b");

    let environment = json!({"OSA_RUNNER__K8S__IMAGE_PULL_SECRETS": "a", "OSA_RUNNER__MODE": "x"});
    let (definitions, rules) = import(json!({"environment": environment}));
    assert!(definitions.is_empty());
    assert!(rules.contains(&"unknown-field") && rules.len() == 2, "{rules:?}");
}

#[test]
fn an_image_is_given_once() {
    let runtime = json!({"type": "oci", "image": "a", "digest": DIGEST});
    for hook in [
        json!({"name": "check"}),
        json!({"name": "check", "release": release(), "runtime": runtime}),
    ] {
        let (definitions, rules) = import(json!({"hooks": [hook]}));
        assert!(definitions.is_empty());
        assert_eq!(rules, ["field-missing"]);
    }
}
