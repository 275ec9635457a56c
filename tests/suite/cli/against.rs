//! `check --against`: the findings of an update alone.

use std::process::Command;

use super::{BROKEN, Folder};

const OLD: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nimmutable: true\nstringData: {a: first-secret}\n";
const NEW: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nimmutable: true\nstringData: {a: other-secret}\n";

fn folder() -> Folder {
    Folder::new(&[("old/a.yaml", OLD), ("new/a.yaml", NEW), ("broken.yaml", BROKEN)])
}

#[test]
fn the_findings_of_the_update_are_printed() {
    let folder = folder();
    let (stdout, stderr) = folder.run(&["check", "--against", "old", "new"]).expect(1);
    assert_eq!(stdout, "");
    assert!(
        stderr.contains("error[field-immutable]: `data` of Secret `web` cannot be changed"),
        "{stderr}"
    );
    assert!(stderr.contains("new/a.yaml:5"), "{stderr}");
    // Also in the excerpts.
    assert!(!stderr.contains("first-secret") && !stderr.contains("other-secret"), "{stderr}");
    folder.run(&["check", "--against", "new", "new"]).expect(0);
    folder.run(&["check", "--against", "old", "--fail-on", "never", "new"]).expect(0);
}

#[test]
fn each_format_has_them() {
    let folder = folder();
    for format in ["json", "sarif", "junit", "github"] {
        let (stdout, _) =
            folder.run(&["check", "--against", "old", "--format", format, "new"]).expect(1);
        assert!(stdout.contains("field-immutable"), "{format}: {stdout}");
        assert!(!stdout.contains("other-secret"), "{format}: {stdout}");
    }
}

#[test]
fn a_side_can_be_standard_input() {
    let folder = folder();
    folder.run_with_stdin(&["check", "--against", "-", "new"], OLD).expect(1);
    folder.run_with_stdin(&["check", "--against", "old", "-"], NEW).expect(1);
    folder.run_with_stdin(&["check", "--against", "-", "-"], NEW).expect(2);
    folder.run_with_stdin(&["check", "--against-git", "HEAD", "-"], NEW).expect(2);
}

/// Errors of a side are reported as without the option, and nothing is compared.
#[test]
fn both_sides_have_to_compile() {
    let folder = folder();
    for arguments in [["old", "broken.yaml"], ["broken.yaml", "new"]] {
        let (_, stderr) = folder.run(&["check", "--against", arguments[0], arguments[1]]).expect(1);
        assert!(stderr.contains("error") && !stderr.contains("field-immutable"), "{stderr}");
    }
    folder.run(&["check", "--against", "absent", "new"]).expect(2);
    folder.run(&["check", "--against", "old", "--fix", "new"]).expect(2);
    folder.run(&["check", "--against", "old", "--environment", "a,b", "new"]).expect(2);
}

#[test]
fn a_revision_can_be_the_older_form() {
    let folder = Folder::new(&[("a.yaml", OLD)]);
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "a"],
    ] {
        let status = Command::new("git").args(arguments).current_dir(folder.path()).status();
        assert!(status.is_ok_and(|it| it.success()));
    }
    folder.run(&["check", "--against-git", "HEAD", "a.yaml"]).expect(0);
    std::fs::write(folder.path().join("a.yaml"), NEW).unwrap();
    let (_, stderr) = folder.run(&["check", "--against-git", "HEAD", "a.yaml"]).expect(1);
    assert!(stderr.contains("field-immutable"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "--against-git", "absent", "a.yaml"]).expect(2);
    assert!(stderr.contains("not a revision"), "{stderr}");
}

/// Client-side apply drops the default of the stored object, server-side apply keeps it.
#[test]
fn the_program_that_applies_is_an_option() {
    let deployment = |strategy: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  {strategy}selector: {{matchLabels: {{app: web}}}}\n  \
             template:\n    metadata: {{labels: {{app: web}}}}\n    spec: {{containers: [{{name: c, image: 'x:1'}}]}}\n"
        )
    };
    let new = deployment("strategy: {type: Recreate}\n  ");
    let folder = Folder::new(&[("old.yaml", &deployment("")), ("new.yaml", &new)]);
    let check = ["check", "--against", "old.yaml", "new.yaml", "--apply"];
    for (program, status) in [("client", 0), ("replace", 0), ("server", 1), ("flux", 1)] {
        folder.run(&[&check[..], &[program]].concat()).expect(status);
    }
    let (stdout, _) = folder.run(&["diff", "old.yaml", "new.yaml", "--apply", "server"]).expect(0);
    assert!(stdout.contains("rejected: `spec.strategy.rollingUpdate`"), "{stdout}");
    folder.run(&["check", "--apply", "server", "new.yaml"]).expect(2);
}
