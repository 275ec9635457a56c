//! `completions`: what the scripts ask for, and the script of bash in bash.

use std::process::Command;

use crate::cli::Folder;
use crate::support::{binary, root};

/// A project with two environments, an object that only one of them changes, and a Secret.
fn project() -> Folder {
    Folder::new(&[
        (
            "sandboxc.yaml",
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec:\n  \
             environments: {staging: {}, prod: {}}\n",
        ),
        (
            "a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: team}\ndata: {key: a}\n---\n\
             apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {key: hidden}\n",
        ),
    ])
}

/// The answer for words, of which the last one is completed, in a folder.
fn answer(folder: &Folder, words: &[&str]) -> String {
    let (stdout, stderr) =
        folder.run(&[&["completions", "kubectl", "--"], words].concat()).expect(0);
    assert_eq!(stderr, "");
    stdout
}

#[test]
fn each_script_asks_the_program() {
    let folder = Folder::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh", "kubectl"] {
        let (stdout, _) = folder.run(&["completions", shell]).expect(0);
        assert!(stdout.contains(&format!(" completions {shell} ")), "{shell}: {stdout}");
    }
    let commands = answer(&folder, &[""]);
    for verb in ["build", "check", "split", "explain", "init", "version"] {
        assert!(commands.contains(&format!("\n{verb}\t")), "{verb}: {commands}");
    }
}

#[test]
fn what_depends_on_the_project_is_completed() {
    let folder = project();
    assert_eq!(answer(&folder, &["build", "--environment", ""]), "prod\nstaging\n:4\n");
    assert_eq!(answer(&folder, &["build", "--environment", "prod,s"]), "prod,staging\n:4\n");
    assert_eq!(answer(&folder, &["build", "--environment=p"]), "--environment=prod\n:4\n");
    let objects = answer(&folder, &["why", ""]);
    assert_eq!(objects, "ConfigMap/team/web\nSecret/token\n:0\n");
    assert_eq!(answer(&folder, &["why", "a.yaml", "Conf"]), "ConfigMap/team/web\n:0\n");
    assert_eq!(answer(&folder, &["why", "ConfigMap/web", "data."]), "data.key\n:4\n");
    let secret = answer(&folder, &["why", "Secret/token", "stringData."]);
    assert_eq!(secret, "stringData.key\n:4\n", "a value of a secret is not shown");
}

#[test]
fn a_project_that_cannot_be_read_completes_nothing() {
    let folder = Folder::new(&[("a.yaml", "a: [\n"), ("sandboxc.yaml", "\u{1}")]);
    for words in [&["why", ""][..], &["build", "--environment", ""], &["why", "a.yaml", "no", ""]] {
        let text = answer(&folder, words);
        assert!(text.starts_with(':'), "{words:?}: {text}");
    }
}

#[test]
fn rules_kinds_and_fields_are_completed_with_a_description() {
    let folder = Folder::new(&[]);
    for (words, expected) in [
        (&["check", "--deny", "unknown-fie"][..], "unknown-field\tChecks for "),
        (&["check", "--deny=warn"], "--deny=warnings\tall warnings\n"),
        (&["explain", "unknown-fie"], "unknown-field\tChecks for "),
        (&["explain", "Template.network.eg"], "Template.network.egress\t"),
        (&["explain", "SandboxTemplate.spec.podT"], "SandboxTemplate.spec.podTemplate\t"),
        (&["schema", "--for", "WarmP"], "WarmPool\n"),
        (&["build", "--target", "kelos=r"], "kelos=resources\tfor kelos\n"),
        (&["check", "--report", "sar"], "sarif=\tSARIF 2.1.0"),
        (&["check", "--report=sarif="], ":0\n"),
        (&["build", "-o", ""], ":16\n"),
        (&["che"], "check\t"),
        (&["crds", "coll"], "collect\t"),
        (&["check", "--colo"], "--color\tWhen to color"),
    ] {
        let text = answer(&folder, words);
        assert!(text.starts_with(expected), "{words:?}: {text}");
    }
    assert!(!answer(&folder, &["check", "--quiet", "--"]).contains("--quiet"), "given already");
}

#[test]
fn an_empty_word_can_be_an_option() {
    let folder = Folder::new(&[]);
    let (stdout, _) = folder.run(&["completions", "powershell", "--empty", "--", "crds"]).expect(0);
    assert!(stdout.starts_with("agent-sandbox\n"), "{stdout}");
}

#[test]
#[cfg(unix)]
fn bash_completes_words_with_equal_signs_and_inside_a_line() {
    let folder = project();
    let driver = root().join("tools/completions/bash.sh");
    for (line, expected) in [
        ("sandboxc che", "check "),
        ("sandboxc build --environment=p", "prod "),
        ("sandboxc build --environment  pr", "prod "),
        ("sandboxc why ConfigMap/team/web data", "data.key "),
        ("sandboxc check --report sarif", "sarif= "),
        ("sandboxc check a.y", "a.yaml "),
        ("sandboxc check --values=a.y", "a.yaml "),
    ] {
        let mut command = Command::new("bash");
        command.arg(&driver).arg(binary()).arg(line).current_dir(folder.path());
        let output = command.output().unwrap();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout, expected, "{line}: {stderr}");
    }
}
