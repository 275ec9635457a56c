//! What holds for all objects of NodePools, and the quotas as nodepool itself counts them.

use std::fs;
use std::path::{Path, PathBuf};

use sandboxc::{Options, Workspace, compile, emit_stream};
use serde_json::Value;

use crate::support::{fixtures, root};

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn workspace(files: &[PathBuf]) -> Workspace {
    let mut workspace = Workspace::new();
    for file in files {
        workspace.add(file.display().to_string(), fs::read(file).unwrap());
    }
    workspace
}

/// The objects of the example, and those of each fixture that compiles.
fn objects() -> Vec<Value> {
    let example = yaml_files(&root().join("examples/nodepool"));
    let runs = fixtures("compile/nodepool").into_iter().map(|it| vec![it]).chain([example]);
    let mut objects = Vec::new();
    for files in runs {
        let text = emit_stream(&compile(&workspace(&files), &Options::default()).objects);
        let documents = text.split("\n---\n").filter(|it| !it.trim().is_empty());
        objects.extend(documents.map(|it| serde_yaml::from_str::<Value>(it).unwrap()));
    }
    assert!(objects.len() > 30, "{}", objects.len());
    objects
}

fn of_kind<'o>(objects: &'o [Value], kind: &str) -> Vec<&'o Value> {
    let found: Vec<_> = objects.iter().filter(|it| it["kind"] == kind).collect();
    assert!(!found.is_empty(), "no {kind}");
    found
}

#[test]
fn the_example_has_no_findings() {
    let files = yaml_files(&root().join("examples/nodepool"));
    let compilation = compile(&workspace(&files), &Options::default());
    let messages: Vec<_> = compilation.diagnostics.iter().map(|it| &it.message).collect();
    assert!(messages.is_empty(), "{messages:?}");
}

#[test]
fn each_pod_has_a_restart_policy() {
    let objects = objects();
    for pod in of_kind(&objects, "Pod") {
        assert!(
            pod["spec"]["restartPolicy"].is_string() && pod["restartPolicy"].is_null(),
            "{pod}"
        );
    }
}

/// The cluster fills in the token; until then there is none, and no output may have one.
#[test]
fn no_secret_has_data() {
    let objects = objects();
    for secret in of_kind(&objects, "Secret") {
        assert!(secret["data"].is_null() && secret["stringData"].is_null(), "{secret}");
        assert_eq!(secret["type"], "kubernetes.io/service-account-token");
    }
}

#[test]
fn no_binding_names_users_outside_of_its_subjects() {
    let objects = objects();
    for binding in of_kind(&objects, "RoleBinding") {
        assert!(binding["userNames"].is_null(), "{binding}");
        assert_eq!(binding["subjects"][0]["namespace"], binding["metadata"]["namespace"]);
    }
}

/// The token controller deletes the Secret of an account that does not exist.
#[test]
fn an_account_comes_before_its_token() {
    let files = yaml_files(&root().join("examples/nodepool"));
    let objects = compile(&workspace(&files), &Options::default()).objects;
    let position = |kind: &str| objects.iter().position(|it| it.gvk().kind() == kind).unwrap();
    assert!(position("ServiceAccount") < position("Secret"));
    let last = objects.iter().rposition(|it| it.gvk().kind() == "ServiceAccount").unwrap();
    assert!(last < position("Secret"));
}
