//! The severities that users choose.

use super::{Folder, OBJECT};

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  \
    containers: [{name: a, image: 'b:1'}]\n  volumes: [{name: v, secret: {secretName: creds}}]\n";

fn project(spec: &str) -> String {
    format!("apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {{{spec}}}\n")
}

#[test]
fn the_level_of_a_rule_can_be_chosen() {
    let folder = Folder::new(&[("a.yaml", POD)]);
    folder.run(&["check", "a.yaml"]).expect(0);
    let (_, stderr) = folder.run(&["check", "a.yaml", "--deny", "secret-not-found"]).expect(1);
    assert!(stderr.starts_with("error[secret-not-found]"), "{stderr}");
    assert!(
        stderr.contains("note: an error because the command line denies this rule"),
        "{stderr}"
    );
    let (stdout, _) = folder.run(&["build", "a.yaml", "--deny", "secret-not-found"]).expect(1);
    assert_eq!(stdout, "");
    let (_, stderr) = folder.run(&["check", "a.yaml", "--allow", "secret-not-found"]).expect(0);
    assert!(stderr.ends_with(": no findings, 1 allowed\n"), "{stderr}");
    folder.run(&["check", "a.yaml", "--deny=warnings", "--allow=secret-not-found"]).expect(0);
    let (_, stderr) = folder.run(&["check", "a.yaml", "--deny", "secret-notfound"]).expect(2);
    assert!(stderr.contains("unknown rule; did you mean `secret-not-found`?"), "{stderr}");
    folder.run(&["check", "a.yaml", "--warn", "warnings"]).expect(2);
}

#[test]
fn allowed_findings_of_several_projects_are_counted_together() {
    let project = project("namespace: team");
    let folder = Folder::new(&[
        ("a/sandboxc.yaml", &project),
        ("a/a.yaml", POD),
        ("b/sandboxc.yaml", &project),
        ("b/b.yaml", POD),
    ]);
    let (_, stderr) = folder.run(&["check", "a", "b", "--allow", "secret-not-found"]).expect(0);
    assert!(stderr.ends_with(": no findings, 2 allowed\n"), "{stderr}");
}

#[test]
fn a_note_can_become_a_warning_and_an_error_stays_one() {
    let folder = Folder::new(&[
        ("a.yaml", OBJECT),
        ("values.yaml", "a: 1\n"),
        ("b/b.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n"),
    ]);
    let (_, stderr) =
        folder.run(&["check", ".", "--exclude=b", "--warn", "file-not-a-manifest"]).expect(0);
    assert!(stderr.starts_with("warning[file-not-a-manifest]"), "{stderr}");
    for option in ["--allow", "--warn"] {
        let (_, stderr) = folder.run(&["check", "b", option, "unknown-field"]).expect(1);
        assert!(stderr.contains("error[unknown-field]"), "{stderr}");
    }
}

#[test]
fn a_project_has_levels_and_the_command_line_takes_precedence() {
    let folder =
        Folder::new(&[("sandboxc.yaml", &project("deny: [secret-not-found]")), ("a.yaml", POD)]);
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("an error because the Project denies this rule"), "{stderr}");
    folder.run(&["check", "--warn", "secret-not-found"]).expect(0);
    folder.write("sandboxc.yaml", &project("deny: [warnings]"));
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("; warnings are denied"), "{stderr}");
    folder.write("sandboxc.yaml", &project("warn: [secret-notfound]"));
    let (_, stderr) = folder.run(&["check"]).expect(0);
    assert!(
        stderr.contains("warning[exception-rule-unknown]: unknown rule `secret-notfound`"),
        "{stderr}"
    );
    assert!(stderr.contains("did you mean `secret-not-found`?"), "{stderr}");
}

#[test]
fn the_severity_that_fails_a_check_can_be_chosen() {
    let folder = Folder::new(&[("a.yaml", POD), ("n/a.yaml", OBJECT), ("n/b.yaml", "a: 1\n")]);
    for (input, level, status) in [
        ("a.yaml", "error", 0),
        ("a.yaml", "warning", 1),
        ("a.yaml", "note", 1),
        ("a.yaml", "never", 0),
        ("n", "warning", 0),
        ("n", "note", 1),
    ] {
        folder.run(&["check", input, "--fail-on", level]).expect(status);
    }
    folder.run(&["check", "a.yaml", "--deny=secret-not-found", "--fail-on=never"]).expect(0);
}
