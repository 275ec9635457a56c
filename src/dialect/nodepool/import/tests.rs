//! Tests of the import of a `nodepool.yaml`.

use super::*;
use crate::diag::Sink;
use crate::source::Workspace;
use crate::yaml;

/// The definitions as JSON, and the findings, one per line.
fn import(text: &str) -> (Vec<serde_json::Value>, Vec<String>) {
    let mut workspace = Workspace::new();
    let file = workspace.add("nodepool.yaml", text);
    let mut sink = Sink::new();
    let documents = yaml::documents(file, workspace.file(file).text(), &mut sink).read;
    let root = documents.into_iter().next().expect("a document").root;
    assert!(recognizes(&root), "{text}");
    let definitions =
        definitions(root, &mut ImportCx { is_lossy: false, left_out: Vec::new(), sink: &mut sink });
    let findings = sink.into_sorted().into_iter();
    let findings = findings
        .map(|finding| format!("{}: {}", finding.rule.name, finding.details().message.as_prose()))
        .collect();
    (definitions.iter().map(Node::to_json).collect(), findings)
}

fn provider(label: &str) -> String {
    format!(
        "labels: [{{name: a}}]\nproviders:\n- name: lab\n  driver: kubernetes\n  pools:\n  - name: ci\n    labels:\n    - {{name: a, type: pod, image: x, {label}}}\n"
    )
}

#[test]
fn options_become_fields_with_the_units_of_the_driver() {
    let (definitions, findings) = import(&provider(
        "cpu: 2, memory: 1024, storage: 10, memory-limit: 2048, gpu: 1.0, gpu-resource: nvidia.com/gpu, \
         image-pull: Always, extra-resources: {license: 1, ephemeral-storage: 5}",
    ));
    assert!(findings.is_empty(), "{findings:?}");
    let [project, pool] = definitions.as_slice() else { panic!("{definitions:?}") };
    assert_eq!(project["spec"]["nodepool"]["labels"][0]["name"], "a");
    let label = &pool["spec"]["pools"][0]["labels"][0];
    assert_eq!(
        label["resources"],
        serde_json::json!({
            "requests": {"cpu": 2, "memory": "1024Mi", "ephemeral-storage": "10M", "nvidia.com/gpu": 1},
            "limits": {"memory": "2048Mi"},
        })
    );
    assert_eq!(
        label["extraResources"],
        serde_json::json!({"license": 1, "ephemeral-storage": "5M"})
    );
    assert_eq!(label["imagePullPolicy"], "Always");
    assert_eq!(label["security"], "baseline");
}

#[test]
fn the_strictest_level_that_changes_nothing_is_chosen() {
    let level = |label: &str| {
        let (definitions, _) = import(&provider(label));
        definitions[1]["spec"]["pools"][0]["labels"][0]["security"].clone()
    };
    assert_eq!(level("privileged: false"), "baseline");
    assert_eq!(level("privileged: true"), "privileged");
    assert_eq!(level("volumes: [{name: v, hostPath: {path: /srv}}]"), "privileged");
    assert_eq!(level("volumes: [{name: v, emptyDir: {}}]"), "baseline");
}

