//! `fixtures/compile/<system>/cases.md`: valid definitions, and the printed objects.

use std::collections::BTreeMap;

use sandboxc::{Options, Severity, Workspace, compile, emit_stream};

use crate::support::{accepted, fixtures, found, root};

#[test]
fn each_fixture_compiles_to_its_output() {
    let mut outputs: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for fixture in fixtures("compile") {
        let (workspace, compilation) = fixture.compile();
        assert_eq!(found(&workspace, &compilation), fixture.expected, "{}", fixture.name);
        let is_error = |severity| severity == Severity::Error;
        assert!(
            !compilation.diagnostics.iter().any(|it| is_error(it.severity)),
            "{} is to be sound",
            fixture.name
        );
        let (folder, _) = fixture.name.rsplit_once('/').unwrap();
        let output = (fixture.case(), Some(emit_stream(&compilation.objects)));
        outputs.entry(format!("fixtures/{folder}/cases.md")).or_default().push(output);
    }
    let difference =
        |(path, outputs): (&String, &Vec<_>)| accepted::difference(path, outputs, "suite compile");
    let differences: Vec<_> = outputs.iter().filter_map(difference).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The files of the shipped example, by name.
fn example() -> Vec<(String, Vec<u8>)> {
    let folder = root().join("examples/quickstart");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn build(files: &[(String, Vec<u8>)]) -> String {
    let mut workspace = Workspace::new();
    for (name, bytes) in files {
        workspace.add(name.clone(), bytes.clone());
    }
    let compilation = compile(&workspace, &Options::default());
    let messages: Vec<_> = compilation.diagnostics.iter().map(|it| &it.details().message).collect();
    assert!(messages.is_empty(), "the example has nothing to complain about: {messages:?}");
    emit_stream(&compilation.objects)
}

#[test]
fn the_example_output_does_not_depend_on_file_order() {
    let mut files = example();
    let output = build(&files);
    for _ in 0..files.len() {
        files.rotate_left(1);
        assert_eq!(build(&files), output);
    }
    files.reverse();
    assert_eq!(build(&files), output);
}

#[test]
fn the_example_output_does_not_depend_on_the_number_of_threads() {
    let files = example();
    let output = build(&files);
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| build(&files)), output, "{threads} threads");
    }
}

#[test]
fn the_example_of_an_archive_has_no_findings() {
    let path = root().join("examples/osa/archive.yaml");
    let output = build(&[("archive.yaml".to_owned(), std::fs::read(path).unwrap())]);
    assert_eq!(output.matches("\nkind: Job\n").count(), 2);
}

#[test]
fn the_example_output_matches_the_readme() {
    let output = build(&example());
    let count = |kind: &str| output.matches(&format!("\nkind: {kind}\n")).count();
    let kinds = [
        ("SandboxTemplate", 2),
        ("SandboxWarmPool", 1),
        ("HorizontalPodAutoscaler", 1),
        ("SandboxClaim", 100),
        ("Sandbox", 1),
        ("NetworkPolicy", 1),
        ("ConfigMap", 1),
    ];
    for (kind, expected) in kinds {
        assert_eq!(count(kind), expected, "{kind}");
    }
}
