//! agent-sandbox: Sandbox, SandboxTemplate, SandboxWarmPool and SandboxClaim, and what their
//! controllers do with them.

pub(crate) mod api;
pub(crate) mod hash;
pub(crate) mod names;
pub(crate) mod rules;
mod settings;

pub use api::ControllerLine;
pub(crate) use settings::Settings;
