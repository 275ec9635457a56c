//! Renders the findings of a file as human-readable text and as JSON: `cargo run --example render`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use sandboxc::{Options, Paint, Workspace, compile, render_human, render_json};

fn main() {
    let [people, programs] = rendered("pool.yaml", include_str!("mistakes/pool.yaml"));
    println!("{people}{programs}");
}

/// Annotated source, and JSON (`docs/json-report.md`).
pub(crate) fn rendered(name: &str, text: &str) -> [String; 2] {
    let mut workspace = Workspace::new();
    workspace.add(name, text);
    let findings = compile(&workspace, &Options::default()).diagnostics;
    [render_human(&workspace, &findings, Paint::Plain), render_json(&workspace, &findings, None)]
}
