//! `crds`: the custom resource definitions of the systems.

use super::arguments::{Crds, CrdsVerb, Options};
use super::failure::Failure;
use super::{Outcome, collect, output, report};

pub(crate) fn run(crds: &Crds, options: &Options) -> Result<Outcome, Failure> {
    if let Some(CrdsVerb::Collect(collect)) = &crds.verb {
        return collect::run(collect, options);
    }
    let objects = sandboxc::crds(&report::compile_options(options)?, crds.system.as_deref());
    if let (Some(system), true) = (&crds.system, objects.is_empty()) {
        let problem = format!("`{}` has no custom resource definitions", system.escape_debug());
        return Err(Failure::usage(problem, "run `sandboxc crds` for those of all systems"));
    }
    output::print(&sandboxc::emit_stream(&objects))?;
    Ok(Outcome::Clean)
}