#[test]
fn settings_that_the_launcher_does_not_support_are_errors() {
    for (label, message) in [
        ("gpu: 0.5, gpu-resource: nvidia.com/gpu", "`gpu` 0.5 is not a whole number of at least 1"),
        ("gpu: 1.0", "`gpu` without `gpu-resource`"),
        ("gpu-resource: nvidia.com/gpu", "`gpu-resource` without `gpu`"),
        ("gpu: 1.0, gpu-resource: cores", "`gpu-resource` is not the name of a device"),
        (
            "gpu: 1.0, gpu-resource: kubernetes.io/gpu",
            "`gpu-resource` is in a domain of Kubernetes",
        ),
        ("cpu: -1", "`cpu` is negative"),
        ("dynamic-labels: ~", "`dynamic-labels` has no value"),
        (
            "scheduler-name: '%(NODEPOOL_X)'",
            "environment variable in `%(NODEPOOL_X)` is not resolved",
        ),
    ] {
        let (definitions, findings) = import(&provider(label));
        assert!(definitions.is_empty(), "{label}");
        assert_eq!(findings, [format!("nodepool-file-invalid: {message}")], "{label}");
    }
    let date = provider("cpu: 1")
        .replace("    labels:\n", "    node-attributes: {since: 2026-01-31}\n    labels:\n");
    assert_eq!(import(&date).1, ["nodepool-file-invalid: node attribute `since` is a date"]);
    let quoted = date.replace("2026-01-31", "'2026-01-31'");
    assert!(import(&quoted).1.is_empty());
    let tenant = "tenant-resource-limits: [{max-cores: 4, x: many}]\nproviders: []\n";
    assert_eq!(
        import(tenant).1,
        [
            "nodepool-file-invalid: a limit of a tenant has no `tenant-name`",
            "nodepool-file-invalid: `x` of a tenant is a string",
        ]
    );
    let no_driver = provider("cpu: 1").replace("  driver: kubernetes\n", "");
    assert_eq!(
        import(&no_driver).1,
        ["nodepool-file-invalid: a provider of Pods names no `driver`"]
    );
}

#[test]
fn what_is_left_out_is_noted() {
    let (definitions, findings) = import(
        "zookeeper-servers: [{host: a}]\nwebapp: {port: 8005}\nproviders:\n- {name: racks, driver: static, pools: []}\n",
    );
    assert!(definitions.is_empty());
    assert_eq!(
        findings,
        [
            "nodepool-part-not-imported: `zookeeper-servers`, `webapp` not imported",
            "nodepool-part-not-imported: provider `racks` of driver `static` not imported",
        ]
    );
}

#[test]
fn what_a_pod_refers_to_is_declared() {
    let text = provider("cpu: 1").replace(
        "image: x, cpu: 1",
        "spec: {imagePullSecrets: [{name: mirror}], runtimeClassName: gvisor, containers: [{name: c, image: x, \
         envFrom: [{configMapRef: {name: settings}}]}], volumes: [{name: v, secret: {secretName: key}}]}",
    );
    let (definitions, findings) = import(&text);
    assert!(findings.is_empty(), "{findings:?}");
    let external = definitions[0]["spec"]["external"].as_array().expect("a list");
    let shown = |value: &serde_json::Value| {
        let text = |key: &str| value[key].as_str().unwrap_or("").to_owned();
        format!("{} {} {}", text("kind"), text("namespace"), text("name"))
    };
    assert_eq!(
        external.iter().map(shown).collect::<Vec<_>>(),
        [
            "ConfigMap ci-0000000000 settings",
            "Secret ci-0000000000 key",
            "Secret ci-0000000000 mirror",
            "RuntimeClass  gvisor",
        ]
    );
}

#[test]
fn ids_continue_from_one_provider_to_the_next() {
    let one = provider("cpu: 1");
    let (_, second) = one.split_once("providers:\n").expect("providers");
    let (definitions, findings) =
        import(&format!("{one}{}", second.replace("name: lab", "name: Lab")));
    assert!(findings.is_empty(), "{findings:?}");
    let [_, first, second] = definitions.as_slice() else { panic!("{definitions:?}") };
    assert_eq!(first["metadata"]["name"], "lab");
    assert_eq!(second["metadata"]["name"], "lab-2");
    assert_eq!(second["spec"]["provider"], "Lab");
    assert!(first["spec"]["nodes"].is_null());
    let node = serde_json::json!([{"pool": "ci", "label": "a", "id": 1}]);
    assert_eq!(second["spec"]["nodes"], node);
}

#[test]
fn a_pool_name_that_is_too_long_is_not_repeated_for_each_node() {
    for (length, is_imported) in [(253, true), (254, false)] {
        let name = "a".repeat(length);
        let text = provider("cpu: 1").replace("name: ci", &format!("name: {name}"));
        let (definitions, findings) = import(&text);
        assert_eq!((definitions.is_empty(), findings.is_empty()), (!is_imported, is_imported));
    }
}
