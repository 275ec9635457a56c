//! The stage that expands definitions, for all definitions of a run.

use crate::diag::{Sink, within};
use crate::expand::{self, Unevaluated};
use crate::kube::Hidden;
use crate::limits::Fuel;
use crate::parallel::{Blocks, ordered_each_after};
use crate::project::Project;
use crate::source::{Span, Workspace};
use crate::tree::Node;

/// The maximum number of definitions with faulty expressions whose other fields are checked.
const MAX_UNEVALUATED: usize = 100;

/// The definitions of a run, each with its document.
#[derive(Default)]
pub(super) struct Expanded {
    pub(super) definitions: Blocks<(Node, Span)>,
    /// Definitions with expressions that cannot be evaluated.
    pub(super) unevaluated: Vec<(Unevaluated, Span)>,
}

pub(super) fn expand_all<'w>(
    workspace: &'w Workspace,
    project: &Project,
    mut definitions: Blocks<(Node, Span)>,
    (hidden, fuel): (&mut Hidden<'w>, &Fuel<'_>),
    sink: &mut Sink,
) -> Expanded {
    let mut cx = expand::ExpressionContext::new(workspace, &project.values, fuel)
        .with_environment(project.environment.as_deref());
    if let Err(finding) = cx.plan(definitions.iter_mut().map(|(root, _)| root)) {
        sink.report(finding);
        return Expanded::default();
    }
    let first = definitions.iter().next().map_or(workspace.start(), |it| it.1.start_point());
    let expanded = within(fuel, (first, "evaluate expressions"), sink, |sink| {
        expand(workspace, &cx, definitions, hidden, sink)
    });
    expanded.unwrap_or_default()
}

fn expand<'w>(
    workspace: &'w Workspace,
    cx: &expand::ExpressionContext<'_>,
    definitions: Blocks<(Node, Span)>,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Expanded {
    let expand = |count, (number, (root, document)): (usize, (Node, Span))| {
        let mut sink = Sink::of_document_after(count);
        let is_over = sink.is_over() || cx.is_out_of_fuel();
        let naming = ["metadata", "expand"].map(|it| root.get(it).map(Node::span));
        let roots = if is_over { Ok(Vec::new()) } else { expand::run(cx, number, root, &mut sink) };
        (roots, (document, naming), sink)
    };
    let mut all = Expanded::default();
    ordered_each_after(
        sink.total(),
        workspace.bytes(),
        definitions.into_iter().enumerate(),
        expand,
        |(outcome, (document, naming), findings)| {
            if outcome.is_err() {
                // Its names may be expressions.
                naming.into_iter().flatten().for_each(|it| hidden.add(workspace.slice(it)));
            }
            sink.absorb(findings);
            match outcome {
                Ok(roots) => roots.into_iter().for_each(|it| all.definitions.push((it, document))),
                Err(rest) if all.unevaluated.len() < MAX_UNEVALUATED => {
                    all.unevaluated.push((rest, document));
                }
                Err(_) => {}
            }
            sink.total()
        },
    );
    all
}
