//! Commands, options, exit status, and output streams.

use std::io::Read as _;
use std::process::Stdio;

use super::{BROKEN, Folder, OBJECT};
use crate::support::inputs;

/// A project whose Template contains its values.
fn with_values() -> Folder {
    Folder::new(&[
        (
            "sandboxc.yaml",
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  namespace: rl\n  \
             values: {image: {tag: a, name: x}, a.b: c}\n",
        ),
        (
            "t.yaml",
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: t}\nspec:\n  \
             image: \"{{ values.image.name }}:{{ values.image.tag }}\"\n  \
             command: [\"{{ values['a.b'] }}\"]\n  podSecurityContext: {runAsUser: 1000}\n",
        ),
        ("one.yaml", "image: {tag: one, name: one}\n"),
        ("two.yaml", "image: {tag: two}\n"),
    ])
}

#[test]
fn values_of_the_command_line_take_precedence() {
    let folder = with_values();
    let image = |arguments: &[&str]| {
        let inputs = ["build", "sandboxc.yaml", "t.yaml"];
        let (stdout, stderr) = folder.run(&[&inputs, arguments].concat()).expect(0);
        assert_eq!(stderr, "");
        let image = stdout.lines().find_map(|it| it.trim().strip_prefix("image: ")).unwrap();
        image.to_owned()
    };
    assert_eq!(image(&[]), "x:a");
    assert_eq!(image(&["--values", "one.yaml", "--values", "two.yaml"]), "one:two");
    assert_eq!(
        image(&["--set", "image.tag=3", "--values", "two.yaml"]),
        "x:\"3\"".replace('"', "")
    );
    // A number with a fraction is usually a version.
    assert_eq!(image(&["--set", "image.tag=1.30"]), "x:1.30");
    assert_eq!(image(&["--set", "image={name: w, tag: z}"]), "w:z");
    let (stdout, _) = folder
        .run(&["build", ".", "--set", r"a\.b=d", "--exclude", "*e.yaml", "--exclude", "two.yaml"])
        .expect(0);
    assert!(stdout.contains("- d\n"), "{stdout}");
}

#[test]
fn invalid_values_are_usage_errors() {
    let folder = with_values();
    for (arguments, message) in [
        (["--set", "image.tag"], "write PATH=VALUE"),
        (["--set", "image..tag=a"], "has an empty key"),
        (["--values", "three.yaml"], "cannot read `three.yaml`"),
    ] {
        let run = folder.run(&[&["build", "t.yaml"], &arguments[..]].concat());
        let (stdout, stderr) = run.expect(2);
        assert_eq!(stdout, "");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_clean_build_prints_yaml_and_nothing_else() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let (stdout, stderr) = folder.run(&["build", "a.yaml"]).expect(0);
    let object: serde_yaml::Value = serde_yaml::from_str(&stdout).unwrap();
    assert_eq!(object["metadata"]["name"], "web");
    assert_eq!(stderr, "");
}

#[test]
fn errors_leave_standard_output_empty() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", BROKEN)]);
    for verb in ["build", "check"] {
        let (stdout, stderr) = folder.run(&[verb, "a.yaml", "b.yaml"]).expect(1);
        assert_eq!(stdout, "");
        assert!(stderr.starts_with("error[unclosed-bracket]: "), "{stderr}");
        assert!(stderr.contains(" --> b.yaml:"), "{stderr}");
        let end = "\nchecked 1 object in 2 files for Kubernetes 1.37: 1 error\n\
            more about a rule: sandboxc explain unclosed-bracket\n";
        assert!(stderr.ends_with(end), "{stderr}");
    }
}

#[test]
fn a_clean_check_reports_what_was_checked() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", "# nothing yet\n")]);
    let (stdout, stderr) = folder.run(&["check", "a.yaml", "b.yaml"]).expect(0);
    assert_eq!(stdout, "");
    assert_eq!(stderr, "checked 1 object in 2 files for Kubernetes 1.37: no findings\n");
    let (stdout, stderr) = folder.run(&["check", "-q", "a.yaml", "b.yaml"]).expect(0);
    assert_eq!((stdout, stderr), (String::new(), String::new()));
}

