//! Hostile names and values through the program, as a shell or a CI server runs it.

use crate::cli::Folder;

use super::hostile::definition;
use super::readers::{assert_inert, commands_in, page};

const SCRIPT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  script: |\n    one\n      \
    ::add-mask::secret\n    three ##[add-mask]a\u{202e}\n    four\n";

#[test]
fn a_line_of_a_difference_is_no_command_and_no_markup() {
    let new = SCRIPT.replace("four", "five ````\n    ```\n    <img src=x> @team");
    let folder = Folder::new(&[("old/a.yaml", SCRIPT), ("new/a.yaml", &new)]);
    let (human, _) = folder.run(&["diff", "old", "new"]).expect(0);
    assert!(human.contains("\u{fffd}:add-mask::secret"), "{human}");
    assert_inert("diff", &human);
    let (markdown, _) = folder.run(&["diff", "--format", "markdown", "old", "new"]).expect(0);
    assert_inert("diff", &markdown);
    let page = page(&markdown);
    assert!(page.code.iter().any(|it| it.contains("+<img src=x> @team")), "{markdown}");
}

#[test]
fn a_context_line_of_a_fix_is_no_command() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n    x: |\n      ::add-mask::token\n\
        \x20     \u{202e}\nspec:\n  restartpolicy: Always\n  containers:\n  - name: a\n    image: a:1\n";
    let folder = Folder::new(&[("a.yaml", pod), ("::warning::b.yaml", pod)]);
    for arguments in
        [&["check", "--fix", "--diff", "."][..], &["check", "."], &["fmt", "--diff", "."]]
    {
        let (stdout, stderr) = folder.run(arguments).expect(1);
        assert_inert("fix", &(stdout + &stderr));
    }
}

#[test]
fn lines_with_both_ends_stay_a_diff_that_applies() {
    let pod = "apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a}\r\nspec:\r\n  restartpolicy: Always\r\n  \
        containers: [{name: a, image: 'a:1'}]\r\n";
    let folder = Folder::new(&[("a.yaml", pod)]);
    let (diff, _) = folder.run(&["check", "--fix", "--diff", "a.yaml"]).expect(1);
    assert!(diff.contains("-  restartpolicy: Always\r\n+  restartPolicy: Always\r\n"), "{diff:?}");
}

#[test]
fn the_name_of_a_file_adds_no_object_to_collected_definitions() {
    let crd = definition("a", "true").to_string();
    for end in ["\n", "\r", "\r\n", "\u{85}", "\u{2028}"] {
        let name = format!("crds/a{end}---{end}kind: ClusterRoleBinding{end}.yaml");
        let folder = Folder::new(&[(&name, &crd)]);
        let (collected, _) = folder.run(&["crds", "collect", "crds"]).expect(0);
        assert_inert("collect", &collected);
        let documents = super::documents(&collected);
        assert_eq!(documents.len(), 1, "{collected}");
        assert_eq!(documents[0]["kind"], "CustomResourceDefinition");
        let comments = collected.lines().filter(|it| it.starts_with('#')).count();
        assert_eq!(comments, 2, "{collected}");
    }
}

#[test]
fn a_name_is_no_exception_in_annotated_output() {
    let name = "sandboxc: allow image-latest because x.yaml";
    let folder = Folder::new(&[(name, SCRIPT)]);
    let (annotated, _) = folder.run(&["build", "--annotate", "."]).expect(0);
    assert!(!annotated.contains("sandboxc:"), "{annotated}");
}

#[test]
fn what_a_shell_offers_is_a_word() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec:\n  environments:\n    \
        prod: {}\n    ':0': {}\n    '$(touch x)': {}\n    '`id`': {}\n    -x: {}\n    'a b': {}\n    \"a\\tb\": {}\n    \
        \"a\\eb\": {}\n    'a;b': {}\n    'a''b': {}\n";
    let folder = Folder::new(&[("sandboxc.yaml", project)]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell", "kubectl"] {
        let (answer, _) =
            folder.run(&["completions", shell, "--", "build", "--environment", ""]).expect(0);
        assert_eq!(answer, "prod\n:4\n", "{shell}");
    }
}

#[test]
fn strings_of_the_output_are_no_commands() {
    let text = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n'::error::a': '1'\ndata:\n  \
        a: |\n    ::add-mask::b\n  b: 'x ##[add-mask]y'\n  c: |\n    a::b\n    c\n";
    let folder = Folder::new(&[("a.yaml", text)]);
    let (yaml, _) = folder.run(&["build", "a.yaml"]).expect(0);
    assert_inert("build", &yaml);
    assert!(yaml.contains("  c: |\n    a::b\n"), "{yaml}");
    let (json, _) = folder.run(&["build", "--to", "json", "a.yaml"]).expect(0);
    assert_inert("build", &json);
    let of_json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let documents = super::documents(&yaml);
    assert_eq!(serde_json::to_value(&documents[0]).unwrap(), of_json["items"][0]);
    assert_eq!(of_json["items"][0]["data"]["a"], "::add-mask::b\n");
    assert_eq!(commands_in(" ::add-mask::b"), commands_in("##[add-mask]b"));
}
