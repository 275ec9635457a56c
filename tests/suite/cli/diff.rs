//! `diff`: its inputs, its exit status and its formats.

use std::process::Command;

use super::{BROKEN, Folder};

const OLD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: one}\n";
const NEW: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: two}\n";
const HUMAN: &str = "\
~ ConfigMap/web  old.yaml:3 → new.yaml:3
  volumes follow within minutes, environment variables only in new Pods; no Pod restarts
  data[a]
    - one                               old.yaml:4
    + two                               new.yaml:4

1 changed
";

#[test]
fn two_files_are_compared() {
    let folder = Folder::new(&[("old.yaml", OLD), ("new.yaml", NEW)]);
    let (stdout, stderr) = folder.run(&["diff", "old.yaml", "new.yaml"]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), (HUMAN, ""));
    let (stdout, _) = folder.run(&["diff", "--summary", "old.yaml", "new.yaml"]).expect(0);
    assert_eq!(
        stdout,
        "~ ConfigMap/web  1 field             volumes follow within minutes, environment variables only in \
         new Pods; no Pod restarts\n1 changed\n"
    );
    let (stdout, _) = folder.run(&["diff", "old.yaml", "old.yaml"]).expect(0);
    assert_eq!(stdout, "");
}

#[test]
fn the_exit_status_is_that_of_git() {
    let folder = Folder::new(&[("old.yaml", OLD), ("new.yaml", NEW), ("broken.yaml", BROKEN)]);
    folder.run(&["diff", "--exit-code", "old.yaml", "old.yaml"]).expect(0);
    folder.run(&["diff", "--exit-code", "old.yaml", "new.yaml"]).expect(1);
    let (stdout, stderr) =
        folder.run(&["diff", "--exit-code", "old.yaml", "broken.yaml"]).expect(2);
    assert!(stdout.is_empty() && stderr.contains("error"), "{stderr}");
    // Without the option, a side with errors is input with errors, as for `build`.
    folder.run(&["diff", "old.yaml", "broken.yaml"]).expect(1);
    folder.run(&["diff", "old.yaml"]).expect(2);
    folder.run(&["diff", "-", "-"]).expect(2);
    folder.run(&["diff", "old.yaml", "absent.yaml"]).expect(2);
}

#[test]
fn one_side_can_be_standard_input() {
    let folder = Folder::new(&[("new.yaml", NEW)]);
    let (stdout, _) = folder.run_with_stdin(&["diff", "-", "new.yaml"], OLD).expect(0);
    assert_eq!(stdout, HUMAN.replace("old.yaml", "<stdin>"));
}

/// Definitions are built; a change shows the line of the definition, and the expression.
#[test]
fn environments_are_compared() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec:\n  \
        values: {tag: 3.13}\n  environments: {prod: {values: {tag: 3.14-slim}}, test: {}}\n";
    let sandbox = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\nspec:\n  \
        image: python:{{ values.tag }}\n";
    let folder = Folder::new(&[("sandboxc.yaml", project), ("dev.yaml", sandbox)]);
    let (stdout, _) = folder.run(&["diff", "--environment", "test,prod"]).expect(0);
    assert_eq!(
        stdout,
        "~ Sandbox/dev  dev.yaml:3\n  spec.podTemplate.spec.containers[main].image\n    - python:3.13\
         \u{20}                      dev.yaml:5: python:{{ values.tag }}\n    + python:3.14-slim                  \
         dev.yaml:5: python:{{ values.tag }}\n\n1 changed\n"
    );
}

/// Two environments exist side by side: nothing is renamed or deleted.
#[test]
fn an_environment_is_not_applied_over_another_one() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  environments: {dev: {namespace: \
                   lab-dev, values: {size: 1Gi}}, prod: {namespace: lab-prod, values: {size: 2Gi}}}\n";
    let claim = |size: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {{name: box}}\nspec: {{image: \"a:1\", \
             podSecurityContext: {{runAsUser: 1000, fsGroup: 1000}}, volumeClaims: [{{name: d, size: {size}, \
             mountPath: /d}}]}}\n"
        )
    };
    let folder = Folder::new(&[("sandboxc.yaml", project), ("t.yaml", &claim("1Gi"))]);
    let arguments = ["diff", "--exit-code", "--environment", "dev,prod", "."];
    let (stdout, _) = folder.run(&arguments).expect(1);
    assert_eq!(stdout, "namespace: lab-dev \u{2192} lab-prod\n\nno differences; 1 unchanged\n");
    folder.write("t.yaml", &claim("'{{ values.size }}'"));
    let (stdout, _) = folder.run(&arguments).expect(1);
    assert!(stdout.contains("~ Sandbox/lab-prod/box"), "{stdout}");
    assert!(stdout.contains("- \"1Gi\"") && stdout.contains("+ \"2Gi\""), "{stdout}");
    assert!(!stdout.contains("kubectl"), "{stdout}");
}

