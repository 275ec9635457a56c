//! One object in many files.

use std::time::{Duration, Instant};

use sandboxc::{FileRole, Options, Purpose, Workspace, compile};

/// The rules and messages for one object in each file, and those of one file that has it twice.
fn findings(files: usize) -> Vec<(&'static str, String)> {
    let mut workspace = Workspace::new();
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    for number in 0..files {
        let file = workspace.add(format!("d{number}/a.yaml"), object);
        workspace.set_role(file, FileRole::Found);
    }
    let file = workspace.add("d0/b.yaml", format!("{object}---\n{object}"));
    workspace.set_role(file, FileRole::Found);
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let found = compile(&workspace, &options).diagnostics;
    found.iter().map(|it| (it.rule.name, it.details().message.as_prose().to_string())).collect()
}

#[test]
fn an_object_in_many_files_is_reported_in_linear_time() {
    let start = Instant::now();
    let found = findings(20_000);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    let expected = [
        ("object-in-several-files", "20000 objects are defined in more than one file"),
        ("object-duplicate", "duplicate object ConfigMap/a"),
    ];
    assert_eq!(found, expected.map(|(rule, message)| (rule, message.to_owned())));
}
