//! `check --fix`, `--unsafe` and `--diff`.

use super::Folder;

const JOB: &str = "apiVersion: batch/v1\r\nkind: Job # a comment\r\nmetadata: {name: a, namespace: default}\r\nspec:\r\n  \
    backoffLimit: \"3\"\r\n  template:\r\n    spec:\r\n      restartpolicy: Never\r\n      \
    containers: [{name: a, imag: \"a:1\"}]\r\n";

fn repaired() -> String {
    JOB.replace("\"3\"", "3").replace("restartpolicy", "restartPolicy")
}

#[test]
fn safe_suggestions_are_written_and_a_second_run_writes_nothing() {
    let folder = Folder::new(&[("job.yaml", JOB), ("other.yaml", super::OBJECT)]);
    let (stdout, stderr) = folder.run(&["check", "--fix", "."]).expect(1);
    assert_eq!(stdout, "");
    assert!(stderr.starts_with("fixed 2 findings in 1 file\n"), "{stderr}");
    assert!(stderr.contains("unknown field `imag`"), "{stderr}");
    assert_eq!(folder.read("job.yaml"), repaired());
    assert_eq!(folder.read("other.yaml"), super::OBJECT);
    let (_, stderr) = folder.run(&["check", "--fix", "."]).expect(1);
    assert!(!stderr.contains("fixed"), "{stderr}");
    assert_eq!(folder.list("."), ["job.yaml", "other.yaml"]);
    folder.run(&["check", "--fix", "--unsafe", "."]).expect(0);
    assert_eq!(folder.read("job.yaml"), repaired().replace("imag:", "image:"));
}

#[test]
fn a_field_at_the_wrong_level_moves_with_its_lines() {
    let job = |template: &str| {
        let start = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: default}\n";
        format!("{start}spec:\n  template:\n{template}  backoffLimit: 1\n").replace('\n', "\r\n")
    };
    let cases = [
        (
            "    spec:\n      containers:\n        - name: a\n          resources:\n            \
             limits: {memory: 1Gi}\n            env: # two\n              - name: a\n                \
             value: b\n            requests: {memory: 1Gi}\n          image: a:1\n      \
             restartPolicy: Never\n",
            "    spec:\n      containers:\n        - name: a\n          resources:\n            \
             limits: {memory: 1Gi}\n            requests: {memory: 1Gi}\n          env: # two\n            \
             - name: a\n              value: b\n          image: a:1\n      restartPolicy: Never\n",
        ),
        (
            "      # one\n      containers:\n        - {name: a, image: \"a:1\"}\n      restartPolicy: Never\n",
            "      # one\n    spec:\n      containers:\n        - {name: a, image: \"a:1\"}\n      \
             restartPolicy: Never\n",
        ),
        (
            "    containers:\n    - {name: a, image: \"a:1\"} # one\n    restartPolicy: Never\n",
            "    spec:\n      containers:\n      - {name: a, image: \"a:1\"} # one\n      \
             restartPolicy: Never\n",
        ),
    ];
    for (before, after) in cases {
        let folder = Folder::new(&[("job.yaml", &job(before))]);
        folder.run(&["check", "--fix", "job.yaml"]).expect(1);
        assert_eq!(folder.read("job.yaml"), job(before), "the edit is not certain");
        folder.run(&["check", "--fix", "--unsafe", "job.yaml"]).expect(0);
        assert_eq!(folder.read("job.yaml"), job(after));
        let (_, stderr) = folder.run(&["check", "--fix", "--unsafe", "job.yaml"]).expect(0);
        assert!(!stderr.contains("fixed"), "{stderr}");
    }
}

#[test]
fn names_inside_strings_are_corrected() {
    let pools = "apiVersion: sandboxc.dev/v1alpha1\nkind: NodePool\nmetadata: {name: lab}\nspec:\n  pools:\n  \
        - name: ci\n    maxResources: {licence: 4} # two\n    labels:\n    - name: py\n      type: pod\n      \
        security: baseline\n      image: py:3.11\n      extraResources: {license: 1}\n      dynamicLabels:\n        \
        tenant: \"{request.tenantname}\"\n        other: x-{request.tenantname}\n---\n\
        apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  nodepool:\n    \
        request: {id: 100-0000000007, tenantName: lab}\n";
    let spawner = "apiVersion: kelos.dev/v1alpha2\nkind: TaskSpawner\nmetadata: {name: weekly, namespace: default}\n\
        spec:\n  when: {cron: {schedule: \"0 9 * * 1\"}}\n  taskTemplate:\n    type: claude-code\n    \
        credentials: {type: none}\n    branch: 'deps/{{.Schedul}}'\n    \
        promptTemplate: Update it for {{.Schedul}}.\n";
    let folder = Folder::new(&[("pools.yaml", pools), ("spawner.yaml", spawner)]);
    folder.run(&["check", "--fix", "--unsafe", "."]).expect(0);
    let fixed = pools.replace("licence", "license").replace("tenantname", "tenant_name");
    assert_eq!(folder.read("pools.yaml"), fixed);
    assert_eq!(folder.read("spawner.yaml"), spawner.replace("Schedul}", "Schedule}"));
    let (_, stderr) = folder.run(&["check", "--fix", "--unsafe", "."]).expect(0);
    assert!(!stderr.contains("fixed"), "{stderr}");
}

