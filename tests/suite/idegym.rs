//! Properties of the objects of any valid Server.

use proptest::prelude::*;
use sandboxc::{Options, Severity, Workspace, compile, emit_stream};
use serde_json::Value;

use crate::support::root;

const PROJECT: &str = "
apiVersion: sandboxc.dev/v1alpha1
kind: Project
spec:
  external:
    - {kind: Secret, name: regcred}
    - {kind: Secret, name: extra}
    - {kind: ServiceAccount, name: idegym}
    - {kind: ServiceAccount, name: runner}
    - {apiVersion: node.k8s.io/v1, kind: RuntimeClass, name: gvisor}
  idegym:
    podSnapshot: {}
    nodePool: {}
---
";

/// Optional lines of `spec`, in any order.
const FIELDS: &[&str] = &[
    "mode: prepareSnapshot\n  runtimeClassName: gvisor",
    "serverKind: openenv",
    "servicePort: 8080",
    "containerPort: 9000",
    "runAsRoot: true",
    "serviceAccountName: runner",
    "env: [{name: OWN, value: \"1\"}]",
    "nodeSelector: {a: \"1\"}",
    "tolerations: [{key: own, operator: Exists}]",
    "imagePullSecrets: [{name: extra}]",
    "initContainers: [{name: setup, image: \"busybox:1\"}]",
    "podMetadata: {labels: {team: research}, annotations: {note: x}}",
    "resources: {limits: {memory: 1Gi}}",
];

/// Lines of `podOverrides`.
const OVERRIDES: &[&str] = &[
    "containers: [{name: side, image: \"envoy:1\"}, {name: other, image: \"envoy:1\"}]",
    "initContainers: [{name: late, image: \"busybox:1\"}]",
    "tolerations: [{key: over, operator: Exists}]",
    "imagePullSecrets: [{name: regcred}]",
    "nodeSelector: {a: \"2\", b: \"3\"}",
    "affinity: {podAntiAffinity: {}}",
    "containers: null",
    "securityContext: {fsGroup: 1}",
    "hostAliases: [{ip: 127.0.0.1, hostnames: [a.local]}]",
    "terminationGracePeriodSeconds: 5",
];

fn some(lines: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::sample::subsequence(lines, 0..=lines.len()).prop_shuffle()
}

fn document(name: &str, fields: &[&str], overrides: &[&str]) -> String {
    let mut text = format!(
        "{PROJECT}apiVersion: sandboxc.dev/v1alpha1\nkind: Server\nmetadata: {{name: {name}}}\nspec:\n  \
         image: a/b:1\n  security: baseline\n"
    );
    for field in fields {
        text.extend(["  ", field, "\n"]);
    }
    let mut seen = Vec::new();
    for field in overrides {
        let key = field.split(':').next().unwrap();
        if seen.is_empty() {
            text += "  podOverrides:\n";
        }
        if !seen.contains(&key) {
            text.extend(["    ", field, "\n"]);
            seen.push(key);
        }
    }
    text
}

/// The objects, and the printed stream.
fn build(text: &str) -> (Vec<Value>, String) {
    let mut workspace = Workspace::new();
    workspace.add("server.yaml", text.to_owned());
    let compilation = compile(&workspace, &Options::default());
    let errors = compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|it| &it.details().message).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let stream = emit_stream(&compilation.objects);
    let objects = stream.split("\n---\n").map(|it| serde_yaml::from_str(it).unwrap()).collect();
    (objects, stream)
}

/// Keys of maps, at any depth.
fn keys<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                found.push(key);
                keys(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| keys(it, found)),
        _ => {}
    }
}

#[test]
fn the_example_has_no_findings_and_one_set_of_objects_per_server() {
    let mut workspace = Workspace::new();
    for name in ["sandboxc.yaml", "servers.yaml"] {
        let text = std::fs::read(root().join("examples/idegym").join(name)).unwrap();
        workspace.add(name, text);
    }
    let compilation = compile(&workspace, &Options::default());
    let messages: Vec<_> = compilation.diagnostics.iter().map(|it| &it.details().message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    let stream = emit_stream(&compilation.objects);
    for kind in ["Deployment", "Service", "PodDisruptionBudget"] {
        assert_eq!(stream.matches(&format!("\nkind: {kind}\n")).count(), 5, "{kind}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn objects_select_the_pod_and_contain_no_cluster_state(
        fields in some(FIELDS),
        overrides in some(OVERRIDES),
    ) {
        let text = document("py-7", &fields, &overrides);
        let (objects, stream) = build(&text);
        prop_assert_eq!(&build(&text).1, &stream);

        let of = |kind: &str| objects.iter().find(|it| it["kind"] == kind).unwrap();
        let deployment = of("Deployment");
        let selector = serde_json::json!({
            "app": "py-7",
            "app.kubernetes.io/component": "sandbox",
            "app.kubernetes.io/name": "py-7",
            "app.kubernetes.io/part-of": "idegym",
        });
        prop_assert_eq!(&deployment["spec"]["selector"]["matchLabels"], &selector);
        prop_assert_eq!(&of("Service")["spec"]["selector"], &selector);
        prop_assert_eq!(&of("PodDisruptionBudget")["spec"]["selector"]["matchLabels"], &selector);
        let pod = &deployment["spec"]["template"];
        for (key, value) in selector.as_object().unwrap() {
            prop_assert_eq!(&pod["metadata"]["labels"][key.as_str()], value);
        }
        prop_assert_eq!(objects.len(), 3);

        let containers = pod["spec"]["containers"].as_array().unwrap();
        let names: Vec<_> = containers.iter().map(|it| it["name"].as_str().unwrap()).collect();
        prop_assert_eq!(names[0], "server");
        prop_assert_eq!(names.iter().filter(|it| **it == "server").count(), 1);
        prop_assert_eq!(&pod["spec"]["imagePullSecrets"][0]["name"], "regcred");
        prop_assert_eq!(&pod["spec"]["tolerations"][0]["key"], "jetbrains.com/idegym");

        let mut found = Vec::new();
        for object in &objects {
            keys(object, &mut found);
        }
        for key in ["uid", "resourceVersion", "creationTimestamp", "ownerReferences", "status"] {
            prop_assert!(!found.contains(&key), "{key}");
        }
    }
}
