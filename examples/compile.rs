//! Compiles a definition and prints the Kubernetes objects: `cargo run --example compile`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use sandboxc::{Options, Paint, Workspace, compile, emit_stream, render_human};

fn main() {
    print!(
        "{}",
        compiled("examples/quickstart/dev-box.yaml", include_str!("quickstart/dev-box.yaml"))
    );
}

/// The YAML stream, or the findings if there is an error.
pub(crate) fn compiled(name: &str, text: &str) -> String {
    let mut workspace = Workspace::new();
    workspace.add(name, text);
    let compilation = compile(&workspace, &Options::default());
    if compilation.has_errors() {
        return render_human(&workspace, &compilation.diagnostics, Paint::Plain);
    }
    emit_stream(&compilation.objects)
}