#[test]
fn a_diff_changes_no_file() {
    let folder = Folder::new(&[("job.yaml", JOB)]);
    let (stdout, stderr) = folder.run(&["check", "--diff", "job.yaml"]).expect(1);
    assert!(stdout.starts_with("--- job.yaml\n+++ job.yaml\n@@ -2,8 +2,8 @@\n"), "{stdout}");
    assert!(stdout.contains("-  backoffLimit: \"3\"\r\n+  backoffLimit: 3\r\n"), "{stdout}");
    let unsafe_left = "1 suggestion may change the meaning: add `--unsafe` to apply it\n";
    assert_eq!(stderr, format!("would fix 2 findings in 1 file\n{unsafe_left}"));
    assert_eq!(folder.read("job.yaml"), JOB);
    let (stdout, stderr) =
        folder.run_with_stdin(&["check", "--diff", "-"], super::OBJECT).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "would fix 0 findings in 0 files\n"));
}

#[test]
fn a_diff_shows_no_secret() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\nType: Opaque\n\
        stringData: {password: s3cr3tv4lue}\n";
    let folder = Folder::new(&[("a.yaml", secret)]);
    let (stdout, _) = folder.run(&["check", "--diff", "a.yaml"]).expect(1);
    assert!(stdout.contains("-Type: Opaque\n+type: Opaque\n"), "{stdout}");
    assert!(!stdout.contains("s3cr3tv4lue"), "{stdout}");
    folder.run(&["check", "--fix", "a.yaml"]).expect(0);
    assert_eq!(folder.read("a.yaml"), secret.replace("Type: O", "type: O"));
}

#[test]
fn misuse_is_rejected() {
    let folder = Folder::new(&[]);
    let (_, stderr) = folder.run_with_stdin(&["check", "--fix", "-"], JOB).expect(2);
    assert!(stderr.contains("standard input cannot be fixed in place"), "{stderr}");
    let (_, stderr) = folder.run_with_stdin(&["check", "--unsafe", "-"], JOB).expect(2);
    assert!(stderr.contains("`--unsafe` requires `--fix` or `--diff`"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new(&[("real/job.yaml", JOB)]);
    let real = folder.path().join("real/job.yaml");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, folder.path().join("link.yaml")).unwrap();
    folder.run(&["check", "--fix", "link.yaml"]).expect(1);
    assert_eq!(folder.read("real/job.yaml"), repaired());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.path().join("link.yaml")).unwrap().is_symlink());
}

#[test]
fn the_remains_of_a_killed_run_are_removed() {
    let folder =
        Folder::new(&[("a/job.yaml", JOB), ("a/.sandboxc-tmp-a1b2c3", "half"), ("b.yaml", JOB)]);
    folder.run(&["check", "--fix", "."]).expect(1);
    assert_eq!(folder.read("a/job.yaml"), repaired());
    assert_eq!(
        (folder.list("a"), folder.list(".")),
        (vec!["job.yaml".into()], vec!["a".into(), "b.yaml".into()])
    );
}

#[cfg(unix)]
#[test]
fn a_read_only_file_stops_the_run_before_any_change() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new(&[("a.yaml", JOB), ("b.yaml", JOB)]);
    let path = folder.path().join("b.yaml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let (_, stderr) = folder.run(&["check", "--fix", "a.yaml", "b.yaml"]).expect(2);
    assert_eq!(stderr, "error: cannot write `b.yaml`: the file is read-only\n");
    assert_eq!((folder.read("a.yaml"), folder.read("b.yaml")), (JOB.into(), JOB.into()));
    assert_eq!(folder.list("."), ["a.yaml", "b.yaml"]);
}

/// As the help says: a rename cannot do otherwise.
#[cfg(unix)]
#[test]
fn other_hard_links_keep_the_old_content() {
    let folder = Folder::new(&[("a.yaml", JOB)]);
    std::fs::hard_link(folder.path().join("a.yaml"), folder.path().join("copy")).unwrap();
    folder.run(&["check", "--fix", "a.yaml"]).expect(1);
    assert_eq!((folder.read("a.yaml"), folder.read("copy")), (repaired(), JOB.into()));
}