/// The errors of a definition are those of `build`.
#[test]
fn a_definition_with_errors_is_not_compared() {
    let sandbox = |field: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {{name: dev}}\nspec: {{image: 'a:1'{field}}}\n"
        )
    };
    let folder = Folder::new(&[("old.yaml", &sandbox("")), ("new.yaml", &sandbox(", imagee: b"))]);
    let (stdout, stderr) = folder.run(&["diff", "old.yaml", "new.yaml"]).expect(1);
    assert!(stdout.is_empty() && stderr.contains("error[unknown-field]"), "{stderr}");
    // Objects of other tools are compared even if an API server would reject them.
    let broken = OLD.replace("data", "dat");
    let folder = Folder::new(&[("old.yaml", &broken), ("new.yaml", NEW)]);
    folder.run(&["diff", "old.yaml", "new.yaml"]).expect(0);
}

#[test]
fn a_revision_is_compared_with_the_working_tree() {
    let folder =
        Folder::new(&[("app/web.yaml", OLD), ("app/gone.yaml", &OLD.replace("web", "gone"))]);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let run =
            Command::new("git").args(identity).args(arguments).current_dir(folder.path()).output();
        assert!(run.as_ref().is_ok_and(|it| it.status.success()), "{run:?}");
    };
    // Committed output is no part of either side.
    folder.run(&["build", "app", "-o", "app/out"]).expect(0);
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    folder.write("app/web.yaml", NEW);
    std::fs::remove_file(folder.path().join("app/gone.yaml")).unwrap();
    let (stdout, stderr) = folder.run(&["diff", "--git", "HEAD", "app"]).expect(0);
    assert_eq!(stderr, "");
    assert_eq!(
        stdout,
        "~ ConfigMap/web  app/web.yaml:3\n  volumes follow within minutes, environment variables only in new \
         Pods; no Pod restarts\n  data[a]\n    - one                               HEAD:app/web.yaml:4\n    + two\
         \u{20}                              app/web.yaml:4\n\n- ConfigMap/gone  HEAD:app/gone.yaml:3\n  stays in the \
         cluster until it is deleted\n    $ kubectl delete configmap/gone\n\n1 changed, 1 removed\n"
    );
    let (_, stderr) = folder.run(&["diff", "--git", "no-such-branch", "app"]).expect(2);
    assert!(
        stderr.starts_with("error: `no-such-branch` is not a revision of this repository"),
        "{stderr}"
    );
    let (_, stderr) = folder.run(&["diff", "--git", "--upload-pack=x", "app"]).expect(2);
    assert!(stderr.starts_with("error: "), "{stderr}");
}

#[test]
fn formats_are_for_programs_and_pull_requests() {
    let folder = Folder::new(&[("old.yaml", OLD), ("new.yaml", NEW)]);
    let run = |format: &str| {
        folder.run(&["diff", "--format", format, "old.yaml", "new.yaml"]).expect(0).0
    };
    assert_eq!(
        run("markdown"),
        "### 1 changed\n\n| | Object | Difference | What happens |\n|---|---|---|---|\n| `~` | `ConfigMap/web` | 1 field \
         | volumes follow within minutes, environment variables only in new Pods; no Pod restarts |\n\n\
         <details><summary>~ <code>ConfigMap/web</code>: 1 field</summary>\n\n`new.yaml:3`\n\nvolumes follow within \
         minutes, environment variables only in new Pods; no Pod restarts\n\n```diff\n@@ data[a] @@\n-one\n+two\n\
         ```\n\n</details>\n"
    );
    assert_eq!(
        run("github"),
        "::notice file=new.yaml,line=4,title=changed ConfigMap/web::volumes follow within minutes, environment \
         variables only in new Pods; no Pod restarts%0Adata[a]\n"
    );
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    let object = &json["objects"][0];
    assert_eq!(
        (&object["change"], &object["outcome"]["effect"]),
        (&"changed".into(), &"later".into())
    );
    let field = &object["fields"][0];
    assert_eq!((&field["path"], &field["difference"]), (&"data[a]".into(), &"value".into()));
    assert_eq!((&field["old"][0]["value"], &field["new"][0]["line"]), (&"one".into(), &4.into()));
    assert_eq!(json["summary"]["changed"], 1);
}

#[test]
fn standard_input_without_objects_is_an_error() {
    let folder = Folder::new(&[("a.yaml", OLD)]);
    for arguments in [["diff", "a.yaml", "-"], ["diff", "-", "a.yaml"]] {
        let (stdout, stderr) = folder.run_with_stdin(&arguments, "").expect(2);
        assert_eq!(stdout, "");
        assert!(stderr.contains("standard input has no objects"), "{stderr}");
        assert!(stderr.contains("`set -o pipefail`"), "{stderr}");
    }
}
