//! The differences between the release lines. The recordings of both compare everything else.

use sandboxc::{Object, Options, emit_stream};
use serde_json::Value;

use super::{TEMPLATE, find, run, steady};

const CLAIM_UID: &str = "agents.x-k8s.io/claim-uid";
const POD_NAME: &str = "agents.x-k8s.io/pod-name";

/// The release lines of agent-sandbox.
pub(super) const LINES: [&str; 2] = ["0.5", "1.0"];

pub(super) fn of_line(line: &str, mut options: Options) -> Options {
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
fn sandboxes_have_the_name_of_their_pod_before_1_0() {
    let text = format!("{TEMPLATE}{BOTH}");
    for (line, has_name) in [("0.5", true), ("1.0", false)] {
        let objects = run(&text, &of_line(line, steady())).objects;
        for name in ["python-pool-xxxx1", "python-pool-xxxx2", "cold"] {
            let annotations = &find(&objects, "Sandbox", name)["metadata"]["annotations"];
            let expected = has_name.then(|| Value::from(name));
            assert_eq!(annotations.get(POD_NAME), expected.as_ref(), "{line} {name}");
        }
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
