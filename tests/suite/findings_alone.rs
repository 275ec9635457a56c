//! A run for only the findings has the same findings as a run with objects.

use std::fmt::Write as _;

use rayon::prelude::*;
use sandboxc::{Compilation, Diagnostic, Options, Purpose, Workspace, compile};

use crate::support::{Compiled, Fixture, diag, fixtures, sampled};

fn shown(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().fold(String::new(), |mut text, it| {
        let place = (&it.primary, &it.details().secondary, &it.details().path);
        let words = (
            &it.details().message,
            &it.details().notes,
            &it.details().help,
            &it.details().suggestions,
        );
        let _ = writeln!(text, "{} {:?} {words:?} {place:?}", it.rule.name, it.severity);
        text
    })
}

#[test]
fn skipping_subtrees_hides_nothing_from_any_rule() {
    let of_rules = sampled(diag(), 8).into_par_iter().filter_map(|compiled| {
        let Compiled { fixture, compilation, .. } = compiled;
        difference(Fixture::new(fixture.name.clone(), fixture.bytes.clone()), Some(compilation))
    });
    // The policies are many cases; as one file, they cost as much as a run may.
    let others = ["compile", "crd", "conformance"].into_iter().flat_map(fixtures);
    let others = others.filter(|it| !it.name.starts_with("conformance/policies/"));
    let others = sampled(others, 48).into_par_iter().filter_map(|it| difference(it, None));
    let failures: Vec<_> = of_rules.chain(others).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The findings with objects, which may be known already, and those of a run without, if they differ.
fn difference(mut fixture: Fixture, with_objects: Option<&Compilation>) -> Option<String> {
    // An import always has objects, and the objects of controllers have findings of their own.
    if fixture.is_import || fixture.options.purpose == Purpose::Effective {
        return None;
    }
    let expected = match with_objects {
        Some(known) => shown(&known.diagnostics),
        None => shown(&fixture.compile().1.diagnostics),
    };
    fixture.options.purpose = Purpose::Check;
    let (_, alone) = fixture.compile();
    assert!(alone.objects.is_empty());
    let found = shown(&alone.diagnostics);
    (expected != found).then(|| format!("{}\n{expected}---\n{found}", fixture.name))
}

/// The number of hints is limited per run, so the order of missing names matters.
#[test]
fn thousands_of_missing_names_get_the_same_hints() {
    let mut text = secret("database-token");
    for index in 0..4000 {
        text.push_str(&secret(&format!("n{index:06}")));
    }
    for index in 0..400 {
        let _ = write!(
            text,
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: web-{index}}}\nspec:\n  containers:\n  - name: \
             main\n    image: python:3.13\n    envFrom: [{{secretRef: {{name: database-tokn{index}}}}}]\n---\n"
        );
    }
    let mut workspace = Workspace::new();
    workspace.add("in.yaml", text);
    let mut options = Options::default();
    let expected = shown(&compile(&workspace, &options).diagnostics);
    assert_eq!(expected.lines().count(), 400);
    let hints = expected.lines().filter(|it| it.contains("did you mean `database-token`")).count();
    assert!((1..400).contains(&hints), "{hints} hints: they begin and end");
    options.purpose = Purpose::Check;
    assert!(shown(&compile(&workspace, &options).diagnostics) == expected);
}

fn secret(name: &str) -> String {
    format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\n---\n")
}
