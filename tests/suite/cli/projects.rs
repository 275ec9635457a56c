//! The Project of a run, in each way in which the input can be named.

use super::{Folder, OBJECT};

const DEFINITION: &str = "apiVersion: sandboxc.dev/v1alpha1\n";
const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  \
    containers: [{name: a, image: b}]\n  volumes: [{name: v, secret: {secretName: creds}}]\n";
const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\n";

fn project(spec: &str) -> String {
    format!("{DEFINITION}kind: Project\nspec: {{{spec}}}\n")
}

/// The last line about the run.
fn summary(stderr: &str) -> &str {
    stderr.lines().find(|it| it.starts_with("checked ")).unwrap_or(stderr)
}

#[test]
fn the_nearest_project_applies_to_each_way_of_input() {
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("kubernetes: '1.33'")),
        ("apps/web/a.yaml", OBJECT),
        ("apps/db.yaml", &OBJECT.replace("web", "db")),
    ]);
    let one = "checked 1 object in 1 file for Kubernetes 1.33 (project sandboxc.yaml): no findings";
    for input in ["apps/web/a.yaml", "apps/web", "apps/web/*.yaml", "./apps/../apps/web"] {
        let (_, stderr) = folder.run(&["check", input]).expect(0);
        assert_eq!(stderr, format!("{one}\n"), "{input}");
    }
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], OBJECT).expect(0);
    assert_eq!(summary(&stderr), one);
    let (_, stderr) = folder.run(&["check"]).expect(0);
    assert_eq!(
        summary(&stderr),
        "checked 3 objects in 3 files for Kubernetes 1.33 (project sandboxc.yaml): no findings"
    );
}

#[test]
fn a_command_without_inputs_reads_the_project_around_the_working_directory() {
    let folder = Folder::new(&[
        ("defs/sandboxc.yaml", &project("")),
        ("defs/a.yaml", OBJECT),
        ("defs/teams/b/c.txt", ""),
        ("other/a.yaml", OBJECT),
    ]);
    for (directory, shown) in [("defs", "sandboxc.yaml"), ("defs/teams/b", "../../sandboxc.yaml")] {
        let run = |verb: &str| {
            let mut command = folder.command(&[verb]);
            super::Run::from(command.current_dir(folder.path().join(directory)).output().unwrap())
        };
        let (_, stderr) = run("check").expect(0);
        assert!(
            stderr.contains(&format!("2 objects in 2 files for Kubernetes 1.37 (project {shown})")),
            "{stderr}"
        );
        let (stdout, _) = run("build").expect(0);
        assert!(stdout.contains("name: web"), "{stdout}");
    }
    let run = |verb: &str| {
        let mut command = folder.command(&[verb]);
        super::Run::from(command.current_dir(folder.path().join("other")).output().unwrap())
    };
    // Without a project, a check reads the directory.
    let (_, stderr) = run("check").expect(0);
    assert!(stderr.contains("checked 1 object in 1 file"), "{stderr}");
    let (_, stderr) = run("build").expect(2);
    assert!(
        stderr.contains("no input, and no `sandboxc.yaml` in this directory or above"),
        "{stderr}"
    );
}

