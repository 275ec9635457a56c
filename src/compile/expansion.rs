//! The stage that expands definitions, for all definitions of a run.

use crate::diag::Sink;
use crate::expand::{self, Unevaluated};
use crate::kube::Hidden;
use crate::parallel::{Blocks, ordered_each_after};
use crate::project::Project;
use crate::source::{Span, Workspace};
use crate::tree::Node;

/// The maximum number of definitions with faulty expressions whose other fields are checked.
const MAX_UNEVALUATED: usize = 100;

/// The definitions of a run, each with its document.
pub(super) struct Expanded {
    pub(super) definitions: Blocks<(Node, Span)>,
    /// Definitions with expressions that cannot be evaluated.
    pub(super) unevaluated: Vec<(Unevaluated, Span)>,
}

pub(super) fn expand_all<'w>(
    workspace: &'w Workspace,
    project: &Project,
    mut definitions: Blocks<(Node, Span)>,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Expanded {
    let mut cx = expand::Cx::new(workspace, &project.values, definitions.len())
        .with_environment(project.environment.as_deref());
    cx.plan(definitions.iter_mut().map(|(root, _)| root));
    let expand = |count, (number, (root, document)): (usize, (Node, Span))| {
        let mut sink = Sink::of_document_after(count);
        let is_over = sink.is_over();
        let naming = ["metadata", "expand"].map(|it| root.get(it).map(Node::span));
        let roots =
            if is_over { Ok(Vec::new()) } else { expand::run(&cx, number, root, &mut sink) };
        (number, roots, (document, naming), sink)
    };
    let (mut all, mut unevaluated) = (Blocks::default(), Vec::new());
    let numbered = definitions.into_iter().enumerate();
    ordered_each_after(
        sink.total(),
        workspace.bytes(),
        numbered,
        expand,
        |(number, outcome, (document, naming), mut findings)| {
            let is_over = !cx.accepts(number, document, &mut findings);
            if is_over {
                hidden.add(workspace.slice(document));
            } else if outcome.is_err() {
                // Its names may be expressions.
                naming.into_iter().flatten().for_each(|it| hidden.add(workspace.slice(it)));
            }
            sink.absorb(findings);
            match outcome {
                _ if is_over => {}
                Ok(roots) => roots.into_iter().for_each(|root| all.push((root, document))),
                Err(rest) if unevaluated.len() < MAX_UNEVALUATED => {
                    unevaluated.push((rest, document));
                }
                Err(_) => {}
            }
            sink.total()
        },
    );
    Expanded { definitions: all, unevaluated }
}
