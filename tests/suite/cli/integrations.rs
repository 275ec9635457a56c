//! The scripts of `integrations/`, as Helm and GitHub Actions run them.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{BROKEN, Folder, OBJECT};
use crate::support::{binary, root};

/// Runs a script with `sandboxc` in the path, which the shell of the test has not.
fn run(
    folder: &Folder,
    script: &str,
    arguments: &[&str],
    settings: &[(&str, &str)],
    input: &str,
) -> Output {
    let program = folder.path().join("bin/sandboxc");
    fs::create_dir_all(folder.path().join("bin")).unwrap();
    if !program.exists() {
        std::os::unix::fs::symlink(binary(), &program).unwrap();
    }
    let path = env::var("PATH").unwrap();
    let mut child = Command::new(root().join("integrations").join(script))
        .args(arguments)
        .current_dir(folder.path())
        .env("PATH", format!("{}:{path}", folder.path().join("bin").display()))
        .envs(settings.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A script that fails at once does not read it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(Path::new(name))).unwrap()
}

#[test]
fn a_post_renderer_hands_on_what_it_has_checked() {
    let folder = Folder::new(&[]);
    let good = format!("---\n# Source: web/templates/a.yaml\n{OBJECT}");
    let bad = format!("---\n# Source: web/templates/a.yaml\n{OBJECT}data: {{a: 1}}\n");
    let report = [("SANDBOXC_REPORT", "report.txt")];
    let settings =
        [("helm/post-renderer.sh", &[][..], false), ("helm/plugin/run.sh", &report, true)];
    for (script, settings, is_plugin) in settings {
        let output = run(&folder, script, &[], &[], &good);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), &*good), "{script}");
        for (arguments, status) in [(&[][..], 1), (&["--no-such-option"], 2)] {
            let output = run(&folder, script, arguments, settings, &bad);
            let status = if is_plugin { 0 } else { status };
            assert_eq!(output.status.code(), Some(status), "{script}");
            let findings = text(&output.stderr);
            let expected = match arguments {
                [] => "rendered from `web/templates/a.yaml`",
                _ => "unexpected argument '--no-such-option'",
            };
            assert!(findings.contains(expected), "{findings}");
            refuses(text(&output.stdout), findings, is_plugin);
        }
    }
    assert!(read(&folder, "report.txt").contains("unexpected argument"));
}

/// Checks that Helm has nothing to apply. Of the output of the plugin, Helm 4 shows the name of the file
/// in the annotation, because the name of the object is not a string.
fn refuses(output: &str, findings: &str, is_plugin: bool) {
    if !is_plugin {
        assert_eq!(output, "");
        return;
    }
    let document: serde_json::Value = serde_yaml::from_str(output).unwrap();
    let metadata = &document["metadata"];
    assert!(metadata["name"].is_object(), "{output}");
    let shown = &metadata["annotations"]["postrenderer.helm.sh/postrender-filename"];
    let expected = format!("sandboxc:\n{}\nnothing is applied", findings.trim_end());
    // Helm shows empty lines as well.
    assert_eq!(shown.as_str().unwrap().replace("\n\n", "\n"), expected.replace("\n\n", "\n"));
}

#[test]
fn the_functions_for_kustomize_check_and_build() {
    let folder = Folder::new(&[("definitions/a.yaml", OBJECT)]);
    let run = |file: &str, value: &str| {
        let path = root().join("integrations/kustomize").join(file);
        let config = fs::read_to_string(path).unwrap();
        let annotations: serde_json::Value = serde_yaml::from_str(&config).unwrap();
        let function = &annotations["metadata"]["annotations"]["config.kubernetes.io/function"];
        let function: serde_json::Value = serde_yaml::from_str(function.as_str().unwrap()).unwrap();
        let arguments = function["exec"]["args"].as_array().unwrap().iter();
        let arguments: Vec<_> = arguments.map(|it| it.as_str().unwrap()).collect();
        let config = config.trim_end().replace('\n', "\n  ");
        let list = format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  \
            kind: ConfigMap\n  metadata:\n    name: b\n    namespace: b\n    annotations:\n      \
            kustomize.config.k8s.io/id: x\n  data:\n    x: {value}\nfunctionConfig:\n  {config}\n"
        );
        folder.run_with_stdin(&arguments, &list)
    };
    let (stdout, _) = run("check.yaml", "\"1\"").expect(0);
    assert!(!stdout.contains("kind: ConfigMap"), "kustomize compares them: {stdout}");
    for file in ["check.yaml", "generate.yaml", "transform.yaml"] {
        let (_, stderr) = run(file, "1").expect(1);
        assert!(stderr.contains("error[wrong-type]: `x`"), "{stderr}");
    }
    let (stdout, _) = run("generate.yaml", "\"1\"").expect(0);
    assert!(stdout.contains("name: web"), "{stdout}");
}

