//! `--agent-sandbox 1.0` has its known differences and no others.

use std::fs;

use sandboxc::{Compilation, Object, Options, emit_stream};
use serde_json::Value;

use super::{TEMPLATE, find, run, steady};
use crate::oracles::{file_name, folders};
use crate::support::root;

const CLAIM_UID: &str = "agents.x-k8s.io/claim-uid";

fn of_line(line: &str, mut options: Options) -> Options {
    options.set("agent-sandbox", "release", line).unwrap();
    options
}

const BOTH: &str = "\
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: warm, namespace: team-a}
spec: {warmPoolRef: {name: python-pool}}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: cold, namespace: team-a}
spec: {warmPoolRef: {name: python-pool}, env: [{name: A, value: b}]}
---
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata: {name: own, namespace: team-a, labels: {agents.x-k8s.io/claim-uid: mine}}
spec: {podTemplate: {spec: {containers: [{name: main, image: busybox}]}}}
";

#[test]
fn the_uid_of_a_claim_reaches_its_pods_since_1_0() {
    let text = format!("{TEMPLATE}{BOTH}");
    let label = |objects: &[Object], name: &str| {
        find(objects, "Pod", name)["metadata"]["labels"].get(CLAIM_UID).cloned()
    };
    let compilation = run(&text, &of_line("1.0", steady()));
    assert!(!compilation.has_errors(), "{:#?}", compilation.diagnostics);
    let new = compilation.objects;
    let uid = |claim: &str| Some(Value::from(format!("placeholder-uid-of-sandboxclaim-{claim}")));
    assert_eq!(label(&new, "python-pool-xxxx1"), uid("warm"));
    assert_eq!(label(&new, "cold"), uid("cold"));
    // Idle members have no claim, and the label of a Sandbox without a claim is not copied to its
    // Pod.
    assert_eq!(label(&new, "python-pool-xxxx2"), None);
    assert_eq!(label(&new, "own"), None);
    let old = run(&text, &of_line("0.5", steady())).objects;
    for name in ["python-pool-xxxx1", "python-pool-xxxx2", "cold", "own"] {
        assert_eq!(label(&old, name), None, "{name}");
    }
}

#[test]
fn plain_objects_of_both_lines_are_equal() {
    let text = format!("{TEMPLATE}{BOTH}");
    let plain = |line| {
        let mut options = of_line(line, Options::default());
        options.set("agent-sandbox", "target", "pods").unwrap();
        emit_stream(&run(&text, &options).objects)
    };
    assert!(!plain("1.0").is_empty());
    assert_eq!(plain("1.0"), plain("0.5"));
}

/// Otherwise the objects are equal. Inputs with `v1alpha1`, which 1.0 does not serve, are skipped.
#[test]
fn both_lines_differ_in_nothing_else() {
    let mut compared = 0;
    // Every second case is enough to cover each feature.
    for case in folders(&root().join("fixtures/effective")).into_iter().step_by(2) {
        let text = fs::read_to_string(case.join("input.yaml")).unwrap();
        let created = |line: &str| run(&text, &of_line(line, steady()));
        let (old, new) = (created("0.5"), created("1.0"));
        if text.contains("/v1alpha1\nkind: Sandbox") {
            let has_removed =
                new.diagnostics.iter().any(|it| it.rule.name == "api-version-removed");
            assert!(has_removed || text.contains("sandboxc.dev"), "{}", file_name(&case));
            continue;
        }
        assert_eq!(old.has_errors(), new.has_errors(), "{}", file_name(&case));
        assert_eq!(without_uid(&old), without_uid(&new), "{}", file_name(&case));
        compared += 1;
    }
    assert!(compared > 35, "{compared}");
}

/// The objects without the label that only Pods of 1.0 have.
fn without_uid(compilation: &Compilation) -> Vec<Value> {
    let objects = compilation.objects.iter().map(|it| serde_json::to_value(it.root()).unwrap());
    let objects = objects.map(|mut object| {
        if object["kind"] == "Pod"
            && let Some(labels) = object["metadata"]["labels"].as_object_mut()
        {
            labels.remove(CLAIM_UID);
        }
        object
    });
    objects.collect()
}
