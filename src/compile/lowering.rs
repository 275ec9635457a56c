//! The stage that makes objects of definitions.

use super::Run;
use super::built::drop_output;
use super::options::Purpose;
use super::prepare::{Input, Settings};
use crate::diag::Sink;
use crate::kube::Object;
use crate::lower::{self, Broken, Partial};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace};

/// The objects of a run: those that pass through, and those of definitions.
pub(super) struct Lowered {
    pub(super) objects: Vec<Object>,
    /// The objects that the API server rejects for their size.
    pub(super) too_large: Vec<Object>,
    /// The definitions that cannot be compiled.
    pub(super) broken: Vec<Broken>,
    /// The definitions that were compiled without their faulty fields.
    pub(super) partial: Partial,
    /// The documents of definitions that extend another one, each with the document of its base.
    pub(super) bases: SortedMap<Span, Span>,
    pub(super) summaries: Vec<String>,
    /// The files that `build` has printed.
    pub(super) built: SortedSet<FileId>,
    /// Whether the objects are checked.
    pub(super) are_checked: bool,
}

/// Makes the objects of the definitions.
pub(super) fn lower<'w>(
    run: Run<'w>,
    input: &mut Input<'w>,
    settings: &'w Settings,
    sink: &mut Sink,
) -> Lowered {
    let Run { workspace, options, fuel } = run;
    let definitions = std::mem::take(&mut input.definitions);
    let unevaluated = std::mem::take(&mut input.unevaluated);
    let mut objects = std::mem::take(&mut input.objects);
    let are_checked =
        definitions.len() + unevaluated.len() > 0 || options.purpose != Purpose::Compare;
    let is_summarized = options.purpose == Purpose::Summarize;
    let lowering = settings.lowering(workspace, is_summarized, fuel);
    let hidden = &mut input.hidden;
    let lower::Lowered { broken, summaries, bases, partial } =
        lower::run(lowering, definitions, unevaluated, &mut objects, hidden, sink);
    let built = drop_output(workspace, &settings.shared, &mut objects, sink);
    drop_shadowed(workspace, &mut objects);
    let too_large = Vec::new();
    Lowered { objects, too_large, broken, partial, bases, summaries, built, are_checked }
}

/// Drops the objects around the input that the input has as well: standard input is often a later
/// form of the same project, such as the output of `kubectl kustomize`.
fn drop_shadowed(workspace: &Workspace, objects: &mut Vec<Object>) {
    let is_context = |object: &Object| workspace.role_at(object.document) == FileRole::Context;
    if !objects.iter().any(is_context) {
        return;
    }
    let key = |object: &Object| (object.gvk.clone(), object.namespace.clone(), object.name.clone());
    let own: SortedSet<_> = objects.iter().filter(|object| !is_context(object)).map(key).collect();
    objects.retain(|object| {
        !is_context(object) || object.name.is_empty() || !own.contains(&key(object))
    });
}
