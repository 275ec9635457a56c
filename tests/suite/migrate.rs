//! `migrate` compared with the conversion of the API server.

use std::fs;

use sandboxc::{Migrated, Options, Severity, Workspace, compile, migrate};
use serde_json::Value;

use crate::support::{difference, root};

fn migrated(text: &str) -> (Workspace, Migrated) {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let migrated = migrate(&workspace, &Options::default());
    (workspace, migrated)
}

fn text_of(migrated: &Migrated) -> String {
    let ids = migrated.edited.workspace.ids();
    ids.map(|it| migrated.edited.workspace.file(it).text().to_owned()).collect()
}

/// What the API server has stored, without what a client never writes.
fn stored(mut object: Value) -> String {
    fn clean(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|key, it| !(key == "creationTimestamp" && it.is_null()));
                map.values_mut().for_each(clean);
            }
            Value::Array(items) => items.iter_mut().for_each(clean),
            _ => {}
        }
    }
    clean(&mut object);
    object.as_object_mut().unwrap().remove("status");
    object.to_string()
}

/// Differences that are intended: the file and position, and the path.
const INTENDED: &[(&str, &str)] = &[
    // Defaults of the new version, which a comparison does not add.
    ("admission.yaml#2", "spec.service.port"),
    ("ingress.yaml#3", "spec.parameters.scope"),
    ("policy.yaml#4", "spec.limited.nominalConcurrencyShares"),
    ("policy.yaml#5", "spec.limited.nominalConcurrencyShares"),
    ("same.yaml#4", "spec.volumeLifecycleModes"),
    // The server's conversion loses the name of the container.
    ("autoscaling.yaml#0", "spec.metrics[6].containerResource.container"),
    // The server keeps the request for a rollback, which no controller reads, in an annotation.
    ("workloads.yaml#1", "deprecated.deployment.rollback.to"),
];

