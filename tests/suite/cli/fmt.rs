//! `fmt`, `--check` and `--diff`.

use super::{BROKEN, Folder, OBJECT};
use crate::support::{inputs, root, sampled};

const LIST: &str = "kind: List\napiVersion: v1\nitems:\n- kind:   Pod # one\n";
const FORMATTED: &str = "kind: List\napiVersion: v1\nitems:\n  - kind: Pod # one\n";

#[test]
fn files_are_written_once() {
    let folder = Folder::new(&[("a/list.yaml", LIST), ("b.yaml", OBJECT), ("c.txt", LIST)]);
    let (stdout, stderr) = folder.run(&["fmt", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "formatted 1 file\n"));
    assert_eq!(folder.read("a/list.yaml"), FORMATTED);
    assert_eq!((folder.read("b.yaml").as_str(), folder.read("c.txt").as_str()), (OBJECT, LIST));
    let (stdout, stderr) = folder.run(&["fmt", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
    assert_eq!(folder.list("."), ["a", "b.yaml", "c.txt"]);
}

#[test]
fn check_and_diff_change_no_file() {
    let folder = Folder::new(&[("list.yaml", LIST), ("object.yaml", OBJECT)]);
    let (stdout, stderr) = folder.run(&["fmt", "--check", "."]).expect(1);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("list.yaml\n", "would format 1 file\n"));
    let (stdout, stderr) = folder.run(&["fmt", "--diff", "."]).expect(1);
    let diff = "--- list.yaml\n+++ list.yaml\n@@ -1,4 +1,4 @@\n kind: List\n apiVersion: v1\n items:\n\
        -- kind:   Pod # one\n+  - kind: Pod # one\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), (diff, "would format 1 file\n"));
    assert_eq!(folder.read("list.yaml"), LIST);
    let (stdout, stderr) = folder.run(&["fmt", "--check", "object.yaml"]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
}

#[test]
fn standard_input_is_printed() {
    let folder = Folder::new(&[("b.yaml", LIST)]);
    let (stdout, stderr) = folder.run_with_stdin(&["fmt", "-"], LIST).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), (FORMATTED, ""));
    let (stdout, _) = folder.run_with_stdin(&["fmt", "-"], FORMATTED).expect(0);
    assert_eq!(stdout, FORMATTED);
    let (stdout, _) = folder.run_with_stdin(&["fmt", "--check", "-"], LIST).expect(1);
    assert_eq!(stdout, "<stdin>\n");
    let (stdout, stderr) = folder.run_with_stdin(&["fmt", "-"], BROKEN).expect(1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("error"), "{stderr}");
    assert_eq!(folder.read("b.yaml"), LIST);
}

#[test]
fn a_file_with_errors_is_reported_and_the_others_are_written() {
    let broken = format!("{OBJECT}{BROKEN}");
    let folder = Folder::new(&[("a.yaml", &broken), ("b.yaml", LIST)]);
    let (_, stderr) = folder.run(&["fmt", "."]).expect(1);
    assert!(stderr.contains("--> a.yaml:4:") && stderr.ends_with("formatted 1 file\n"), "{stderr}");
    assert_eq!((folder.read("a.yaml"), folder.read("b.yaml")), (broken, FORMATTED.to_owned()));
}

#[test]
fn errors_show_no_secret() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  password: s3cr3tv4lue\n x: y\n";
    let folder = Folder::new(&[("a.yaml", secret)]);
    let (_, stderr) = folder.run(&["fmt", "a.yaml"]).expect(1);
    assert!(stderr.contains("a.yaml:") && !stderr.contains("s3cr3tv4lue"), "{stderr}");
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n    password: s3cr3tv4lue\n";
    let folder = Folder::new(&[("a.yaml", secret)]);
    let (stdout, _) = folder.run(&["fmt", "--diff", "a.yaml"]).expect(1);
    assert!(stdout.contains("+  password: ") && !stdout.contains("s3cr3tv4lue"), "{stdout}");
}

#[test]
fn templates_and_other_files_are_left() {
    let template = "apiVersion: v1\nkind: Pod\nmetadata:\n    name: {{ .Release.Name }}-a\n";
    let folder = Folder::new(&[
        ("chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n"),
        ("chart/templates/list.yaml", LIST),
        ("template.yaml", template),
        ("values.yaml", "a:\n- b\n"),
        ("list.json", "{\"kind\":\"Pod\",\n\"apiVersion\":\"v1\"}"),
        ("list.yaml", LIST),
    ]);
    let (_, stderr) = folder.run(&["fmt", "."]).expect(0);
    assert!(stderr.contains("skipped 1 template: it is not rendered"), "{stderr}");
    assert!(stderr.contains("skipped 1 Helm chart"), "{stderr}");
    assert!(!stderr.contains("sandboxc check"), "{stderr}");
    assert!(stderr.ends_with("formatted 1 file\n"), "{stderr}");
    assert_eq!(folder.read("template.yaml"), template);
    let (_, stderr) = folder.run(&["fmt", "template.yaml"]).expect(0);
    assert!(stderr.contains("skipped 1 template"), "{stderr}");
    let (stdout, _) = folder.run_with_stdin(&["fmt", "-"], template).expect(0);
    assert_eq!(stdout, template);
    folder.run(&["fmt", "values.yaml"]).expect(0);
    assert_eq!(folder.read("values.yaml"), "a:\n  - b\n");
}

#[test]
fn the_output_of_build_is_left() {
    let list = "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b}\nspec:\n  ports: [{port: 80}]\n";
    let folder = Folder::new(&[("in/a.yaml", list)]);
    folder.run(&["build", "in", "-o", "out"]).expect(0);
    let (_, stderr) = folder.run(&["fmt", "."]).expect(0);
    assert_eq!(stderr, "");
    let name = folder.list("out").into_iter().find(|name| name.contains("service")).unwrap();
    let generated = format!("out/{name}");
    let before = folder.read(&generated);
    for command in ["fmt", "migrate"] {
        let (_, stderr) = folder.run(&[command, &generated]).expect(0);
        let note = format!("skipped 1 generated file: `{generated}`; `build -o` writes it again\n");
        assert_eq!((stderr, folder.read(&generated)), (note, before.clone()));
    }
    folder.run(&["build", "in", "-o", "out"]).expect(0);
    let (stdout, _) = folder.run(&["build", "in"]).expect(0);
    let (formatted, _) = folder.run_with_stdin(&["fmt", "-"], &stdout).expect(0);
    assert_eq!(formatted, stdout.replace("  - port: 80", "    - port: 80"));
}

#[test]
fn the_examples_have_the_canonical_layout() {
    let folder = Folder::new(&[]);
    let examples = root().join("examples");
    let (stdout, _) = folder.run(&["fmt", "--check", examples.to_str().unwrap()]).expect(0);
    assert_eq!(stdout, "");
}

#[test]
fn formatted_fixtures_are_the_same_documents() {
    let mut count = 0;
    for (name, bytes) in sampled(inputs(""), 12) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let Ok(formatted) = sandboxc::format(&text) else { continue };
        assert_eq!(sandboxc::format(&formatted).unwrap(), formatted, "{name}");
        assert_eq!(trees(&text), trees(&formatted), "{name}");
        count += 1;
    }
    assert!(count > 150, "{count}");
}

/// The documents of a text, by a reader that the formatter does not use.
fn trees(text: &str) -> Vec<Option<serde_yaml::Value>> {
    let documents = serde_yaml::Deserializer::from_str(text);
    documents.map(|it| serde::Deserialize::deserialize(it).ok()).take(1_000).collect()
}
