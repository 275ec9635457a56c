//! `graph`: which objects refer to which.

use sandboxc::{Graph, Purpose};

use super::arguments::{Graph as Arguments, GraphFormat, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::{Outcome, output};

/// Prints the picture even if the input has errors, because it shows them.
pub(crate) fn run(arguments: &Arguments, options: &Options) -> Result<Outcome, Failure> {
    let (workspace, compilation) =
        compile(&arguments.inputs, &arguments.kinds, options, Purpose::Build)?;
    let graph = Graph::of(&compilation)
        .map_err(|problem| Failure::usage(problem.as_prose(), "name fewer files"))?;
    output::print(&match arguments.to {
        GraphFormat::Mermaid => graph.to_mermaid(),
        GraphFormat::Dot => graph.to_dot(),
        GraphFormat::Svg => graph.to_svg().map_err(|it| {
            Failure::usage(it, "name fewer files, or lay out `--to dot` with Graphviz")
        })?,
    })?;
    Findings::of(&workspace, &compilation).report(options)
}
