//! The scripts of `integrations/`, as Helm and kustomize run them.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{Folder, OBJECT};
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

/// A folder with names that are options, and commands of a shell, and a broken file that a check must report.
fn hostile_folder() -> Folder {
    let folder = Folder::new(&[("z.yaml", &format!("{OBJECT}data: {{a: 1}}\n"))]);
    for name in ["--fail-on=never", "--quiet.yaml", "-o.yaml", "$(touch pwned).yaml", "a\nb.yaml"] {
        folder.write(name, OBJECT);
    }
    fs::create_dir(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink(binary(), folder.path().join("bin/sandboxc")).unwrap();
    folder
}

/// Runs a command of a shell with `sandboxc` in the path.
fn run_shell(folder: &Folder, shell: &[&str], command: &str, settings: &[(&str, &str)]) -> Output {
    let path = format!("{}:{}", folder.path().join("bin").display(), env::var("PATH").unwrap());
    let output = Command::new(shell[0])
        .args(&shell[1..])
        .arg(command)
        .current_dir(folder.path())
        .env("PATH", path)
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    assert!(!folder.path().join("pwned").exists(), "{command}");
    output
}

#[test]
fn names_of_files_are_no_options_of_the_component_for_gitlab() {
    let text = fs::read_to_string(root().join("integrations/gitlab/templates/check.yml")).unwrap();
    for (paths, arguments, status) in [
        ("*", "", 1),
        ("z.yaml", "", 1),
        ("*", "--kubernetes 1.36", 1),
        ("--fail-on=never z.yaml", "", 1),
        ("$(touch pwned)", "", 2),
        ("; touch pwned", "", 2),
        ("z.yaml", "`touch pwned`", 2),
    ] {
        let (_, job) = text.split_once("---\n").unwrap();
        let job =
            job.replace("$[[ inputs.paths ]]", paths).replace("$[[ inputs.arguments ]]", arguments);
        assert!(!job.contains("$[[ inputs.paths"), "{job}");
        let job: serde_json::Value = serde_yaml::from_str(&job).unwrap();
        let job = &job["sandboxc"];
        let variables = job["variables"].as_object().unwrap().iter();
        let variables: Vec<_> =
            variables.map(|(name, it)| (&**name, it.as_str().unwrap())).collect();
        for shell in [&["bash", "-eo", "pipefail", "-c"][..], &["sh", "-ec"]] {
            let folder = hostile_folder();
            let output = run_shell(&folder, shell, job["script"][0].as_str().unwrap(), &variables);
            assert_eq!(output.status.code(), Some(status), "{paths}: {output:?}");
            assert!(status == 2 || folder.read("sandboxc.xml").contains("wrong-type"));
        }
    }
}

#[test]
fn the_plugin_of_argo_cd_has_no_options_from_a_parameter() {
    let plugin = fs::read_to_string(root().join("integrations/argocd/plugin.yaml")).unwrap();
    let plugin: serde_json::Value = serde_yaml::from_str(&plugin).unwrap();
    let generate = &plugin["spec"]["generate"];
    assert_eq!(generate["command"], serde_json::json!(["sh", "-c"]));
    let command = generate["args"][0].as_str().unwrap();
    let folder = hostile_folder();
    for name in ["z.yaml", "$(touch pwned).yaml"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    for (environment, expected) in
        [("--output=x", "`--output=x`"), ("$(touch pwned)", "`$(touch pwned)`"), ("a b", "`a b`")]
    {
        let output =
            run_shell(&folder, &["sh", "-c"], command, &[("PARAM_ENVIRONMENT", environment)]);
        let stderr = text(&output.stderr);
        assert!(output.status.code() != Some(0) && stderr.contains(expected), "{output:?}");
    }
}

#[test]
fn names_of_files_are_no_options_of_the_hooks() {
    let text = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let hooks: serde_json::Value = serde_yaml::from_str(&text).unwrap();
    for hook in hooks.as_array().unwrap() {
        let arguments = hook["args"].as_array();
        if hook["pass_filenames"] == false {
            assert!(arguments.is_none(), "{hook}");
            continue;
        }
        // As pre-commit does: the entry, its arguments, and the names.
        let entry = hook["entry"].as_str().unwrap().strip_prefix("sandboxc ").unwrap();
        let mut command = vec![entry];
        command.extend(arguments.unwrap().iter().map(|it| it.as_str().unwrap()));
        command.extend(["--check.yaml", "-o.yaml"]);
        let folder = Folder::new(&[("--check.yaml", "a:   1\n"), ("-o.yaml", "{a:   1}\n")]);
        folder.run(&command).expect(0);
        assert_eq!(
            (folder.read("--check.yaml"), folder.read("-o.yaml")),
            ("a: 1\n".to_owned(), "{a: 1}\n".to_owned())
        );
    }
}

#[test]
fn a_line_break_of_yaml_does_not_end_the_findings_for_helm() {
    let folder = Folder::new(&[]);
    for end in ["\u{85}", "\u{2028}", "\u{2029}", "\r"] {
        let bad = format!("---\n# Source: a{end}b/c.yaml\n{OBJECT}data: {{a: 1}}\n");
        let output = run(&folder, "helm/plugin/run.sh", &["--policy=a", end], &[], &bad);
        let output = text(&output.stdout);
        assert!(!output.contains(end), "{output:?}");
        assert!(
            output.lines().skip(6).all(|line| line.starts_with("      ") || line.is_empty()),
            "{output}"
        );
    }
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
