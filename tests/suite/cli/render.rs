//! `check --render`, with programs in the path that print what they got.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{Folder, Run};

const TEMPLATES: &str = "---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\n\
    metadata: {name: a, namespace: b}\ndata: {x: 1}\n";

/// A chart and a kustomization, and programs in `bin`: shell scripts.
fn folder(programs: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[
        ("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n"),
        ("charts/web/templates/a.yaml", "{{ .Values.x }}\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("rendered.yaml", TEMPLATES),
        ("bin/.keep", ""),
    ]);
    for (name, script) in programs {
        let path = format!("bin/{name}");
        folder.write(&path, &format!("#!/bin/sh\necho {name} \"$@\" >>calls\n{script}\n"));
        let path = folder.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// The programs alone are in the path, with those of the shell.
fn check(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(&[&["check", "--render"], arguments].concat());
    // `cat` and the shell, without the programs that may be installed.
    for name in ["cat", "sh"] {
        let link = folder.path().join("bin").join(name);
        let found = env::split_paths(&env::var_os("PATH").unwrap())
            .map(|it| it.join(name))
            .find(|it| it.is_file());
        if !link.exists() {
            std::os::unix::fs::symlink(found.unwrap(), link).unwrap();
        }
    }
    command.env("PATH", folder.path().join("bin"));
    Run::from(command.output().unwrap())
}

#[test]
fn a_chart_is_rendered_and_its_templates_are_named() {
    let folder =
        folder(&[("helm", "echo 'walk.go:75: found symbolic link' >&2\ncat rendered.yaml")]);
    let arguments = ["charts/web", "--values", "a.yaml", "--values=b.yaml", "--set", "a.b=1"];
    let (stdout, stderr) = check(&folder, &arguments).expect(1);
    assert_eq!(stdout, "");
    let calls = "helm template charts/web --include-crds --values a.yaml --values b.yaml --set a.b=1 \
        --kube-version 1.37\n";
    assert_eq!(folder.read("calls"), calls);
    assert!(stderr.starts_with("walk.go:75: found symbolic link\nerror[wrong-type]"), "{stderr}");
    assert!(stderr.contains("--> charts/web (rendered):6:11"), "{stderr}");
    assert!(
        stderr.contains("the document is rendered from `charts/web/templates/a.yaml`"),
        "{stderr}"
    );
    let report = ["charts/web", "--format", "github", "--kubernetes", "1.35"];
    let (stdout, _) = check(&folder, &report).expect(1);
    assert!(stdout.starts_with("::error file=charts/web/templates/a.yaml,title="), "{stdout}");
    assert!(folder.read("calls").ends_with("--include-crds --kube-version 1.35\n"));
}

#[test]
fn a_chart_is_rendered_for_the_version_of_the_check() {
    let folder = folder(&[("helm", "cat rendered.yaml")]);
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n\
        spec: {kubernetes: NEWEST, environments: {old: {kubernetes: '1.33'}}}\n";
    folder.write("charts/sandboxc.yaml", &project.replace("NEWEST", "\"1.34\""));
    folder.write("other.yaml", &project.replace("NEWEST", "1.33..1.35"));
    for (arguments, version) in [
        (&["charts/web"][..], " --kube-version 1.34"),
        (&["charts/web", "--environment", "old"], " --kube-version 1.33"),
        (&["charts/web", "--kubernetes", "1.36"], " --kube-version 1.36"),
        (&["charts/web", "--kubernetes", "1.34,1.36"], ""),
        (&["charts/web", "--project", "other.yaml"], ""),
        (&["charts/web", "--no-project"], " --kube-version 1.37"),
    ] {
        check(&folder, arguments).expect(1);
        let calls = folder.read("calls");
        let call = format!("helm template charts/web --include-crds{version}");
        assert_eq!(calls.lines().last(), Some(&*call), "{arguments:?}");
    }
}

#[test]
fn a_kustomization_is_built_by_the_program_that_is_installed() {
    let print = "cat rendered.yaml";
    let both = folder(&[("kustomize", print), ("kubectl", print)]);
    let (_, stderr) = check(&both, &["base"]).expect(1);
    assert!(stderr.contains("--> base (rendered):6:11"), "{stderr}");
    assert_eq!(both.read("calls"), "kustomize build base\n");
    let one = folder(&[("kubectl", print)]);
    check(&one, &["base"]).expect(1);
    assert_eq!(one.read("calls"), "kubectl kustomize base\n");
}

#[test]
fn the_error_of_a_program_is_shown_as_it_is() {
    let message =
        "Error: template: web/templates/a.yaml:1:3: nil pointer evaluating\\n\\nUse --debug";
    let fail = format!("printf '{message}\\n' >&2\nexit 3");
    let folder = folder(&[("helm", &fail), ("kustomize", "kill -9 $$")]);
    let (stdout, stderr) = check(&folder, &["charts/web"]).expect(1);
    assert_eq!(stdout, "");
    let call = "helm template charts/web --include-crds --kube-version 1.37";
    let own = format!(
        "error: `{call}` failed: exit status: 3; nothing was checked\n  help: repair what helm reports, or run it \
         with other options and check its output: `{call} | sandboxc check -`\n"
    );
    assert_eq!(stderr, format!("{}\n{own}", message.replace("\\n", "\n")));
    let (_, stderr) = check(&folder, &["base"]).expect(1);
    assert!(stderr.contains("`kustomize build base` failed: signal: 9"), "{stderr}");
}

#[test]
fn a_missing_program_is_named_with_the_way_around_it() {
    let folder = folder(&[]);
    let (_, stderr) = check(&folder, &["charts/web"]).expect(2);
    let expected = "error: `helm` is not installed: it is not in the `PATH`\n  \
        help: install Helm, or render the chart elsewhere: `helm template charts/web | sandboxc check -`\n";
    assert_eq!(stderr, expected);
    let (_, stderr) = check(&folder, &["base"]).expect(2);
    assert!(
        stderr.starts_with("error: neither `kustomize` nor `kubectl` is installed"),
        "{stderr}"
    );
}

#[test]
fn other_inputs_are_refused() {
    let folder = folder(&[]);
    for input in ["charts", "rendered.yaml"] {
        let (_, stderr) = check(&folder, &[input]).expect(2);
        let expected = format!("error: `{input}` is neither a kustomization nor a Helm chart\n");
        assert!(stderr.starts_with(&expected), "{stderr}");
    }
    check(&folder, &[]).expect(2);
    let (_, stderr) = check(&folder, &["nowhere"]).expect(2);
    assert!(stderr.starts_with("error: cannot read `nowhere`"), "{stderr}");
    for option in ["--fix", "--diff", "--watch", "--against=x", "--against-git=x"] {
        let (_, stderr) = check(&folder, &["base", option]).expect(2);
        assert!(stderr.contains("cannot be used with"), "{stderr}");
    }
}
