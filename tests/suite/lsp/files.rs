//! Files that change on the disk: folders, and what Projects name outside of their directories.

use std::fs;

use serde_json::{Value, json};

use super::client::{Client, uri};
use crate::cli::Folder;

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n    - name: a\n      image: b:1\n      \
    envFrom: [{secretRef: {name: db}}]\n";
const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {k: v}\n";

/// A client that watches files.
fn watching() -> Value {
    json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}}})
}

/// The rules of the findings of a document, by a request.
fn rules(client: &mut Client, uri: &str) -> Vec<String> {
    let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    let items = report["items"].as_array().unwrap();
    items.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

fn has_rule(client: &mut Client, uri: &str, rule: &str) -> bool {
    rules(client, uri).iter().any(|it| it == rule)
}

#[test]
fn a_folder_that_is_deleted_or_moved_is_noticed() {
    let folder = Folder::new(&[("p.yaml", POD), ("sub/s.yaml", SECRET)]);
    let (mut client, capabilities) = Client::start(folder.path(), &watching());
    let registered = client.asked("client/registerCapability");
    let watchers = &registered["registrations"][0]["registerOptions"]["watchers"];
    let of_folders = json!({"globPattern": "**/*", "kind": 5});
    assert!(watchers.as_array().unwrap().contains(&of_folders), "{watchers}");
    let operations = &capabilities["workspace"]["fileOperations"];
    assert_eq!(operations["didDelete"]["filters"][0]["pattern"]["glob"], "**");
    let [pod, sub, other] = ["p.yaml", "sub", "other"].map(|it| uri(folder.path(), it));
    let absent = "secret-not-found";
    client.open(&pod, 1, POD);
    assert!(!has_rule(&mut client, &pod, absent));

    let at = |name: &str| folder.path().join(name);
    fs::rename(at("sub"), folder.path().parent().unwrap().join("sandboxc-moved-away")).unwrap();
    client.notify("workspace/didDeleteFiles", json!({"files": [{"uri": sub}]}));
    assert!(has_rule(&mut client, &pod, absent));
    fs::rename(folder.path().parent().unwrap().join("sandboxc-moved-away"), at("sub")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": sub, "type": 1}]}));
    assert!(!has_rule(&mut client, &pod, absent));
    fs::rename(at("sub"), at("other")).unwrap();
    let moved = json!({"files": [{"oldUri": sub, "newUri": other}]});
    client.notify("workspace/didRenameFiles", moved);
    assert!(!has_rule(&mut client, &pod, absent));
    fs::remove_dir_all(at("other")).unwrap();
    client
        .notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": other, "type": 3}]}));
    assert!(has_rule(&mut client, &pod, absent));
}

#[test]
fn definitions_outside_of_a_project_are_watched() {
    let definition = |sizes: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.e.io}}\nspec:\n  \
             group: e.io\n  scope: Namespaced\n  names: {{kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}}\n  \
             versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        \
             type: object\n        properties:\n          size: {{type: string, enum: [{sizes}]}}\n"
        )
    };
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {crds: [../vendor]}\n";
    let widget = "apiVersion: e.io/v1\nkind: Widget\nmetadata: {name: a}\nsize: huge\n";
    let folder = Folder::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("repo/sandboxc.yaml", project),
        ("repo/z.yaml", widget),
        ("vendor/w.yaml", &definition("small, huge")),
    ]);
    let (mut client, _) = Client::start(&folder.path().join("repo"), &watching());
    client.asked("client/registerCapability");
    let [z, w] = ["repo/z.yaml", "vendor/w.yaml"].map(|it| uri(folder.path(), it));
    client.open(&z, 1, widget);
    assert_eq!(rules(&mut client, &z), Vec::<String>::new());
    let registered = client.asked("client/registerCapability");
    let watcher = &registered["registrations"][0]["registerOptions"]["watchers"][0];
    let base = uri(folder.path(), "vendor");
    let expected = json!({"baseUri": base, "pattern": "**/*.{yaml,yml,json}"});
    assert_eq!(watcher["globPattern"], expected);

    fs::write(folder.path().join("vendor/w.yaml"), definition("small")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": w, "type": 2}]}));
    assert_eq!(rules(&mut client, &z), ["enum-value-unknown"]);
    // Without the Project, it is not watched any longer.
    fs::write(folder.path().join("repo/sandboxc.yaml"), project.replace("../vendor", "a.yaml"))
        .unwrap();
    let change = json!({"uri": uri(folder.path(), "repo/sandboxc.yaml"), "type": 2});
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    let old = client.asked("client/unregisterCapability");
    assert_eq!(old["unregisterations"][0]["id"], registered["registrations"][0]["id"]);
}
