//! Secret values do not appear in any report, whatever faults are near them.

use rayon::prelude::*;

use super::Folder;
use crate::support::{files_of_cases, sampled};

/// Every report format.
const FORMATS: [&str; 5] = ["human", "json", "sarif", "github", "junit"];

/// Inputs with faults in and near a secret value. The value always contains this string.
const SECRET: &str = "s3cr3tv4lue";

#[test]
fn no_report_shows_a_secret_value() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n";
    let pod = |env: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n  - name: a\n    \
             image: a\n    env:\n{env}"
        )
    };
    let inputs = [
        format!("{secret}data:\n  password: s3cr3tv4lue-not-base64!\n"),
        format!("{secret}data: {{password: s3cr3tv4lue}}\n"),
        format!("{secret}stringData:\n  a: s3cr3tv4lue\n  a: more-s3cr3tv4lue\n"),
        format!("{secret}stringData:\n  a: [s3cr3tv4lue]\n"),
        format!("{secret}stringData:\n  \"a b\": \"s3cr3tv4lue\"\n"),
        format!("{secret}stringData:\n  a: 's3cr3tv4lue\n  b: c\n"),
        format!("{secret}stringData: {{a: s3cr3tv4lue\n"),
        format!("{secret}stringData:\n  a: {{{{s3cr3tv4lue}}}}\n"),
        format!("{secret}stringData:\n\ta: s3cr3tv4lue\n"),
        format!(
            "{secret}type: kubernetes.io/dockerconfigjson\nstringData:\n  .dockerconfigjson: '{{\"s3cr3tv4lue'\n"
        ),
        format!("{secret}  annotations: s3cr3tv4lue\nstringData: {{a: s3cr3tv4lue}}\n"),
        format!("{secret}stringData:\n  a: {{ {{ s3cr3tv4lue}}}}\n"),
        format!("{secret}stringData: {{a: s3cr3tv4lue}}}}\n"),
        format!("{secret}sringData: {{a: s3cr3tv4lue}}\n"),
        format!("{secret}stringdata:\n  a: s3cr3tv4lue\n"),
        format!("{secret}data: {{a: c2VjcmV0}}\ndata: {{a: s3cr3tv4lue}}\n"),
        "apiVersion: v1\nmetadata: {name: a}\nstringData: {a: s3cr3tv4lue}\n".to_owned(),
        pod("    - name: DB_PASSWORD\n      value: s3cr3tv4lue\n      valueFrom: {}\n"),
        pod("    - {name: API_TOKEN, value: s3cr3tv4lue, vaule: s3cr3tv4lue}\n"),
        pod("    - name: x-api-key\n      value: [s3cr3tv4lue]\n"),
        pod("    - name: AWS_SECRET_ACCESS_KEY\n      value: !!int s3cr3tv4lue\n"),
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: A_}, \
         data: {a: s3cr3tv4lue}}\n"
            .to_owned(),
    ];
    for input in inputs {
        let folder = Folder::new(&[("a.yaml", &input)]);
        for format in FORMATS {
            let run = folder.run(&["check", "--format", format, "a.yaml"]);
            let (stdout, stderr) = run.expect(1);
            let shown = stdout + &stderr;
            assert!(!shown.contains(SECRET), "{format}\n{input}\n{shown}");
        }
    }
}

