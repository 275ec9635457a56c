//! `effective` as a command, and the target `pods` in a Project.

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
