//! The pipeline: read → sort → settings → expand → lower → validate → create → select → order.
//!
//! Each line of [`compile_one`] is one stage: a function that takes what the stages before it have made.

mod apart;
mod built;
mod cancellation;
mod compilation;
mod creation;
mod environments;
mod expansion;
mod external;
mod lowering;
mod options;
mod prepare;
mod projects;
mod read;
mod result;
mod scopes;
mod sort;
mod validation;
mod values;
mod workbench;

pub use self::apart::ApartEnvironments;
pub use self::cancellation::Cancellation;
pub use self::compilation::{Compilation, Judged};
pub use self::options::{Options, ProjectChoice, Purpose, UnknownSetting};
pub(crate) use self::workbench::{Workbench, with_trials};

use self::creation::create;
use self::lowering::lower;
use self::prepare::prepare;
use self::result::result_of;
use self::validation::validate;
use crate::diag::Sink;
use crate::limits::Fuel;
use crate::source::Workspace;

/// A stage of a run, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Splitting and parsing of files.
    Read,
    /// Expressions and `expand` of definitions.
    Expand,
    /// Lowering of definitions to objects: schema, layers, merge.
    Lower,
    /// The rules for objects, one by one and together.
    Validate,
    /// The apply order, and the order of the findings.
    Order,
}

/// What all stages of a run read.
#[derive(Clone, Copy)]
struct Run<'r> {
    workspace: &'r Workspace,
    options: &'r Options,
    fuel: &'r Fuel<'r>,
}

/// Compiles the files of a workspace.
#[must_use]
pub fn compile(workspace: &Workspace, options: &Options) -> Compilation {
    compile_observed(workspace, options, &mut |_, _| {})
}

/// Like [`compile`]; `observe` is called at the start of each stage with the number of its files,
/// definitions or objects, to show progress or to measure.
pub fn compile_observed(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    if options.scopes.is_empty() {
        compile_one(workspace, options, observe)
    } else {
        scopes::compile(workspace, options, observe)
    }
}

/// Compiles the files of one project.
fn compile_one(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    let (mut sink, fuel) = (Sink::new(), Fuel::of_run(workspace.bytes()));
    let run = Run { workspace, options, fuel: &fuel };
    observe(Stage::Read, workspace.ids().count());
    let (mut input, settings) = prepare(run, observe, &mut sink);
    observe(Stage::Lower, input.definitions.len());
    let mut lowered = lower(run, &mut input, &settings, &mut sink);
    observe(Stage::Validate, lowered.objects.len());
    validate(run, &mut input, &settings, &mut lowered, &mut sink);
    let created = create(run, &settings, &mut lowered, &mut sink);
    observe(Stage::Order, created.objects.len());
    result_of(run, input, &settings, lowered, created, sink)
}