/// A case of a rule.
fn case(folder: &str, file: &str) -> String {
    let name = format!("{folder}/{file}");
    let (_, bytes) = inputs(folder).into_iter().find(|it| it.0 == name).expect("a case");
    String::from_utf8(bytes).unwrap()
}

/// A file with a warning and without errors.
fn surprising() -> String {
    case("diag/document-marker-ambiguous", "err_unfinished_last_line.yaml")
}

#[test]
fn warnings_fail_only_when_denied() {
    let folder = Folder::new(&[("a.yaml", surprising().as_str())]);
    let (_, stderr) = folder.run(&["check", "a.yaml"]).expect(0);
    assert!(stderr.contains("in 1 file for Kubernetes 1.37: 1 warning\n"), "{stderr}");
    let (stdout, stderr) = folder.run(&["build", "a.yaml", "--deny", "warnings"]).expect(1);
    assert_eq!(stdout, "");
    assert!(
        stderr.contains("in 1 file for Kubernetes 1.37: 1 warning; warnings are denied\n"),
        "{stderr}"
    );
}

#[test]
fn quiet_shows_only_errors() {
    let folder = Folder::new(&[("a.yaml", surprising().as_str()), ("b.yaml", BROKEN)]);
    let (_, stderr) = folder.run(&["check", "-q", "a.yaml"]).expect(0);
    assert_eq!(stderr, "");
    let (_, stderr) = folder.run(&["check", "-q", "b.yaml"]).expect(1);
    assert!(stderr.starts_with("error[") && !stderr.contains("checked"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "-q", "--deny=warnings", "a.yaml"]).expect(1);
    assert!(stderr.contains("warning["), "a failure without a reason: {stderr}");
}

#[test]
fn check_prints_only_the_json_report() {
    let folder = Folder::new(&[("a.yaml", BROKEN)]);
    let (stdout, stderr) = folder.run(&["check", "--format", "json", "a.yaml"]).expect(1);
    assert_eq!(stderr, "");
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["diagnostics"][0]["rule"], "unclosed-bracket");
    assert_eq!(report["summary"]["errors"], 1);
    let (stdout, stderr) = folder.run(&["build", "--format", "json", "a.yaml"]).expect(1);
    assert_eq!(stdout, "");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&stderr).unwrap(), report);
}

#[test]
fn check_prints_machine_reports_and_build_writes_them_to_standard_error() {
    let folder = Folder::new(&[("a.yaml", surprising().as_str())]);
    let starts = [
        ("json", "{\n  \"format\": 1,"),
        ("sarif", "{\n  \"$schema\": "),
        ("github", "::warning file=a.yaml,line="),
        ("junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "),
    ];
    for (format, start) in starts {
        let (report, stderr) = folder.run(&["check", "--format", format, "a.yaml"]).expect(0);
        assert!(report.starts_with(start), "{format}: {report}");
        assert_eq!(stderr, "", "{format}");
        let (stdout, stderr) = folder.run(&["build", "--format", format, "a.yaml"]).expect(0);
        assert_eq!(stderr, report, "{format}");
        assert!(stdout.starts_with("apiVersion: "), "{format}: {stdout}");
    }
}

#[test]
fn allowed_findings_are_counted_and_do_not_fail_a_run() {
    let endpoints = "apiVersion: v1\nkind: Endpoints\nmetadata: {name: web}\n";
    let allowed = "# sandboxc: allow api-version-deprecated because an old client reads it\n";
    let folder =
        Folder::new(&[("a.yaml", endpoints), ("b.yaml", &format!("{allowed}{endpoints}"))]);
    folder.run(&["check", "--deny=warnings", "a.yaml"]).expect(1);
    let (_, stderr) = folder.run(&["check", "--deny=warnings", "b.yaml"]).expect(0);
    assert_eq!(stderr, "checked 1 object in 1 file for Kubernetes 1.37: no findings, 1 allowed\n");
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  allow:\n    \
        - {rule: api-version-deprecated, file: 'old/**', because: an old client reads it}\n";
    folder.write("defs/sandboxc.yaml", project);
    folder.write("defs/old/x/a.yaml", endpoints);
    let (_, stderr) = folder.run(&["check", "--deny=warnings", "defs"]).expect(0);
    assert_eq!(
        stderr,
        "checked 2 objects in 2 files for Kubernetes 1.37 (project defs/sandboxc.yaml): no \
         findings, 1 allowed\n"
    );
    folder.write("defs/older/a.yaml", endpoints);
    let (_, stderr) = folder.run(&["check", "--deny=warnings", "defs"]).expect(1);
    assert!(stderr.contains(" --> defs/older/a.yaml:1:13"), "{stderr}");
}