#[test]
fn built_in_kinds_are_converted_as_the_api_server_does() {
    let folder = root().join("fixtures/migrate/builtin");
    let recorded = fs::read_to_string(folder.join("recorded.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let id = line["id"].as_str().unwrap();
        let (file, at) = id.split_once('#').unwrap();
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let old = text.split("\n---\n").nth(at.parse().unwrap()).unwrap();
        let (_, migrated) = migrated(old);
        let new = text_of(&migrated);
        let found = difference(&stored(line["object"].clone()), &new);
        let is_intended = INTENDED.iter().any(|(of, part)| *of == id && found.contains(part));
        if !found.is_empty() && !is_intended || migrated.objects != 1 {
            let findings: Vec<_> = migrated
                .edited
                .diagnostics
                .iter()
                .map(|it| it.details().message.as_prose().to_string())
                .collect();
            wrong.push(format!("{id}: {findings:?}\n{found}\n{new}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_migrated_file_is_accepted_and_does_not_change_again() {
    for file in fs::read_dir(root().join("fixtures/migrate/builtin")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|it| it != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let (_, first) = migrated(&text);
            let new = text_of(&first);
            assert_eq!(new.contains("\r\n"), text.contains("\r\n"));
            assert_eq!(
                new.matches('\n').count(),
                new.matches(if text.contains('\r') { "\r\n" } else { "\n" }).count()
            );
            let (_, second) = migrated(&new);
            assert!(
                second.edited.files.is_empty() && second.edited.diagnostics.is_empty(),
                "{}",
                path.display()
            );
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", new);
            let found = compile(&workspace, &Options::default()).diagnostics;
            let errors = found.iter().filter(|it| it.severity == Severity::Error);
            let errors: Vec<_> =
                errors.map(|it| it.details().message.as_prose().to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        }
    }
}

/// The text and messages of a migration.
fn result(text: &str) -> (String, Vec<String>) {
    let (_, migrated) = migrated(text);
    let new = if migrated.edited.files.is_empty() { text.to_owned() } else { text_of(&migrated) };
    let findings = migrated.edited.diagnostics.iter();
    (new, findings.map(|it| it.details().message.as_prose().to_string()).collect())
}

#[test]
fn alpha_versions_are_converted_or_reported() {
    let converted = [
        ("batch/v2alpha1", "CronJob", "batch/v1"),
        ("scheduling.k8s.io/v1alpha1", "PriorityClass", "scheduling.k8s.io/v1"),
        ("storage.k8s.io/v1alpha1", "VolumeAttachment", "storage.k8s.io/v1"),
        ("flowcontrol.apiserver.k8s.io/v1alpha1", "FlowSchema", "flowcontrol.apiserver.k8s.io/v1"),
    ];
    for (old, kind, new) in converted {
        let text =
            |version| format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\n");
        assert_eq!(result(&text(old)), (text(new), Vec::new()));
    }
    let gone = [
        ("extensions/v1beta1", "Job"),
        ("extensions/v1beta1", "ThirdPartyResource"),
        ("settings.k8s.io/v1alpha1", "PodPreset"),
        ("apps/v1alpha1", "PetSet"),
    ];
    for (old, kind) in gone {
        let text = format!("apiVersion: {old}\nkind: {kind}\nmetadata: {{name: a}}\n");
        let (new, findings) = result(&text);
        assert!(new == text && findings.len() == 1, "{text}{findings:?}");
    }
}

#[test]
fn alpha_bindings_and_runtime_classes_become_those_of_v1() {
    let old = "apiVersion: rbac.authorization.k8s.io/v1alpha1\nkind: RoleBinding\nmetadata: {name: a}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}\nsubjects:\n- kind: User\n  apiVersion: rbac/v1alpha1\n  name: '*'\n- kind: ServiceAccount\n  apiVersion: v1\n  name: b\n  namespace: c\n";
    let (new, findings) = result(old);
    assert_eq!(findings, Vec::<String>::new());
    let subjects = new.split_once("subjects:\n").unwrap().1;
    let subjects: Value = serde_yaml::from_str(subjects).unwrap();
    let expected = serde_json::json!([
        {"kind": "Group", "name": "system:authenticated", "apiGroup": "rbac.authorization.k8s.io"},
        {"kind": "ServiceAccount", "name": "b", "namespace": "c"},
    ]);
    assert_eq!(subjects, expected);
    let old = "apiVersion: node.k8s.io/v1alpha1\nkind: RuntimeClass\nmetadata: {name: a}\nspec:\n  runtimeHandler: kata\n  overhead: {podFixed: {cpu: 1}}\n";
    let new: Value = serde_yaml::from_str(&result(old).0).unwrap();
    let expected = serde_json::json!({
        "apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "a"},
        "handler": "kata", "overhead": {"podFixed": {"cpu": 1}},
    });
    assert_eq!(new, expected);
}

#[test]
fn references_follow() {
    let old = "apiVersion: autoscaling/v2beta1\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: h\n  ownerReferences: [{apiVersion: apps/v1beta2, kind: Deployment, name: d, uid: u}]\nspec:\n  scaleTargetRef: {apiVersion: apps/v1beta1, kind: Deployment, name: d}\n  maxReplicas: 3\n  metrics:\n  - type: Object\n    object: {target: {apiVersion: extensions/v1beta1, kind: Ingress, name: i}, metricName: hits, targetValue: 2k}\n";
    let (new, findings) = result(old);
    assert_eq!(findings, Vec::<String>::new());
    let new: Value = serde_yaml::from_str(&new).unwrap();
    let object = &new["spec"]["metrics"][0]["object"];
    assert_eq!(object["describedObject"]["apiVersion"], "networking.k8s.io/v1", "{new}");
    assert_eq!(new["spec"]["scaleTargetRef"]["apiVersion"], "apps/v1");
    assert_eq!(new["metadata"]["ownerReferences"][0]["apiVersion"], "apps/v1");
}

#[test]
fn an_old_object_inside_of_another_is_reported() {
    let old = "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: box}\nspec:\n  resources:\n  - id: a\n    template:\n      apiVersion: agents.x-k8s.io/v1alpha1\n      kind: Sandbox\n      metadata: {name: \"${schema.metadata.name}\"}\n      spec: {podTemplate: {spec: {containers: [{name: c, image: a}]}}}\n";
    let (new, findings) = result(old);
    assert!(new == old && findings.len() == 1, "{findings:?}");
    assert!(findings[0].contains("inside `ResourceGraphDefinition"), "{findings:?}");
    let (_, findings) = result(&old.replace("x-k8s.io/v1alpha1", "x-k8s.io/v1beta1"));
    assert_eq!(findings, Vec::<String>::new());
}
