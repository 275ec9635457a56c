//! idegym: servers for agents, as its orchestrator deploys them: a Deployment, a Service and a
//! PodDisruptionBudget.

mod account;
mod checks;
mod endpoint;
mod identity;
mod import;
mod managed;
mod merged;
mod moved;
mod rules;
mod server;
mod settings;

use crate::decode::Record as _;
use crate::lower::{
    Definition, DefinitionReference, Dialect, Kind, SettingsBlock, read_and, same_name,
};
use server::ServerSpec;
use settings::IdegymSettings;

/// The dialect of idegym.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "idegym",
    kinds: &[Kind {
        name: "Server",
        document: Definition::<ServerSpec>::DOCUMENT,
        docs: ServerSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[("apps", "Deployment"), ("", "Service"), ("policy", "PodDisruptionBudget")],
        declares: same_name,
        moved: moved::OF_SERVER,
        lower: |instance, lowering| read_and(instance, lowering, server::lower),
    }],
    rules: rules::RULES,
    settings: Some(SettingsBlock::of::<IdegymSettings>(
        "idegym",
        "Configuration of the idegym orchestrator that shapes servers.",
    )),
    check_definitions: |instances, setup, sink| {
        checks::check_settings(instances, setup, sink);
        rules::restored::check(instances, sink);
    },
    check_objects: rules::shadowed::check,
    references: &[DefinitionReference::to_definition("Server", &["spec", "snapshotId"], "Server")],
    import: Some(import::IMPORT),
    ..Dialect::EMPTY
};