#[test]
fn reports_are_written_to_files_in_addition_to_the_output() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", BROKEN)]);
    let reports = ["--report=sarif=a.sarif", "--report=junit=a=b.xml", "--report", "human=a.txt"];
    for (input, status) in [("a.yaml", 0), ("b.yaml", 1)] {
        let (stdout, stderr) =
            folder.run(&[&["check", input], &reports[..]].concat()).expect(status);
        assert_eq!((stdout.as_str(), &stderr), ("", &folder.read("a.txt")));
        let formats = [("sarif", "a.sarif"), ("junit", "a=b.xml")];
        for (format, file) in formats {
            let (stdout, _) = folder.run(&["check", input, "--format", format]).expect(status);
            assert_eq!(folder.read(file), stdout, "{format}");
        }
    }
    let (_, stderr) = folder.run(&["check", "a.yaml", "--report=sarif=no/a.sarif"]).expect(2);
    assert!(stderr.contains("cannot write `no/a.sarif`"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "a.yaml", "--report=a.sarif"]).expect(2);
    assert!(
        stderr.contains("formats are human, json, sarif, github, github-summary, gitlab, "),
        "{stderr}"
    );
    let (_, stderr) = folder.run(&["check", "a.yaml", "--report=sarif"]).expect(2);
    assert!(stderr.contains("add the file: sarif=FILE"), "{stderr}");
}

#[test]
fn denied_warnings_are_failures_in_junit() {
    let folder = Folder::new(&[("a.yaml", surprising().as_str())]);
    let (report, _) = folder.run(&["check", "--format=junit", "a.yaml"]).expect(0);
    assert!(report.contains("failures=\"0\"") && report.contains("<system-out>"), "{report}");
    let denied = ["check", "--format=junit", "--deny=warnings", "a.yaml"];
    let (report, _) = folder.run(&denied).expect(1);
    assert!(report.contains("failures=\"1\"") && report.contains("<failure "), "{report}");
}

#[test]
fn a_clean_json_report_is_still_a_report() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let (stdout, _) = folder.run(&["check", "--format", "json", "a.yaml"]).expect(0);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["diagnostics"], serde_json::json!([]));
    let checked = serde_json::json!({
        "objects": 1, "files": 1, "allowed": 0,
        "kubernetes": ["1.37"], "projects": [], "environments": [],
    });
    assert_eq!(report["checked"], checked);
}

