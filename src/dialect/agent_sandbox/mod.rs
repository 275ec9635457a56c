//! agent-sandbox: Sandbox, SandboxTemplate, SandboxWarmPool and SandboxClaim, and what their
//! controllers do with them.

pub(crate) mod hash;
pub(crate) mod names;
pub(crate) mod rules;
mod settings;

pub(crate) use settings::{ControllerLine, Settings};
