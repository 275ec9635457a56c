//! agent-sandbox: Sandbox, SandboxTemplate, SandboxWarmPool and SandboxClaim, and what their
//! controllers do with them.

pub(crate) mod api;
mod blueprint;
mod claim;
pub(crate) mod hash;
mod moved;
pub(crate) mod names;
pub(crate) mod rules;
mod sandbox;
mod settings;
mod template;
mod volume_claim;
mod warm_pool;

pub use api::ControllerLine;
pub(crate) use settings::Settings;

use crate::decode::Record;
use crate::lower::{Definition, Kind, read_and};

/// The kinds of definitions of agent-sandbox.
pub(crate) static KINDS: &[Kind] = &[
    Kind {
        name: "Template",
        document: Definition::<template::TemplateSpec>::DOCUMENT,
        docs: template::TemplateSpec::DOCS,
        is_extensible: true,
        compiles_to: (names::EXTENSIONS_GROUP, names::SANDBOX_TEMPLATE),
        moved: moved::OF_TEMPLATE,
        lower: |instance, lowering| read_and(instance, lowering, template::lower),
    },
    Kind {
        name: "WarmPool",
        document: Definition::<warm_pool::WarmPoolSpec>::DOCUMENT,
        docs: warm_pool::WarmPoolSpec::DOCS,
        is_extensible: false,
        compiles_to: (names::EXTENSIONS_GROUP, names::SANDBOX_WARM_POOL),
        moved: moved::OF_WARM_POOL,
        lower: |instance, lowering| read_and(instance, lowering, warm_pool::lower),
    },
    Kind {
        name: "Claim",
        document: Definition::<claim::ClaimSpec>::DOCUMENT,
        docs: claim::ClaimSpec::DOCS,
        is_extensible: false,
        compiles_to: (names::EXTENSIONS_GROUP, names::SANDBOX_CLAIM),
        moved: moved::OF_CLAIM,
        lower: |instance, lowering| read_and(instance, lowering, claim::lower),
    },
    Kind {
        name: "Sandbox",
        document: Definition::<sandbox::SandboxSpec>::DOCUMENT,
        docs: sandbox::SandboxSpec::DOCS,
        is_extensible: false,
        compiles_to: (names::AGENTS_GROUP, names::SANDBOX),
        moved: moved::OF_SANDBOX,
        lower: |instance, lowering| read_and(instance, lowering, sandbox::lower),
    },
];
