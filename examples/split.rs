//! Splits a YAML stream and prints what each document is: `cargo run --example split`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use sandboxc::{Part, Workspace, split};

fn main() {
    let text = include_str!("quickstart/templates.yaml");
    for name in names(text) {
        println!("{name}");
    }
}

/// `Kind/name` of each document with an object.
pub(crate) fn names(text: &str) -> Vec<String> {
    let mut workspace = Workspace::new();
    let file = workspace.add("stream.yaml", text);
    let parts = split(&workspace, file).parts;
    assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text);
    let names = parts.iter().filter_map(Part::kind_and_name);
    names.map(|(kind, name)| format!("{kind}/{name}")).collect()
}
