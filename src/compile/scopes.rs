//! Runs with several projects: each is compiled on its own, and the results are one compilation.

use std::collections::BTreeMap;

use super::compilation::{Compilation, Relation};
use super::{Options, Stage, compile_one};
use crate::diag::{Diagnostic, message};
use crate::emit::in_apply_order;
use crate::kube::Object;
use crate::source::Workspace;
use crate::validate::OBJECT_DUPLICATE;

/// Compiles each project of a workspace.
pub(super) fn compile(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    // Spans in the copy are spans in the original: they have the same lengths.
    let mut workspace = workspace.with_texts(BTreeMap::new());
    let scopes = options.scopes.iter();
    let of_scope = scopes.map(|scope| {
        scope.apply(&mut workspace);
        compile_one(&workspace, options, observe)
    });
    let all = of_scope.reduce(|mut all, other| {
        all.join(other, Relation::Projects);
        all
    });
    all.unwrap_or_else(|| compile_one(&workspace, options, observe)).sorted()
}

impl Compilation {
    /// The results of several projects, in the order of those of one.
    fn sorted(mut self) -> Self {
        self.objects = in_apply_order(std::mem::take(&mut self.objects));
        self.diagnostics.extend(duplicates(&self.objects));
        self.diagnostics.sort_by(|a, b| a.identity().cmp(&b.identity()));
        self.inputs.sort_by_key(|it| it.place);
        // Files that all projects read, such as those of `--crd`, are in the results of each.
        self.inputs.dedup_by_key(|it| it.place);
        self.diagnostics.dedup_by(|a, b| a.identity() == b.identity());
        self.sort_secrets();
        self
    }
}

/// The objects of the output that several projects have. They would overwrite each other.
fn duplicates(in_order: &[Object]) -> Vec<Diagnostic> {
    let is_same = |a: &Object, b: &Object| {
        !a.name.is_empty()
            && (&a.gvk.group, &a.gvk.kind, &a.namespace, &a.name)
                == (&b.gvk.group, &b.gvk.kind, &b.namespace, &b.name)
    };
    let mut found = Vec::new();
    for same in in_order.chunk_by(|a, b| is_same(a, b)) {
        let Some((first, others)) = same.split_first() else { continue };
        found.extend(others.iter().map(|other| {
            let message = message!("{} is an object of two projects", other.describe());
            Diagnostic::new(&OBJECT_DUPLICATE, other.name_span(), message)
                .at("object of one project")
                .label(first.name_span(), "object of another project")
                .help("rename one of them, or build one project at a time")
        }));
    }
    found
}
