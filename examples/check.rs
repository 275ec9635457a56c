//! Checks a file and prints a line per finding: `cargo run --example check`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use sandboxc::{Options, Purpose, Workspace, compile};

fn main() {
    let text = include_str!("mistakes/pool.yaml");
    for line in checked("examples/mistakes/pool.yaml", text) {
        println!("{line}");
    }
}

/// `file:line:column: severity[rule]: message`, sorted by place.
pub(crate) fn checked(name: &str, text: &str) -> Vec<String> {
    let mut workspace = Workspace::new();
    workspace.add(name, text);
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let findings = compile(&workspace, &options).diagnostics.into_iter().map(|finding| {
        let span = workspace.locate(finding.primary.span);
        let file = workspace.file(span.file);
        let position = file.line_column(span.start);
        let (line, column, severity) = (position.line, position.column, finding.severity.as_str());
        format!(
            "{}:{line}:{column}: {severity}[{}]: {}",
            file.name(),
            finding.rule.name,
            finding.details().message.as_prose()
        )
    });
    findings.collect()
}
