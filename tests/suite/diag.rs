//! The messages about the cases of rules. `tests/rules.rs` compares each case with its output.

use rayon::prelude::*;
use sandboxc::{Options, Workspace, compile};

use crate::support::{of_rules, sampled};

/// An object with `generateName` has no name before it is created: messages show the prefix.
#[test]
fn no_message_shows_an_empty_name() {
    let generated = regex::Regex::new(r"(?m)^(metadata:(?:\n  .*)*? *\{?.*?)\bname: ").unwrap();
    let failures: Vec<_> = sampled(of_rules(), 48)
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