#[test]
fn color_is_chosen_by_option_then_environment() {
    let folder = Folder::new(&[("a.yaml", BROKEN)]);
    let coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = folder.command(arguments);
        let output = command.envs(environment.iter().copied()).output().unwrap();
        String::from_utf8(output.stderr).unwrap().contains('\u{1b}')
    };
    assert!(!coloured(&["check", "a.yaml"], &[]), "a pipe is no terminal");
    assert!(coloured(&["check", "a.yaml"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["check", "a.yaml"], &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&["check", "a.yaml"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["check", "a.yaml", "--color=always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["check", "a.yaml", "--color=never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn a_closed_pipe_ends_the_run_silently() {
    let objects = OBJECT.replace("web", &"x".repeat(200)).repeat(3000);
    let objects = objects.replace("apiVersion", "---\napiVersion");
    let folder = Folder::new(&[("a.yaml", &objects)]);
    let mut command = folder.command(&["split", "-0", "a.yaml"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn usage_errors_suggest_what_to_write() {
    let folder = Folder::new(&[]);
    let cases: &[(&[&str], &str)] = &[
        (&["build"], "name files or directories, or write `-` for standard input"),
        (&["bulid"], "similar subcommand exists: 'build'"),
        (&["build", "--kubernetes", "1.2", "x"], "[possible values: 1.33"),
        (&["build", "missing.yaml"], "cannot read `missing.yaml`: No such file"),
        (&["build", "--force", "x"], "--output <DIR>"),
        (&["explain", "yaml-sintax"], "did you mean `yaml-syntax`?"),
        (&["explain", "zzz"], "run `sandboxc explain` without a name"),
        (&["split", "-0", "-o", "x", "a"], "cannot be used with"),
        (&[], "Usage: sandboxc"),
    ];
    for (arguments, expected) in cases {
        let (stdout, stderr) = folder.run(arguments).expect(2);
        assert_eq!(stdout, "", "{arguments:?}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

#[test]
fn explain_prints_the_page_of_a_rule() {
    let folder = Folder::new(&[]);
    let (stdout, _) = folder.run(&["explain", "yaml-syntax"]).expect(0);
    assert!(
        stdout.starts_with("# yaml-syntax\n\nSeverity: error\n\n## What it does\n"),
        "{stdout}"
    );
    let (stdout, _) = folder.run(&["explain"]).expect(0);
    for rule in sandboxc::rules::all() {
        assert!(stdout.lines().any(|line| line.starts_with(rule.name)), "{}", rule.name);
    }
}

#[test]
fn split_lists_prints_and_writes_documents() {
    let text = "# start\na: 1\n---\n# nothing\n---\nkind: ConfigMap\nmetadata: {name: Web/1}\n";
    let folder = Folder::new(&[("a.yaml", text)]);
    let (stdout, _) = folder.run(&["split", "a.yaml"]).expect(0);
    assert_eq!(stdout, "a.yaml:1: a document that is not an object\na.yaml:5: ConfigMap/Web/1\n");
    let (stdout, _) = folder.run(&["split", "-0", "a.yaml"]).expect(0);
    let parts: Vec<_> = stdout.split('\0').collect();
    let last = "---\nkind: ConfigMap\nmetadata: {name: Web/1}\n";
    assert_eq!(parts, ["# start\na: 1\n---\n# nothing\n", last]);
    folder.write("b.yaml", "# nothing\n---\n---\n# a\na: 1\n---\n");
    let (stdout, _) = folder.run(&["split", "-0", "b.yaml"]).expect(0);
    assert_eq!(stdout, folder.read("b.yaml"));
    folder.run(&["split", "-o", "out", "a.yaml"]).expect(0);
    let files = [".sandboxc-files", "01-document.yaml", "02-configmap-web-1.yaml"];
    assert_eq!(folder.list("out"), files);
    assert_eq!(folder.read("out/02-configmap-web-1.yaml"), last);
}

#[test]
fn split_rejects_documents_that_other_readers_would_lose() {
    let folder = Folder::new(&[("a.yaml", "a: 1\n--- text\n...\nb: 2\n")]);
    let (stdout, stderr) = folder.run(&["split", "a.yaml", "-o", "out"]).expect(1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("error["), "{stderr}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn bytes_that_split_cannot_reproduce_are_rejected() {
    let folder = Folder::new(&[("nul.yaml", "a: \"\0\"\n")]);
    std::fs::write(folder.path().join("latin1.yaml"), b"a: \xe9\n").unwrap();
    for file in ["nul.yaml", "latin1.yaml"] {
        let (stdout, stderr) = folder.run(&["split", "-0", file]).expect(1);
        assert_eq!(stdout, "");
        assert!(stderr.contains(file), "{stderr}");
    }
}

#[test]
fn init_writes_a_project_that_builds() {
    let folder = Folder::new(&[]);
    folder.run(&["init", "new"]).expect(0);
    let (stdout, stderr) = folder.run(&["build", "new", "--deny", "warnings"]).expect(0);
    assert_eq!(stderr, "");
    let claims = stdout.matches("SandboxClaim").count();
    assert_eq!(claims, 3, "{stdout}");
    let (_, stderr) = folder.run(&["init", "new"]).expect(2);
    assert!(stderr.contains("`new` is not empty"), "{stderr}");
    folder.run(&["init"]).expect(2);
    let empty = Folder::new(&[]);
    empty.run(&["init"]).expect(0);
    assert_eq!(empty.run(&["build"]).expect(0).0, stdout, "the current directory has a project");
}

#[test]
fn version_is_that_of_the_package() {
    let (stdout, _) = Folder::new(&[]).run(&["--version"]).expect(0);
    assert_eq!(stdout, concat!("sandboxc ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// A Pod with a field that exists since 1.34.
fn new_field() -> String {
    case("diag/field-not-in-version", "ok_since.yaml")
}

#[test]
fn several_versions_are_checked_in_one_run() {
    let folder = Folder::new(&[("a.yaml", new_field().as_str())]);
    let versions: [&[&str]; 3] = [
        &["--kubernetes", "1.33,1.34"],
        &["--kubernetes=1.33..1.34"],
        &["--kubernetes", "1.34", "--kubernetes", "1.33"],
    ];
    for named in versions {
        let arguments = [&["check", "--format", "json", "a.yaml"], named].concat();
        let (stdout, _) = folder.run(&arguments).expect(1);
        let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report["summary"]["errors"], 1, "{named:?}");
        assert_eq!(report["diagnostics"][0]["kubernetes"], serde_json::json!(["1.33"]));
    }
    let (stdout, _) =
        folder.run(&["check", "--format=json", "--kubernetes=1.33", "a.yaml"]).expect(1);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["diagnostics"][0]["kubernetes"], serde_json::Value::Null);
    let (_, stderr) = folder.run(&["build", "--kubernetes=1.33..1.37", "a.yaml"]).expect(1);
    assert!(stderr.contains("= note: on Kubernetes 1.33\n"), "{stderr}");
    folder.run(&["check", "--kubernetes=1.34..1.37", "a.yaml"]).expect(0);
}

#[test]
fn unsupported_versions_are_usage_errors() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    for wrong in ["1.32", "1.37..1.33", "latest", "1.33,"] {
        let (_, stderr) = folder.run(&["check", "--kubernetes", wrong, "a.yaml"]).expect(2);
        assert!(stderr.contains("[possible values: 1.33, 1.34,"), "{stderr}");
    }
}

#[test]
fn a_policy_applies_to_all_pods_and_overrides_the_project() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n\
                   spec: {podSecurity: {enforce: restricted}}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n\
               spec: {containers: [{name: c, image: x, securityContext: {privileged: true}}]}\n";
    let folder = Folder::new(&[("sandboxc.yaml", project), ("pod.yaml", pod)]);
    folder.run(&["check", "pod.yaml", "--no-project"]).expect(0);
    let (_, stderr) = folder.run(&["check", "pod.yaml", "--policy", "baseline"]).expect(1);
    assert!(stderr.contains("is privileged, which `baseline` forbids"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "."]).expect(1);
    assert!(stderr.contains("is privileged, which `restricted` forbids"), "{stderr}");
    let (stdout, _) = folder.run(&["build", ".", "--policy=privileged"]).expect(0);
    assert!(stdout.contains("privileged: true"), "{stdout}");
    let (_, stderr) = folder.run(&["check", "pod.yaml", "--policy=restricted@v1.7"]).expect(1);
    assert!(!stderr.contains("pod-security-privilege-escalation"), "{stderr}");
    assert!(stderr.contains("Standard `baseline`, version 1.7\n"), "{stderr}");
    for wrong in ["strict", "baseline@1.30", ""] {
        let (_, stderr) = folder.run(&["check", "pod.yaml", "--policy", wrong]).expect(2);
        assert!(stderr.contains("[possible values: restricted, baseline, privileged]"), "{stderr}");
    }
}
