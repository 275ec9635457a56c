//! `fixtures/diag/<rule>/`: `err_*` raises exactly what it announces, `ok_*` does not raise the rule.

use crate::support::{Fixture, fixtures, found};

#[test]
fn each_fixture_raises_what_it_announces() {
    let mut failures = Vec::new();
    for path in fixtures("diag") {
        let fixture = Fixture::read(&path);
        let mut parts = fixture.name.split('/');
        let rule = parts.nth(1).expect("fixtures/diag/<rule>/<file>");
        let is_err = parts.next().expect("a file").starts_with("err_");
        let (workspace, compilation) = fixture.compile();
        let found = found(&workspace, &compilation);
        let raises_rule = found.iter().any(|it| it.split(' ').next() == Some(rule));
        if is_err != raises_rule || found != fixture.expected {
            let messages: Vec<_> = compilation.diagnostics.iter().map(|it| &it.message).collect();
            failures.push(format!(
                "{}\n  announced {:?}\n  found     {found:?}\n  messages  {messages:?}",
                fixture.name, fixture.expected
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
