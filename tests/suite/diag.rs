//! The fixtures of rules: the examples of their pages, and `fixtures/diag/<rule>/`. `err_*` raises
//! exactly the findings that it announces, `ok_*` does not raise the rule. Pages announce nothing: a
//! snapshot has all findings of an example.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rayon::prelude::*;
use sandboxc::{Options, Paint, Workspace, compile, render_human};

use crate::support::{Compiled, diag, found, of_rules, root, updates};

/// The maximum number of findings in a snapshot.
const MAX_SHOWN: usize = 20;

#[test]
fn each_fixture_raises_what_it_announces() {
    let mut failures = Vec::new();
    for Compiled { fixture, workspace, compilation } in diag().iter().chain(updates()) {
        let mut parts = fixture.name.split('/');
        let rule = parts.nth(1).expect("fixtures/diag/<rule>/<file>");
        let is_err = parts.next().expect("a file").starts_with("err_");
        let found = found(workspace, compilation);
        let raises_rule = found.iter().any(|it| it.split(' ').next() == Some(rule));
        if is_err != raises_rule || found != fixture.expected && !fixture.is_page() {
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

/// The rendering of every `err_` fixture and of each example of a page that has findings, so that each
/// message is read before it is accepted.
#[test]
fn messages_are_as_accepted() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut failures = Vec::new();
    let mut names = BTreeSet::new();
    for Compiled { fixture, workspace, compilation } in diag().iter().chain(updates()) {
        let name = fixture.name.trim_start_matches("diag/").trim_end_matches(".yaml");
        let is_shown = fixture.is_page() && !compilation.diagnostics.is_empty();
        if !name.contains("/err_") && !is_shown {
            continue;
        }
        // The example of the limit on findings has as many.
        let (first, others) =
            compilation.diagnostics.split_at_checked(MAX_SHOWN).unwrap_or_default();
        let text = match others.len() {
            0 => render_human(workspace, &compilation.diagnostics, Paint::Plain),
            count => {
                render_human(workspace, first, Paint::Plain) + &format!("... and {count} others\n")
            }
        };
        let name = format!("diag__{}", name.replace('/', "@"));
        // A rejected snapshot must not hide the next one.
        let compare = || settings.bind(|| insta::assert_snapshot!(name.clone(), text));
        if catch_unwind(AssertUnwindSafe(compare)).is_err() {
            failures.push(fixture.name.clone());
        }
        names.insert(format!("{name}.snap"));
    }
    let others = others(&names);
    if env::var_os("INSTA_UPDATE").is_some_and(|it| it == "always") {
        for other in others {
            fs::remove_file(other).unwrap();
        }
    } else {
        failures.extend(others.iter().map(|it| format!("no longer so: {}", it.display())));
    }
    let accept = "INSTA_UPDATE=always cargo test --test suite";
    assert!(failures.is_empty(), "read, then accept with {accept}\n{}", failures.join("\n"));
}

/// An object with `generateName` has no name before it is created: messages show the prefix.
#[test]
fn no_message_shows_an_empty_name() {
    let generated = regex::Regex::new(r"(?m)^(metadata:(?:\n  .*)*? *\{?.*?)\bname: ").unwrap();
    let failures: Vec<_> = of_rules()
        .into_par_iter()
        .flat_map_iter(|fixture| {
            let text = String::from_utf8_lossy(&fixture.bytes);
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
            let empty: Vec<_> = texts.filter(|it| it.as_prose().contains("``")).cloned().collect();
            empty
                .into_iter()
                .map(|it| format!("{}: {}", fixture.name, it.as_prose()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The snapshots of deleted fixtures, and of examples that have no findings any more.
fn others(names: &BTreeSet<String>) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests/suite/snapshots")).unwrap();
    let is_other = |name: &str| name.starts_with("diag__") && !names.contains(name);
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|it| is_other(it.file_name().unwrap().to_str().unwrap())).collect()
}
