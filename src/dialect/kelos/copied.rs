//! The values that a Job copies from the definitions of its Task.
//!
//! With the target `resources` the controller copies them; the checks of the Job do so as well.

use super::agent_config::AgentConfigSpec;
use super::workspace::WorkspaceSpec;
use crate::lower::{DataKind, Instance, Weights};
use crate::tree::{Node, items};

/// The values of the Workspace and the AgentConfigs of a Task or TaskSpawner, and the keys of Secrets
/// that become variables of MCP servers.
pub(super) fn copied(instance: &Instance, weights: &Weights<'_>) -> usize {
    let space = instance.namespace();
    let Some(spec) = instance.root.get("spec") else { return 0 };
    let task = spec.get("taskTemplate").unwrap_or(spec);
    let workspace = task.str_at(&["workspace"]);
    let mut total = workspace.map_or(0, |workspace| weights.of::<WorkspaceSpec>(space, workspace));
    for config in items(task, "agentConfigs") {
        total = total.saturating_add(match config.as_str() {
            Some(name) => weights.of::<AgentConfigSpec>(space, name),
            None => weigh_secrets(config, space, weights),
        });
    }
    // The spec of an AgentConfig.
    total.saturating_add(weigh_secrets(spec, space, weights))
}

fn weigh_secrets(config: &Node, space: &str, weights: &Weights<'_>) -> usize {
    let sources = items(config, "mcpServers").iter().flat_map(|server| {
        ["headersFrom", "envFrom"].into_iter().filter_map(|field| server.get(field))
    });
    let names = sources.filter_map(|source| source.str_at(&["secretRef", "name"]));
    names.map(|name| weights.of_data(DataKind::Secret, space, name)).sum()
}
