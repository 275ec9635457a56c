//! Applies the suggestions to every fixture: the input can still be read, there are no more errors
//! than before, and a second run changes nothing.

use sandboxc::{Compilation, Options, Safety, Severity, Workspace, compile, fix};
use serde::Deserialize as _;

use crate::support::{Fixture, fixtures, of_rules, of_rules_and_typos, portion, sampled};

fn errors(compilation: &Compilation) -> usize {
    compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error).count()
}

fn assert_fixes_are_sound(fixtures: Vec<Fixture>) -> usize {
    let mut failures = Vec::new();
    let mut applied = 0;
    for fixture in fixtures {
        let workspace = fixture.workspace();
        let before = compile(&workspace, &fixture.options);
        if before.diagnostics.iter().all(|it| it.details().suggestions.is_empty()) {
            continue;
        }
        for level in [Safety::Safe, Safety::Unsafe] {
            let fixed = fix(&workspace, &fixture.options, level);
            applied += fixed.applied;
            let mut fail =
                |what: &str| failures.push(format!("{} {level:?}: {what}", fixture.name));
            if errors(&fixed.compilation) > errors(&before) {
                fail("more errors");
            }
            if fixed.compilation.inputs.len() < before.inputs.len() {
                fail("an object cannot be read any more");
            }
            if fixed.applied > 0 && fix(&fixed.workspace, &fixture.options, level).applied > 0 {
                fail("a second run applies more");
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    applied
}

#[test]
fn fixes_of_fixtures_are_sound() {
    assert!(assert_fixes_are_sound(sampled(of_rules(), 64)) > portion(30, 30));
}

#[test]
fn fixes_of_typos_are_sound() {
    assert!(assert_fixes_are_sound(sampled(fixtures("typos"), 8)) > portion(20, 8));
}

/// The documents of a fixture as JSON, each with an end of line; none if a parser cannot read it.
fn as_json(fixture: &Fixture) -> Vec<String> {
    let text = String::from_utf8_lossy(&fixture.bytes);
    let documents = serde_yaml::Deserializer::from_str(&text);
    let read: Result<Vec<_>, _> = documents.map(serde_json::Value::deserialize).collect();
    let read = read.unwrap_or_default();
    read.iter().map(|it| serde_json::to_string_pretty(it).unwrap() + "\n").collect()
}

/// A fix in JSON stays JSON, in files of one document and in a stream.
#[test]
fn fixes_of_json_stay_json() {
    let (mut failures, mut applied) = (Vec::new(), 0);
    for fixture in sampled(of_rules_and_typos(), 48) {
        let documents = as_json(&fixture);
        let mut workspace = Workspace::new();
        match documents.as_slice() {
            [only] => workspace.add("a.json", only.as_str()),
            all => workspace.add("a.yaml", all.join("---\n")),
        };
        for level in [Safety::Unsafe, Safety::Safe] {
            let fixed = fix(&workspace, &fixture.options, level);
            if fixed.applied == 0 {
                break;
            }
            applied += fixed.applied;
            let texts = fixed.workspace.ids().map(|it| fixed.workspace.file(it).text().to_owned());
            let text: String = texts.collect();
            let mut documents = text.split("---\n").filter(|it| !it.trim().is_empty());
            if let Some(it) =
                documents.find(|it| serde_json::from_str::<serde_json::Value>(it).is_err())
            {
                failures.push(format!("{} {level:?}: {it}", fixture.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}: {}", failures.len(), failures.join("\n"));
    assert!(applied > portion(100, 50), "{applied}");
}

#[test]
fn keys_and_values_in_json_are_quoted() {
    let fixed = |text: &str| {
        let mut workspace = Workspace::new();
        workspace.add("a.json", text);
        let fixed = fix(&workspace, &Options::default(), Safety::Unsafe);
        fixed
            .workspace
            .ids()
            .map(|it| fixed.workspace.file(it).text().to_owned())
            .collect::<String>()
    };
    let job = r#"{"apiVersion": "batch/v1", "kind": "Job", "metdata": {"name": "a"}, "spec": {"backoffLimit": "3",
        "template": {"spec": {"restartpolicy": "never", "containers": [{"name": "a", "image": "a:1"}]}}}}"#;
    let right = job
        .replace("metdata", "metadata")
        .replace("\"3\"", "3")
        .replace("restartpolicy", "restartPolicy")
        .replace("never", "Never");
    assert_eq!(fixed(job), right);
}

#[test]
fn unsafe_suggestions_that_are_left_are_counted() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, imag: \"a:1\"}]\n";
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let left = |level| fix(&workspace, &Options::default(), level).unsafe_left;
    assert_eq!([Safety::Safe, Safety::Unsafe].map(left), [1, 0]);
}
