//! The input of the benchmark is compiled without a finding: with one, the benchmark ends.

use sandboxc::{Options, Workspace, compile};

#[path = "../../benches/compile/input.rs"]
mod input;

#[test]
fn its_input_has_no_findings() {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", input::definitions(200, 10));
    let compilation = compile(&workspace, &Options::default());
    let found: Vec<_> = compilation
        .diagnostics
        .iter()
        .map(|it| format!("{}: {}", it.rule.name, it.details().message.as_prose()))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