#[test]
fn the_command_line_selects_a_project_or_none() {
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("kubernetes: '1.33'")),
        ("a.yaml", OBJECT),
        ("old/project.yaml", &project("kubernetes: '1.34'")),
        ("old/sandboxc.yaml", &project("kubernetes: '1.35'")),
    ]);
    let basis = |arguments: &[&str]| {
        let (_, stderr) = folder.run(&[&["check", "a.yaml"], arguments].concat()).expect(0);
        summary(&stderr).strip_prefix("checked 1 object in 1 file").unwrap().to_owned()
    };
    assert_eq!(basis(&["--no-project"]), " for Kubernetes 1.37: no findings");
    assert_eq!(
        basis(&["--project", "old/project.yaml"]),
        " for Kubernetes 1.34 (project old/project.yaml): no findings"
    );
    assert_eq!(
        basis(&["--project=old"]),
        " for Kubernetes 1.35 (project old/sandboxc.yaml): no findings"
    );
    // The ones in the input are ignored as well.
    let (_, stderr) = folder.run(&["check", ".", "--no-project"]).expect(0);
    assert!(summary(&stderr).ends_with(" for Kubernetes 1.37: no findings"), "{stderr}");
    let (_, stderr) = folder.run(&["check", ".", "--project", "old/project.yaml"]).expect(0);
    assert!(
        summary(&stderr).contains(" for Kubernetes 1.34 (project old/project.yaml)"),
        "{stderr}"
    );
    for (arguments, message) in [
        (&["check", "a.yaml", "--project", "a.yaml"][..], "`a.yaml` has no Project"),
        (&["check", "a.yaml", "--project", "none.yaml"], "cannot read `none.yaml`"),
        (&["check", "a.yaml", "--project=old", "--no-project"], "cannot be used with"),
        (&["check", "--no-project"], "`--no-project` without an input"),
    ] {
        let (_, stderr) = folder.run(arguments).expect(2);
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_nested_project_is_a_project_of_its_own() {
    let pool = format!(
        "{DEFINITION}kind: WarmPool\nmetadata: {{name: p}}\nspec: {{template: t, replicas: 1}}\n"
    );
    let template = format!(
        "{DEFINITION}kind: Template\nmetadata: {{name: t}}\nspec: {{image: \"a:1\", podSecurityContext: {{runAsUser: 1000}}}}\n"
    );
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("namespace: root, kubernetes: '1.33'")),
        ("t.yaml", &template),
        ("teams/a/sandboxc.yaml", &project("namespace: a")),
        ("teams/a/t.yaml", &template),
        ("teams/a/p.yaml", &pool),
        ("teams/b/sandboxc.yaml", &project("namespace: b")),
    ]);
    let (_, stderr) = folder.run(&["check"]).expect(0);
    let expected = "checked 6 objects in 6 files for Kubernetes 1.33, 1.37 (3 projects): ";
    assert!(stderr.contains(expected), "{stderr}");
    let (stdout, _) = folder.run(&["build", "."]).expect(0);
    assert_eq!(stdout.matches("kind: SandboxTemplate\n").count(), 2, "{stdout}");
    assert!(stdout.contains("namespace: root") && stdout.contains("namespace: a"), "{stdout}");
    // The template of another project is not found.
    folder.write("teams/b/p.yaml", &pool);
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(
        stderr.contains("error[template-not-found]") && stderr.contains("teams/b/p.yaml:4"),
        "{stderr}"
    );
    let (stdout, _) =
        folder.run(&["why", "teams/a", ".", "SandboxWarmPool/p", "spec.replicas"]).expect(1);
    assert_eq!(stdout, "");
}

#[test]
fn one_object_in_two_projects_of_a_build_is_an_error() {
    let folder = Folder::new(&[
        ("a/sandboxc.yaml", &project("")),
        ("a/a.yaml", OBJECT),
        ("b/sandboxc.yaml", &project("")),
        ("b/a.yaml", OBJECT),
    ]);
    let (stdout, stderr) = folder.run(&["build", "a", "b"]).expect(1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("ConfigMap/web is an object of two projects"), "{stderr}");
    folder.run(&["check", "a", "b"]).expect(0);
}

#[test]
fn a_reference_has_one_severity_whatever_way_it_came_in() {
    let folder = Folder::new(&[("a.yaml", POD)]);
    let first = |stderr: String| stderr.lines().next().unwrap().to_owned();
    let by_file = first(folder.run(&["check", "a.yaml"]).expect(0).1);
    let by_directory = first(folder.run(&["check", "."]).expect(0).1);
    let by_stdin = first(folder.run_with_stdin(&["check", "-"], POD).expect(0).1);
    assert!(by_file.starts_with("warning[secret-not-found]"), "{by_file}");
    assert_eq!([&by_directory, &by_stdin], [&by_file, &by_file]);
    // In a project, its other files count.
    folder.write("sandboxc.yaml", &project(""));
    folder.write("secrets/b.yaml", SECRET);
    for run in [folder.run(&["check", "a.yaml"]), folder.run_with_stdin(&["check", "-"], POD)] {
        let (_, stderr) = run.expect(0);
        assert!(stderr.ends_with("(project sandboxc.yaml): no findings\n"), "{stderr}");
    }
}

#[test]
fn standard_input_replaces_the_objects_of_the_project() {
    let quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: default}\n\
        spec: {hard: {configmaps: 1}}\n";
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("")),
        ("a.yaml", OBJECT),
        ("quota.yaml", quota),
        ("patch.yaml", "a: 1\n"),
        ("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"),
        ("chart/templates/a.yaml", "apiVersion: v1\n{{- if .Values.a }}\nkind: Pod\n"),
    ]);
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], OBJECT).expect(0);
    assert_eq!(
        stderr,
        "checked 1 object in 1 file for Kubernetes 1.37 (project sandboxc.yaml): no findings\n"
    );
}

