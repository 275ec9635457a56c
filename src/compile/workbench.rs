//! The definitions of a workspace, for questions about what a compilation made.

use super::prepare::prepare;
use super::{Options, Run};
use crate::crd::CustomKinds;
use crate::diag::Sink;
use crate::kube::Object;
use crate::limits::Fuel;
use crate::lower::Trials;
use crate::schema::Arena;
use crate::source::Workspace;

/// The data that [`with_trials`] provides.
pub(crate) struct Workbench<'w, 'c> {
    /// The definitions, to be compiled with changes.
    pub(crate) trials: &'w mut Trials<'c>,
    /// The kinds of custom resources that the objects need.
    pub(crate) custom: &'w CustomKinds<'c>,
}

/// Reads and expands the definitions of a workspace again, for questions about `objects`, which a
/// compilation of the same workspace and options made. Nothing is reported.
pub(crate) fn with_trials<R>(
    workspace: &Workspace,
    options: &Options,
    objects: &[Object],
    ask: impl FnOnce(Workbench<'_, '_>) -> R,
) -> R {
    let fuel = Fuel::of_run(workspace.bytes());
    let mut sink = Sink::new();
    let run = Run { workspace, options, fuel: &fuel };
    let (input, settings) = prepare(run, &mut |_, _| {}, &mut sink);
    let lowering = settings.lowering(workspace, false, &fuel);
    let mut trials = Trials::new(lowering, input.definitions, &input.objects);
    let arena = Arena::new();
    let custom = CustomKinds::new(&arena, settings.systems(), objects, workspace);
    ask(Workbench { trials: &mut trials, custom: &custom })
}
