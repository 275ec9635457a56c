//! `fixtures/diag/<rule>/`: `err_*` raises exactly the findings that it announces, `ok_*` does not
//! raise the rule.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use sandboxc::{Options, Paint, Workspace, compile, render_human};

use crate::support::{Compiled, diag, fixtures, found, root};

#[test]
fn each_fixture_raises_what_it_announces() {
    let mut failures = Vec::new();
    for Compiled { fixture, workspace, compilation } in diag() {
        let mut parts = fixture.name.split('/');
        let rule = parts.nth(1).expect("fixtures/diag/<rule>/<file>");
        let is_err = parts.next().expect("a file").starts_with("err_");
        let found = found(workspace, compilation);
        let raises_rule = found.iter().any(|it| it.split(' ').next() == Some(rule));
        if is_err != raises_rule || found != fixture.expected {
            let messages: Vec<_> =
                compilation.diagnostics.iter().map(|it| &it.details().message).collect();
            failures.push(format!(
                "{}\n  announced {:?}\n  found     {found:?}\n  messages  {messages:?}",
                fixture.name, fixture.expected
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The rendering of every `err_` fixture, so that each message is read before it is accepted.
#[test]
fn messages_are_as_accepted() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut failures = Vec::new();
    let mut names = BTreeSet::new();
    for Compiled { fixture, workspace, compilation } in diag() {
        let name = fixture.name.trim_start_matches("diag/").trim_end_matches(".yaml");
        if !name.contains("/err_") {
            continue;
        }
        let text = render_human(workspace, &compilation.diagnostics, Paint::Plain);
        let name = format!("diag__{}", name.replace('/', "@"));
        // A rejected snapshot must not hide the next one.
        let compare = || settings.bind(|| insta::assert_snapshot!(name.clone(), text));
        if catch_unwind(AssertUnwindSafe(compare)).is_err() {
            failures.push(fixture.name.clone());
        }
        names.insert(format!("{name}.snap"));
    }
    if env::var_os("INSTA_UPDATE").is_some_and(|it| it == "always") {
        remove_others(&names);
    }
    let accept = "INSTA_UPDATE=always cargo test --test suite";
    assert!(failures.is_empty(), "read, then accept with {accept}\n{}", failures.join("\n"));
}

/// An object with `generateName` has no name before it is created: messages show the prefix.
#[test]
fn no_message_shows_an_empty_name() {
    let generated = regex::Regex::new(r"(?m)^(metadata:(?:\n  .*)*? *\{?.*?)\bname: ").unwrap();
    let paths = fixtures("diag");
    let failures: Vec<_> = paths
        .par_iter()
        .flat_map_iter(|path| {
            let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
            let renamed = generated.replace_all(&text, "${1}generateName: ");
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", renamed.as_ref());
            let compilation = compile(&workspace, &Options::default());
            let texts = compilation.diagnostics.iter().flat_map(|it| {
                [&it.details().message]
                    .into_iter()
                    .chain(&it.details().notes)
                    .chain(&it.details().help)
            });
            let empty: Vec<_> = texts.filter(|it| it.contains("``")).cloned().collect();
            empty.into_iter().map(|it| format!("{}: {it}", path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Removes the snapshots of deleted fixtures.
fn remove_others(names: &BTreeSet<String>) {
    for entry in fs::read_dir(root().join("tests/suite/snapshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.starts_with("diag__") && !names.contains(&name) {
            fs::remove_file(root().join("tests/suite/snapshots").join(name)).unwrap();
        }
    }
}
