//! The stage that expands definitions, for all definitions of a run.

use crate::diag::Sink;
use crate::expand;
use crate::kube::Hidden;
use crate::parallel::{Blocks, ordered_each_after};
use crate::project::Project;
use crate::source::{Span, Workspace};
use crate::tree::Node;

pub(super) fn expand_all<'w>(
    workspace: &'w Workspace,
    project: &Project,
    mut definitions: Blocks<(Node, Span)>,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Blocks<(Node, Span)> {
    let mut cx = expand::Cx::new(workspace, &project.values, definitions.len());
    cx.plan(definitions.iter_mut().map(|(root, _)| root));
    let expand = |count, (number, (root, document))| {
        let mut sink = Sink::of_document_after(count);
        (number, expand::run(&cx, number, root, &mut sink), document, sink)
    };
    let mut all = Blocks::default();
    let numbered = definitions.into_iter().enumerate();
    ordered_each_after(
        sink.total(),
        numbered,
        expand,
        |(number, roots, document, mut findings)| {
            let is_over = !cx.accepts(number, document, &mut findings);
            if is_over || roots.is_empty() && findings.reported().is_some() {
                hidden.add(workspace.slice(document));
            }
            sink.absorb(findings);
            for root in roots.into_iter().filter(|_| !is_over) {
                all.push((root, document));
            }
            sink.total()
        },
    );
    all
}