#[test]
fn an_object_named_like_a_credential_is_shown() {
    let folder = Folder::new(&[(
        "a.yaml",
        "apiVersion: sandboxc.dev/v1alpha1
kind: Project
spec: {external: [{kind: Secret, name: github-token}, {kind: Secret, name: A_}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: production}
spec:
  containers:
  - name: c
    image: i
    volumeMounts: [{name: api-token, mountPath: /mnt/token}]
    env: [{name: A, valueFrom: {secretKeyRef: {name: nothing, key: k}}}]
",
    )]);
    let (_, stderr) = folder.run(&["check", "a.yaml"]).expect(1);
    assert!(stderr.contains("Secret `nothing` not found"), "{stderr}");
    assert!(stderr.contains("mountPath: /mnt/token"), "{stderr}");
}

#[test]
fn other_values_are_shown() {
    let folder = Folder::new(&[(
        "a.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: A_b}\nstringData: {a: s3cr3tv4lue}\n",
    )]);
    let (_, stderr) = folder.run(&["check", "a.yaml"]).expect(1);
    assert!(stderr.contains("metadata: {name: A_b}"), "{stderr}");
}

#[test]
fn names_of_skipped_files_are_shown() {
    let template = "#@ load(\"data\")\npassword: hunter2hunter2\ndata: {a: hunter2hunter2}\n";
    let folder = Folder::new(&[
        ("deploy/one.yaml", template),
        ("deploy/two.yaml", template),
        ("pod.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"),
    ]);
    let (stdout, stderr) = folder.run(&["check", "--all", "."]).expect(0);
    for expected in [
        "note[file-not-a-manifest]: skipped 2 files: no `apiVersion` and no `kind`\n",
        "  = note: `deploy/one.yaml`, `deploy/two.yaml`\n",
    ] {
        assert!(stderr.contains(expected), "{stdout}{stderr}");
    }
    assert!(!stderr.contains("hunter2"), "{stderr}");
}

/// Every command that reports on a file `a.yaml`, or on its difference from `b.yaml`.
const COMMANDS: [&[&str]; 14] = [
    &["check", "a.yaml"],
    &["check", "--verbose", "--format", "json", "a.yaml"],
    &["check", "--format", "sarif", "--report", "junit=-", "a.yaml"],
    &["check", "--format", "github", "."],
    &["check", "--fix", "--unsafe", "--diff", "a.yaml"],
    &["check", "--against", "b.yaml", "a.yaml"],
    &["fmt", "--diff", "a.yaml"],
    &["migrate", "--diff", "a.yaml"],
    &["split", "a.yaml"],
    &["graph", "a.yaml"],
    &["diff", "b.yaml", "a.yaml"],
    &["diff", "--format", "markdown", "a.yaml", "b.yaml"],
    &["import", "--system", "kelos", "b.yaml", "a.yaml", "none.yaml"],
    &["test", "a.yaml"],
];

#[test]
fn no_command_shows_the_secrets_of_the_fixtures() {
    let parts = ["Qz7xKv", "xKvWp9", "Wp9mLr", "UXo3eE", "3eEt2V", "t2V3A5", "3A5bUx"];
    let files = sampled(files_of_cases("secrets"), 4);
    assert!(files.len() > 5);
    let leaks = files.into_par_iter().flat_map_iter(|(_, text)| {
        // Each is also cut before its last line, or before its last brackets.
        let end = text.trim_end().rfind(['\n', '}']).unwrap();
        [text.clone(), text[..end].to_owned()].into_iter().flat_map(move |broken| {
            let folder = Folder::new(&[("a.yaml", &broken), ("b.yaml", &text)]);
            let leak = |command: &&[&str]| {
                let run = folder.run(command);
                let shown = run.stdout + &run.stderr;
                let line = shown.lines().find(|line| parts.iter().any(|it| line.contains(it)))?;
                Some(format!("{command:?}: {line}\n{broken}"))
            };
            COMMANDS.iter().filter_map(leak).collect::<Vec<_>>()
        })
    });
    let leaks: Vec<_> = leaks.collect();
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn a_function_does_not_return_secrets_in_its_results() {
    let list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {apiVersion: v1, \
                kind: Secret, metadata: {name: a}, stringData: {a: [s3cr3tv4lue]}}\n";
    for list in
        [list.to_owned(), format!("{list}  b: [\n"), list.replace("items", "functionConfig")]
    {
        let run = Folder::new(&[]).run_with_stdin(&["krm"], &list);
        let results = run.stdout.split("results:").nth(1).unwrap_or_default();
        let shown = results.to_owned() + &run.stderr;
        assert!(!shown.contains(SECRET), "{shown}");
    }
}
