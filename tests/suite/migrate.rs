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
                .map(|it| it.details().message.to_string())
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
            let errors: Vec<_> = errors.map(|it| it.details().message.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        }
    }
}
