//! The definitions of a workspace, for questions about what a compilation made.

use super::external::declared_data;
use super::{Options, Sorted, expand_all, given_values, read, sort};
use crate::crd::CustomKinds;
use crate::diag::Sink;
use crate::dialect::{self, DIALECTS, PROJECT};
use crate::folder::Skipped;
use crate::kube::{Hidden, Object};
use crate::lower::{self, Trials};
use crate::project;
use crate::schema::Arena;
use crate::source::Workspace;
use crate::tree::Origin;

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
    let (mut sink, mut hidden) = (Sink::new(), Hidden::default());
    let mut skipped = Skipped::find(workspace);
    let documents = read(workspace, options, &mut skipped, &mut hidden, &mut sink);
    let shared = dialect::shared_kinds();
    let sorted = sort(workspace, documents, &shared, &mut skipped, &mut hidden);
    let Sorted { projects, definitions, objects: written, .. } = sorted;
    let settings = project::Cx {
        spec: PROJECT.object,
        kubernetes: options.kubernetes,
        environment: options.environment.as_deref(),
        values: given_values(workspace, &mut sink),
        texts: workspace,
    };
    let project = project::find(settings, projects, &mut sink);
    let nowhere = Origin::source(workspace.start());
    let setups = dialect::setups(&project.blocks, options.overrides(), nowhere);
    let definitions = expand_all(workspace, &project, definitions, &mut hidden, &mut sink);
    let external = declared_data(&project);
    let lowering = lower::Cx {
        dialects: DIALECTS,
        setups: &setups,
        targets: project.kubernetes,
        texts: workspace,
        shared: &shared,
        namespace: project.namespace.as_ref(),
        external: &external,
        is_summarized: false,
    };
    let mut trials = Trials::new(lowering, definitions, &written);
    let arena = Arena::new();
    let systems = setups.iter().filter_map(|it| (it.dialect.custom_resources)(it));
    let custom = CustomKinds::new(&arena, systems, objects, workspace);
    ask(Workbench { trials: &mut trials, custom: &custom })
}