#[test]
fn settings_of_a_project_apply_to_manifests_from_standard_input() {
    let folder = Folder::new(&[(
        "sandboxc.yaml",
        &project("podSecurity: {enforce: restricted}, external: [{kind: Secret, name: creds}]"),
    )]);
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], POD).expect(1);
    assert!(stderr.contains("error[") && !stderr.contains("secret-not-found"), "{stderr}");
    let (_, stderr) = folder.run_with_stdin(&["check", "-", "--no-project"], POD).expect(0);
    assert!(stderr.contains("warning[secret-not-found]"), "{stderr}");
}

#[test]
fn an_exception_is_only_unused_in_a_run_over_the_whole_project() {
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("allow: [{rule: secret-not-found, because: x}]")),
        ("a.yaml", OBJECT),
    ]);
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], OBJECT).expect(0);
    assert!(!stderr.contains("exception-unused"), "{stderr}");
    let (_, stderr) = folder.run(&["check"]).expect(0);
    assert!(stderr.contains("warning[exception-unused]"), "{stderr}");
}

#[test]
fn the_report_names_the_settings() {
    let folder =
        Folder::new(&[("sandboxc.yaml", &project("kubernetes: '1.33'")), ("a.yaml", OBJECT)]);
    let (stdout, _) = folder.run(&["check", "a.yaml", "--format=json"]).expect(0);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["checked"]["kubernetes"], serde_json::json!(["1.33"]));
    assert_eq!(report["checked"]["projects"], serde_json::json!(["sandboxc.yaml"]));
}

#[test]
fn suggestions_are_applied_in_each_project() {
    let broken =
        |name: &str| OBJECT.replace("kind: ConfigMap", "kind: Configmap").replace("web", name);
    let folder = Folder::new(&[
        ("a/sandboxc.yaml", &project("")),
        ("a/a.yaml", &broken("a")),
        ("b/sandboxc.yaml", &project("")),
        ("b/a.yaml", &broken("b")),
    ]);
    let (_, stderr) = folder.run(&["check", "--fix", "--unsafe", "."]).expect(0);
    assert!(stderr.contains("fixed 2 findings in 2 files"), "{stderr}");
    assert!(folder.read("b/a.yaml").contains("kind: ConfigMap"));
}

#[test]
fn a_broken_project_around_the_input_is_an_error() {
    let folder = Folder::new(&[("sandboxc.yaml", &project("kubernetes: [")), ("a.yaml", OBJECT)]);
    for (text, expected) in [
        (project("kubernetes: ["), "error[unmatched-bracket]: mismatched `}`"),
        (project("").replace("Project", "Projct"), "did you mean `Project`?"),
        (project("kubernets: '1.33'"), "error[unknown-field]: unknown field `kubernets`"),
    ] {
        folder.write("sandboxc.yaml", &text);
        let (_, stderr) = folder.run(&["check", "a.yaml"]).expect(1);
        assert!(stderr.contains(expected), "{stderr}");
        let (_, stderr) = folder.run_with_stdin(&["check", "-"], OBJECT).expect(1);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn a_mark_without_a_project_is_reported() {
    let template = format!(
        "{DEFINITION}kind: Template\nmetadata: {{name: t}}\nspec: {{image: \"a:1\", podSecurityContext: {{runAsUser: 1000}}}}\n"
    );
    let folder = Folder::new(&[("sandboxc.yaml", ""), ("a.yaml", OBJECT)]);
    for text in ["", "# to do\n", "a: 1\n", &template] {
        folder.write("sandboxc.yaml", text);
        for run in [
            folder.run(&["check"]),
            folder.run(&["check", "a.yaml"]),
            folder.run_with_stdin(&["check", "-"], OBJECT),
            folder.run(&["build", "a.yaml"]),
        ] {
            let (_, stderr) = run.expect(0);
            let first = "warning[project-missing]: `sandboxc.yaml` has no Project\n";
            assert!(stderr.starts_with(first), "{text}\n{stderr}");
            assert!(!stderr.contains("file-not-a-manifest"), "{stderr}");
        }
        let (_, stderr) = folder.run(&["check", "a.yaml", "--no-project"]).expect(0);
        assert!(stderr.ends_with(": no findings\n"), "{stderr}");
    }
}
