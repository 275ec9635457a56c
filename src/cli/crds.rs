//! `crds`: the custom resource definitions of agent-sandbox.

use super::arguments::Options;
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    output::print(&sandboxc::emit_stream(&sandboxc::crds(
        options.agent_sandbox.unwrap_or_default(),
    )))?;
    Ok(Outcome::Clean)
}
