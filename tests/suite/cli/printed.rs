//! The forms of the output, and output among the input.

use std::fs::File;

use serde::Deserialize as _;

use super::{Folder, OBJECT, Run};

const TEMPLATE: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\n\
    metadata: {name: python, namespace: agents}\nspec:\n  image: python:3.13\n  \
    podSecurityContext: {runAsUser: 1000}\n";

#[test]
fn objects_are_printed_as_a_json_list() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", TEMPLATE)]);
    let (stdout, stderr) = folder.run(&["build", ".", "--to", "json"]).expect(0);
    assert_eq!(stderr, "");
    let list: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&list["apiVersion"], &list["kind"]), (&"v1".into(), &"List".into()));
    let (yaml, _) = folder.run(&["build", "."]).expect(0);
    let objects = serde_yaml::Deserializer::from_str(&yaml);
    let objects = objects.map(|it| serde_json::Value::deserialize(it).unwrap());
    assert_eq!(list["items"], objects.collect::<serde_json::Value>());
    let (checked, _) = folder.run_with_stdin(&["build", "-", "--to=json"], &stdout).expect(0);
    assert_eq!(checked, stdout);
    let run = folder.run(&["build", ".", "--to=json", "--annotate"]);
    assert!(run.expect(2).1.contains("`--to json` cannot be combined with"));
}

#[test]
fn a_directory_can_have_files_in_json() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", TEMPLATE)]);
    let (list, _) = folder.run(&["build", "a.yaml", "b.yaml", "--to=json"]).expect(0);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    folder.run(&["build", "a.yaml", "b.yaml", "--to=json", "-o", "out"]).expect(0);
    let names = [
        ".sandboxc-files",
        "15_configmap_default_web.json",
        "50_sandboxtemplate_agents_python.json",
    ];
    assert_eq!(folder.list("out"), names);
    for (item, name) in list["items"].as_array().unwrap().iter().zip(&names[1..]) {
        let text = folder.read(&format!("out/{name}"));
        assert_eq!(item, &serde_json::from_str::<serde_json::Value>(&text).unwrap());
        assert!(text.ends_with("}\n"), "{text}");
    }
    // Another format replaces the files.
    folder.run(&["build", "a.yaml", "b.yaml", "-o", "out"]).expect(0);
    assert_eq!(
        folder.list("out")[1..],
        names[1..].iter().map(|it| it.replace("json", "yaml")).collect::<Vec<_>>()
    );
}

#[test]
fn a_dash_prints_and_a_format_of_kubectl_is_a_question() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    for verb in ["build", "effective"] {
        let printed = folder.run(&[verb, "a.yaml"]).expect(0).0;
        assert_eq!(folder.run(&[verb, "a.yaml", "-o", "-"]).expect(0).0, printed);
        assert_eq!(folder.run(&[verb, "a.yaml", "-o-"]).expect(0).0, printed);
        for (word, help) in [
            ("yaml", "to print YAML, write `--to yaml`"),
            ("json", "to print JSON, write `--to json`"),
            ("name", "`--to` selects the format"),
            ("jsonpath={.a}", "`--to` selects the format"),
        ] {
            let (stdout, stderr) = folder.run(&[verb, "a.yaml", "-o", word]).expect(2);
            assert_eq!(stdout, "");
            assert!(stderr.contains("names a directory, not a format"), "{stderr}");
            assert!(stderr.contains(help), "{stderr}");
        }
    }
    // The other words that `kubectl get -o` accepts.
    for word in [
        "kyaml",
        "wide",
        "table",
        "jsonpath",
        "jsonpath-as-json={.a}",
        "jsonpath-file=a",
        "go-template={{.a}}",
        "go-template-file=a",
        "custom-columns=A:.a",
        "custom-columns-file=a",
    ] {
        let (_, stderr) = folder.run(&["build", "a.yaml", "-o", word]).expect(2);
        assert!(stderr.contains("names a directory, not a format"), "{word}: {stderr}");
    }
    assert_eq!(folder.list("."), ["a.yaml"]);
    folder.run(&["build", "a.yaml", "-o", "./yaml"]).expect(0);
    assert_eq!(folder.list("."), ["a.yaml", "yaml"]);
}

/// Runs a command with standard output redirected to a file.
fn redirected(folder: &Folder, arguments: &[&str], file: &str) -> Run {
    let output = File::create(folder.path().join(file)).unwrap();
    Run::from(folder.command(arguments).stdout(output).output().unwrap())
}

#[cfg(unix)]
#[test]
fn the_file_that_a_build_is_redirected_to_is_not_an_input() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("t.yaml", TEMPLATE)]);
    for _ in 0..2 {
        let (_, stderr) = redirected(&folder, &["build", "."], "out.yaml").expect(0);
        assert_eq!(stderr, "");
    }
    assert!(folder.read("out.yaml").contains("kind: SandboxTemplate"));
    let (_, stderr) = redirected(&folder, &["build", "a.yaml", "out.yaml"], "out.yaml").expect(2);
    assert!(
        stderr.contains("cannot read `out.yaml`: standard output is redirected to it"),
        "{stderr}"
    );
}

#[test]
fn the_output_of_an_earlier_build_is_recognized() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("t.yaml", TEMPLATE)]);
    let (yaml, _) = folder.run(&["build", "."]).expect(0);
    let (json, _) = folder.run(&["build", ".", "--to=json"]).expect(0);
    folder.write("out.yaml", &yaml);
    folder.write("out/all.json", &json);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.starts_with("note[build-output-skipped]: skipped 2 files: "), "{stderr}");
    assert!(stderr.contains("checked 2 objects in 2 files for"), "{stderr}");
    let (stdout, _) = folder.run(&["build", "."]).expect(0);
    assert_eq!(stdout, yaml);
    // The layout of `fmt` does not hide where it comes from.
    assert_eq!(folder.run(&["fmt", "out.yaml"]).expect(0).1, "formatted 1 file\n");
    assert_ne!(folder.read("out.yaml"), yaml);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.starts_with("note[build-output-skipped]: skipped 2 files: "), "{stderr}");
    // An older version of the definitions.
    folder.write("t.yaml", &TEMPLATE.replace("3.13", "3.14"));
    folder.run(&["check", "."]).expect(0);
    // An edited file is a manifest.
    folder.write("out.yaml", &yaml.replace("name: python\n", "name: 'python'\n"));
    let (_, stderr) = folder.run(&["check", "."]).expect(1);
    assert!(stderr.contains("error[object-duplicate]"), "{stderr}");
}