#[test]
fn the_action_fails_as_the_check_does() {
    let folder = Folder::new(&[("definitions/a.yaml", BROKEN), ("good/a b.yaml", OBJECT)]);
    let script = "github/check.sh";
    let settings = |paths| {
        [("PATHS", paths), ("GITHUB_STEP_SUMMARY", "summary.md"), ("SARIF_FILE", "a.sarif")]
    };
    let output = run(&folder, script, &[], &settings("definitions/a.yaml\n"), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("::error file=definitions/a.yaml,"), "{output:?}");
    assert!(read(&folder, "summary.md").contains("| error | `definitions/a.yaml:1:6` |"));
    assert!(read(&folder, "a.sarif").contains("unclosed-bracket"));
    let output = run(&folder, script, &[], &settings("good nowhere"), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot read `nowhere`"), "{output:?}");
    let before = read(&folder, "summary.md");
    let graph = [("GRAPH", "true")];
    let output = run(&folder, script, &[], &[&settings("good")[..], &graph].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let after = read(&folder, "summary.md");
    let added = after.strip_prefix(&before).unwrap();
    assert!(
        added.contains("checked 1 object") && added.contains("```mermaid\nflowchart"),
        "{added}"
    );
}

/// `gh` with a file for each comment, whose names are the identifiers.
const GH: &str = r#"#!/usr/bin/env bash
set -euo pipefail
mkdir -p comments
[ "$1" = api ]
case "$*" in
*--paginate*"repos/o/r/issues/7/comments?per_page=100 --jq .[]"*)
    marker=$* && marker=${marker#*startswith(\"}
    grep -lF "${marker%%\")*}" comments/* | xargs -rn1 basename || true
    ;;
*"--method PATCH repos/o/r/issues/comments/"*) cp "${!#/#body=@/}" comments/"$(basename "$5")" ;;
*"--method POST repos/o/r/issues/7/comments"*) cp "${!#/#body=@/}" comments/"$((100 + $(ls comments | wc -l)))" ;;
*) echo "unknown request: $*" >&2 && exit 1 ;;
esac
"#;

/// Runs `git`, and returns what it prints.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let user =
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
    let output =
        Command::new("git").args(user).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text(&output.stdout).trim().to_owned()
}

/// A pull request that changes `a.yaml`, in a branch that others have changed since, as GitHub checks it out: only
/// the merge of both. Also returns the commit of the event, which is an older one of the branch.
fn pull_request(key: &str) -> (Folder, Folder, String) {
    let object = |value: &str| format!("{OBJECT}data: {{key: {value}}}\n");
    let origin = Folder::new(&[("a.yaml", &object("old"))]);
    let (folder, path) = (Folder::new(&[]), origin.path());
    git(path, &["init", "-q"]);
    git(path, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let commit = |message| {
        git(path, &["add", "."]);
        git(path, &["commit", "-qm", message]);
        git(path, &["rev-parse", "HEAD"])
    };
    let base = commit("base");
    git(path, &["checkout", "-qb", "change"]);
    origin.write("a.yaml", &object(key));
    commit("change");
    git(path, &["checkout", "-q", "main"]);
    origin.write("b.yaml", &OBJECT.replace("web", "of-others"));
    commit("others");
    git(path, &["merge", "-q", "--no-ff", "-m", "merge", "change"]);
    let address = format!("file://{}", path.display());
    git(folder.path(), &["clone", "-q", "--depth", "1", &address, "."]);
    fs::create_dir_all(folder.path().join("bin")).unwrap();
    folder.write("bin/gh", GH);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path().join("bin/gh"), executable).unwrap();
    (origin, folder, base)
}

#[test]
fn the_comment_of_a_pull_request_is_updated() {
    let (_origin, folder, base) = pull_request("new");
    let merge = git(folder.path(), &["rev-parse", "HEAD"]);
    let comment = |paths: &str, arguments: &str| {
        let settings = [
            ("PATHS", paths),
            ("DIFF_ARGUMENTS", arguments),
            ("BASE_SHA", &*base),
            ("GITHUB_SHA", &*merge),
            ("GITHUB_REPOSITORY", "o/r"),
            ("PULL_REQUEST", "7"),
        ];
        run(&folder, "github/comment.sh", &[], &settings, "")
    };
    let expect = |paths, arguments, status| {
        let output = comment(paths, arguments);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        output
    };
    expect("b.yaml", "", 0);
    assert_eq!(folder.list("comments"), [""; 0], "no comment without differences");
    expect("a.yaml\nb.yaml", "", 0);
    let first = folder.read("comments/100");
    assert!(first.starts_with("<!-- sandboxc diff ") && first.contains("-old\n+new"), "{first}");
    assert!(!first.contains("of-others"), "{first}");
    // Those with other inputs have a comment of their own.
    expect("a.yaml", "--kubernetes 1.36", 0);
    folder.write("a.yaml", &format!("{OBJECT}data: {{key: a\n"));
    expect("a.yaml\nb.yaml", "", 0);
    assert_eq!(folder.list("comments"), ["100", "101"]);
    let second = folder.read("comments/100");
    assert!(second.contains("### The objects cannot be compared"), "{second}");
    assert!(second.contains("~~~text\nerror[unclosed-bracket]"), "{second}");
    // Then the differences are gone again.
    folder.write("a.yaml", &format!("{OBJECT}data: {{key: old}}\n"));
    expect("a.yaml\nb.yaml", "", 0);
    assert!(folder.read("comments/100").contains("### No differences"));
    // A wrong argument fails, and leaves the comments as they are.
    let before = folder.read("comments/101");
    let output = expect("a.yaml", "--kubernetes 2", 2);
    assert!(text(&output.stderr).contains("invalid value '2'"), "{output:?}");
    assert_eq!((folder.read("comments/101"), folder.list("comments").len()), (before, 2));
}

/// The commands of `docs/install.md` for completions and for the plugin of kubectl.
fn installations() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/install.md")).unwrap();
    let shells = ["| bash", "| zsh", "| fish", "| elvish"];
    let rows = page.lines().filter(|line| shells.iter().any(|it| line.starts_with(it)));
    let last = |row: &str| row.split('`').rev().nth(1).unwrap().to_owned();
    let plugin = page.split("## As a plugin").nth(1).unwrap().split("## ").next().unwrap();
    let lines = plugin.lines().filter_map(|line| line.strip_prefix("$ "));
    // kubectl itself is not installed everywhere.
    let lines = lines.filter(|line| !line.starts_with("kubectl")).map(ToOwned::to_owned);
    rows.map(last).chain(lines).collect()
}

#[test]
fn completions_are_installed_in_a_new_home_directory() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink(binary(), folder.path().join("bin/sandboxc")).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().join("bin").display());
    let commands = installations();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let output = Command::new("bash")
            .args(["-c", &command])
            .env_clear()
            .envs([("HOME", &*folder.path().to_string_lossy()), ("PATH", &path)])
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }
    assert!(folder.read(".zfunc/_sandboxc").starts_with("#compdef sandboxc"));
    assert!(folder.path().join(".local/bin/kubectl-sandboxc").exists());
}
