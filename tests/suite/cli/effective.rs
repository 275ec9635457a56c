//! `effective` as a command, and the target `pods` in a Project.

use serde_json::{Value, json};

use super::Folder;

const SANDBOX: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\n\
    spec: {image: 'python:3.13', service: true}\n";

#[test]
fn the_created_objects_are_printed_or_written() {
    let folder = Folder::new(&[("a.yaml", SANDBOX)]);
    let (stdout, _) = folder.run(&["effective", "a.yaml"]).expect(0);
    let kinds: Vec<_> = stdout.lines().filter_map(|it| it.strip_prefix("kind: ")).collect();
    assert_eq!(kinds, ["Service", "Pod"]);
    assert!(stdout.contains("uid: placeholder-uid-of-sandbox-dev\n"), "{stdout}");
    folder.run(&["effective", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(folder.list("out"), [".sandboxc-files", "40_service_dev.yaml", "60_pod_dev.yaml"]);
}

#[test]
fn a_project_can_select_plain_objects() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n\
        spec: {agentSandbox: {target: pods}}\n";
    let folder = Folder::new(&[("sandboxc.yaml", project), ("a.yaml", SANDBOX)]);
    let (of_project, _) = folder.run(&["build"]).expect(0);
    let arguments = ["build", "a.yaml", "--target", "agent-sandbox=pods"];
    let (of_option, _) = folder.run(&arguments).expect(0);
    assert_eq!(of_project, of_option);
    assert!(!of_project.contains("ownerReferences") && of_project.contains("\nkind: Pod\n"));
    let (resources, _) = folder.run(&["build", "--target", "agent-sandbox=resources"]).expect(0);
    assert!(resources.contains("\nkind: Sandbox\n"), "{resources}");
}

const CLAIMS: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: t}\n\
    spec: {image: 'python:3.13', claims: {env: Allowed}}\n---\n\
    apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: p}\n\
    spec: {template: t, replicas: 1}\n---\n\
    apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: empty}\n\
    spec: {template: t, replicas: 0}\n---\n\
    apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {name: warm}\nspec: {warmPool: p}\n---\n\
    apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {name: late}\nspec: {warmPool: empty}\n---\n\
    apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {name: own}\n\
    spec: {warmPool: p, env: [{name: A, value: b}]}\n";

#[test]
fn comments_explain_warm_and_cold_starts() {
    let folder = Folder::new(&[("a.yaml", CLAIMS)]);
    let (stdout, _) = folder.run(&["effective", "a.yaml"]).expect(0);
    let mut documents = stdout.split("---\n");
    let mut above = |name: &str| {
        let line = format!("  name: {name}\n");
        let is_it = |it: &&str| it.contains("\nkind: Sandbox\n") && it.contains(&line);
        documents.find(is_it).unwrap().lines().next().unwrap().to_owned()
    };
    assert_eq!(
        above("late"),
        "# SandboxClaim `late` starts cold: SandboxWarmPool `empty` has `replicas: 0`"
    );
    assert_eq!(
        above("own"),
        "# SandboxClaim `own` starts cold: it sets `env`, and the Pods of pool members already run"
    );
    assert_eq!(
        above("p-xxxx1"),
        "# SandboxClaim `warm` has adopted a member of SandboxWarmPool `p`"
    );
    assert_eq!(above("p-xxxx2"), "# idle member of SandboxWarmPool `p`");
    assert_eq!(stdout.matches("# ").count(), 4, "{stdout}");
    folder.run(&["effective", "a.yaml", "-o", "out"]).expect(0);
    let files = folder.list("out").into_iter().filter(|it| it.contains("_sandbox"));
    for file in files {
        assert!(folder.read(&format!("out/{file}")).starts_with("# "), "{file}");
    }
}

#[test]
fn json_has_the_reason_of_a_cold_start() {
    let folder = Folder::new(&[("a.yaml", CLAIMS)]);
    let (stdout, _) = folder.run(&["effective", "a.yaml", "--to", "json"]).expect(0);
    let listing: Value = serde_json::from_str(&stdout).unwrap();
    let find = |name: &str| {
        let mut all = listing["objects"].as_array().unwrap().iter();
        let is_it = |it: &&Value| {
            it["object"]["kind"] == "Sandbox" && it["object"]["metadata"]["name"] == name
        };
        all.find(is_it).unwrap()["remark"].clone()
    };
    let reason = "SandboxClaim `late` starts cold: SandboxWarmPool `empty` has `replicas: 0`";
    assert_eq!(
        find("late"),
        json!({"mode": "cold", "sourceKind": "SandboxClaim", "sourceName": "late", "reason": reason})
    );
    assert_eq!(find("p-xxxx1")["mode"], "warm");
    assert_eq!(find("p-xxxx2")["mode"], "idle");
    let message = folder.run(&["effective", "a.yaml", "--to", "json", "-o", "out"]).expect(2).1;
    assert!(message.contains("cannot be combined with"), "{message}");
}
