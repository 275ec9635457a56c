//! Applies the suggestions to every fixture: the input can still be read, there are no more errors
//! than before, and a second run changes nothing.

use sandboxc::{Compilation, Safety, Severity, compile, fix};

use crate::support::{Fixture, fixtures};

fn errors(compilation: &Compilation) -> usize {
    compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error).count()
}

fn assert_fixes_are_sound(folder: &str) -> usize {
    let mut failures = Vec::new();
    let mut applied = 0;
    for path in fixtures(folder) {
        let fixture = Fixture::read(&path);
        let workspace = fixture.workspace();
        let before = compile(&workspace, &fixture.options);
        if before.diagnostics.iter().all(|it| it.suggestions.is_empty()) {
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
    assert!(assert_fixes_are_sound("diag") > 100);
}

#[test]
fn fixes_of_typos_are_sound() {
    assert!(assert_fixes_are_sound("typos") > 20);
}
