//! The API of agent-sandbox: four kinds in two groups and two versions, as data.
//!
//! From this description come the custom resource definitions that `crds` prints and, through
//! them, the checks of agent-sandbox objects: what is printed is what is checked.

mod blueprint;
mod condition;
mod controller_line;
mod description;
mod embedded;
mod sandbox;
mod sandbox_claim;
mod sandbox_template;
mod sandbox_warm_pool;

pub use controller_line::ControllerLine;
pub(crate) use controller_line::{ApiVersion, CONVERSION};
pub(crate) use description::{Default, Field, Kind, Limits, Moved, Record, TextLimits, Value};
pub(crate) use embedded::visit_embedded;

/// The group of Sandbox.
pub(crate) const CORE_GROUP: &str = "agents.x-k8s.io";
/// The group of SandboxTemplate, SandboxWarmPool and SandboxClaim.
pub(crate) const EXTENSIONS_GROUP: &str = "extensions.agents.x-k8s.io";

/// All kinds, by name of their custom resource definition.
pub(crate) static KINDS: [&Kind; 4] = [
    &sandbox_claim::SANDBOX_CLAIM,
    &sandbox::SANDBOX,
    &sandbox_template::SANDBOX_TEMPLATE,
    &sandbox_warm_pool::SANDBOX_WARM_POOL,
];

/// The description of a kind.
pub(crate) fn find(group: &str, kind: &str) -> Option<&'static Kind> {
    KINDS.into_iter().find(|it| it.group == group && it.name == kind)
}
