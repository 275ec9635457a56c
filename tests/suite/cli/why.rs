//! `why` and `build --annotate` as commands.

use serde_json::{Value, json};

use super::{BROKEN, Folder, OBJECT};

/// The name of an item decides which items are merged, so both layers have it.
#[test]
fn a_name_of_an_item_has_one_layer() {
    let template = |name: &str, spec: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"
        )
    };
    let base = template("base", "abstract: true, image: 'a:1', env: [{name: A, value: b}]");
    let own = template("own", "extends: base, env: [{name: A, value: c}]");
    let folder = Folder::new(&[("a.yaml", &format!("{base}---\n{own}"))]);
    let lines = |field: &str| {
        let path = format!("spec.podTemplate.spec.containers[0].env[0].{field}");
        let (stdout, _) = folder.run(&["why", "a.yaml", "SandboxTemplate/own", &path]).expect(0);
        stdout.lines().filter(|it| it.contains("a.yaml:")).count()
    };
    assert_eq!((lines("name"), lines("value")), (1, 2));
}

#[test]
fn a_line_of_an_override_says_so() {
    let server = "apiVersion: sandboxc.dev/v1alpha1\nkind: Server\nmetadata: {name: a}\nspec:\n  image: 'a:1'\n  \
        podOverrides:\n    hostAliases: [{ip: 127.0.0.1, hostnames: [a.example.com]}]\n";
    let folder = Folder::new(&[("a.yaml", server)]);
    let (stdout, _) = folder.run(&["build", "--annotate", "a.yaml"]).expect(0);
    assert!(stdout.contains("  hostAliases:  # a.yaml:7 podOverrides\n"), "{stdout}");
    assert!(stdout.contains("  image: a:1  # a.yaml:5\n"), "{stdout}");
}

#[test]
fn arguments_are_inputs_then_the_object_then_a_path() {
    let folder = Folder::new(&[("defs/a.yaml", OBJECT)]);
    let (stdout, stderr) = folder.run(&["why", "defs", "ConfigMap/web", "metadata.name"]).expect(0);
    let expected = "ConfigMap/web metadata.name: web\n\n  \
        * defs/a.yaml:3:18  ConfigMap/default/web metadata.name  web\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), (expected, ""));
    let (stdout, _) = folder.run(&["why", "defs", "ConfigMap/default/web"]).expect(0);
    assert!(stdout.starts_with("apiVersion: v1  # defs/a.yaml:1\n"), "{stdout}");
    let (annotated, _) = folder.run(&["build", "defs", "--annotate"]).expect(0);
    assert_eq!(annotated, stdout);
    let path = "metadata.name";
    let (json, _) = folder.run(&["why", "defs", "ConfigMap/web", path, "--to", "json"]).expect(0);
    let answer: Value = serde_json::from_str(&json).unwrap();
    let layer = json!({"file": "defs/a.yaml", "line": 3, "column": 18, "value": "web", "path": null, "reads": [],
        "layer": "ConfigMap/default/web metadata.name"});
    let field = json!({"path": path, "value": "web", "layers": [layer], "notes": []});
    assert_eq!(answer, json!({"format": 1, "object": "ConfigMap/web", "fields": [field]}));
    let (json, _) = folder.run(&["why", "defs", "ConfigMap/web", "--to", "json"]).expect(0);
    let answer: Value = serde_json::from_str(&json).unwrap();
    let fields = answer["fields"].as_array().unwrap();
    let paths: Vec<_> = fields.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert!(paths.starts_with(&["apiVersion", "kind", path]), "{paths:?}");
    folder.run(&["build", "defs", "--annotate", "-o", "out"]).expect(0);
    assert_eq!(folder.read("out/15_configmap_default_web.yaml"), stdout);
}

#[test]
fn objects_have_the_names_of_kubectl_and_of_definitions() {
    let task = "apiVersion: sandboxc.dev/v1alpha1\nkind: Task\nmetadata: {name: fix, namespace: lab}\nspec: \
                {agent: claude-code, credentials: {type: none}, prompt: Fix it., image: \"a:1\"}\n";
    let folder = Folder::new(&[("a.yaml", OBJECT), ("task.yaml", task)]);
    let (expected, _) = folder.run(&["why", ".", "Job/fix", "spec.backoffLimit"]).expect(0);
    for (object, path) in [
        ("job/fix", "spec.backoffLimit"),
        ("jobs.batch/lab/fix", ".spec.backoffLimit"),
        ("Task/fix", "{.spec.backoffLimit}"),
        ("task/lab/fix", ".spec.backoffLimit"),
    ] {
        let (stdout, _) = folder.run(&["why", ".", object, path]).expect(0);
        assert_eq!(stdout, expected, "{object}");
    }
    let (stdout, _) = folder.run(&["why", "a.yaml", "cm/web", ".metadata.name"]).expect(0);
    assert!(stdout.starts_with("ConfigMap/web metadata.name: web\n"), "{stdout}");
}

#[test]
fn an_unknown_object_is_a_usage_error() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", BROKEN)]);
    let ask =
        |arguments: &[&str], status| folder.run(&[&["why"], arguments].concat()).expect(status);
    let (_, stderr) = ask(&["a.yaml", "ConfigMap/wab"], 2);
    assert!(stderr.contains("object `ConfigMap/wab` not found in the output"), "{stderr}");
    assert!(stderr.contains("did you mean `ConfigMap/web`?"), "{stderr}");
    let (_, stderr) = ask(&["a.yaml", "Secret/web"], 2);
    assert!(stderr.contains("objects with this name: `ConfigMap/default/web`"), "{stderr}");
    let (_, stderr) = ask(&["a.yaml"], 2);
    assert!(stderr.contains("`a.yaml` is neither an object nor a path after one"), "{stderr}");
    let (stdout, stderr) = ask(&["a.yaml", "ConfigMap/web", "data.x"], 0);
    assert!(stdout.starts_with("ConfigMap/web data.x is not set\n"), "{stdout}");
    assert!(
        stdout.contains("is not compiled from a definition: set the field at a.yaml:1"),
        "{stderr}"
    );
    let (stdout, stderr) = ask(&["a.yaml", "b.yaml", "ConfigMap/web"], 1);
    assert!(stdout.is_empty() && stderr.starts_with("error[unclosed-bracket]"), "{stderr}");
}
