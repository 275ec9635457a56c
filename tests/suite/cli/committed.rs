//! `build --check`: committed output.

use super::{Folder, OBJECT};

const TEMPLATE: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\n\
    metadata: {name: python, namespace: agents}\nspec:\n  image: python:3.13\n  \
    podSecurityContext: {runAsUser: 1000}\n  env: [{name: API_TOKEN, value: abc123}]\n";

/// A project with its output in a directory.
fn folder() -> Folder {
    let folder = Folder::new(&[
        ("sandboxc.yaml", "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n"),
        ("a.yaml", OBJECT),
        ("t.yaml", TEMPLATE),
    ]);
    folder.run(&["build", "-o", "out"]).expect(0);
    folder
}

#[test]
fn current_output_is_silent() {
    let folder = folder();
    let (stdout, stderr) = folder.run(&["build", "--check", "out"]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "out: 2 current\n"));
    assert_eq!(folder.run(&["build", "--check", "out", "--quiet"]).expect(0).1, "");
}

#[test]
fn changed_missing_and_stale_files_are_a_diff() {
    let folder = folder();
    folder.write("t.yaml", &TEMPLATE.replace("3.13", "3.14").replace("abc123", "xyz789"));
    folder.write("a.yaml", &OBJECT.replace("web", "db"));
    folder.write("out/kustomization.yaml", "resources: []\n");
    let before = folder.list("out");
    let (stdout, stderr) = folder.run(&["build", "--check", "out"]).expect(1);
    assert_eq!(
        stderr,
        "out: 1 missing, 1 changed, 1 stale; write it again: `build ... -o out`\n\
         out/kustomization.yaml: not a file of `build`\n"
    );
    let added = "--- /dev/null\n+++ out/15_configmap_default_db.yaml\n@@ -0,0 +1,5 @@\n\
        +apiVersion: v1\n+kind: ConfigMap\n+metadata:\n+  name: db\n+  namespace: default\n";
    let removed = "--- out/15_configmap_default_web.yaml\n+++ /dev/null\n@@ -1,5 +0,0 @@\n\
        -apiVersion: v1\n-kind: ConfigMap\n-metadata:\n-  name: web\n-  namespace: default\n";
    assert!(stdout.starts_with(added) && stdout.ends_with(removed), "{stdout}");
    assert!(
        stdout.contains("-        image: python:3.13\n+        image: python:3.14\n"),
        "{stdout}"
    );
    // Values of secrets are compared, and not shown.
    assert!(!stdout.contains("abc123") && !stdout.contains("xyz789"), "{stdout}");
    assert!(stdout.contains("-          value: ******\n+          value: ******\n"), "{stdout}");
    assert_eq!(folder.list("out"), before);
    folder.run(&["build", "-o", "out"]).expect(0);
    folder.run(&["build", "--check", "out"]).expect(0);
}

#[test]
fn a_file_in_the_project_is_compared_and_not_read() {
    let folder = folder();
    let (yaml, _) = folder.run(&["build"]).expect(0);
    folder.write("all.yaml", &yaml);
    let (stdout, stderr) = folder.run(&["build", "--check", "all.yaml"]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "all.yaml: 1 current\n"));
    folder.run(&["fmt", "."]).expect(0);
    assert_ne!(folder.read("all.yaml"), yaml);
    folder.run(&["build", "--check", "all.yaml"]).expect(0);
    folder.write("t.yaml", &TEMPLATE.replace("python", "py"));
    let (stdout, stderr) = folder.run(&["build", "--check", "all.yaml"]).expect(1);
    assert!(stdout.starts_with("--- all.yaml\n+++ all.yaml\n"), "{stdout}");
    assert_eq!(stderr, "all.yaml: 1 changed; write it again: `build ... > all.yaml`\n");
}

#[test]
fn stale_files_are_found_without_the_list_of_files() {
    let folder = folder();
    std::fs::remove_file(folder.path().join("out/.sandboxc-files")).unwrap();
    folder.run(&["build", "--check", "out"]).expect(0);
    folder.write("out/60_pod_default_old.yaml", "apiVersion: v1\nkind: Pod\n");
    folder.write("out/values.yaml", "a: 1\n");
    let (_, stderr) = folder.run(&["build", "--check", "out"]).expect(1);
    assert!(stderr.starts_with("out: 1 stale, 2 current; "), "{stderr}");
    assert!(
        stderr.ends_with(
            "out/60_pod_default_old.yaml: stale and not in .sandboxc-files: delete it\n\
             out/values.yaml: not a file of `build`\n"
        ),
        "{stderr}"
    );
}

#[test]
fn errors_and_absent_output_are_no_difference() {
    let folder = folder();
    let (_, stderr) = folder.run(&["build", "--check", "absent"]).expect(2);
    let expected = "error: cannot read `absent`: it does not exist\n  \
        help: write and commit it first: `build ... -o absent`, or `build ... > absent` for a file\n";
    assert_eq!(stderr, expected);
    let (_, stderr) = folder.run(&["build", "--check", "out", "-o", "out"]).expect(2);
    assert!(stderr.contains("cannot be used with"), "{stderr}");
    folder.write("t.yaml", &TEMPLATE.replace("image", "imag"));
    let (stdout, stderr) = folder.run(&["build", "--check", "out"]).expect(1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("error[unknown-field]") && !stderr.contains("write it again"));
}

#[test]
fn each_environment_is_compared_with_its_directory() {
    let folder = folder();
    folder.write(
        "sandboxc.yaml",
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  \
         environments: {dev: {}, prod: {}}\n",
    );
    folder.run(&["build", "--all-environments", "-o", "envs"]).expect(0);
    let check = ["build", "--all-environments", "--check", "envs"];
    let (stdout, stderr) = folder.run(&check).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "envs: 4 current\n"));
    folder.write("envs/prod/15_configmap_default_web.yaml", "");
    let (stdout, _) = folder.run(&check).expect(1);
    assert!(stdout.starts_with("--- envs/prod/15_configmap_default_web.yaml\n"), "{stdout}");
    folder.run(&["build", "--all-environments", "-o", "envs", "--force"]).expect(0);
    folder.write(
        "sandboxc.yaml",
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  environments: {dev: {}}\n",
    );
    let (_, stderr) = folder.run(&check).expect(1);
    assert!(stderr.ends_with("envs/prod: no environment of the Project\n"), "{stderr}");
    let (_, stderr) =
        folder.run(&["build", "--environment=dev,prod", "--check", "a.yaml"]).expect(2);
    assert!(stderr.contains("several environments without an output directory"), "{stderr}");
}

#[test]
fn json_and_annotated_output_can_be_compared() {
    let folder = folder();
    for arguments in [&["--to", "json"][..], &["--annotate"]] {
        let build = |more: &[&str]| folder.run(&[&["build"], arguments, more].concat());
        build(&["-o", "forms"]).expect(0);
        assert_eq!(build(&["--check", "forms"]).expect(0).1, "forms: 2 current\n");
        folder.write("form.yaml", &build(&[]).expect(0).0);
        build(&["--check", "form.yaml"]).expect(0);
        folder.run(&["build", "--check", "form.yaml"]).expect(1);
        std::fs::remove_file(folder.path().join("form.yaml")).unwrap();
    }
}
