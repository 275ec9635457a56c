//! The values that a Job copies from the definitions of its Task.
//!
//! With the target `resources` the controller copies them; the checks of the Job do so as well.

use super::agent_config::AgentConfigSpec;
use super::workspace::WorkspaceSpec;
use crate::lower::{DataKind, Instance, Weights};
use crate::tree::Node;

/// The values of the Workspace and the AgentConfigs of a Task or TaskSpawner, and the keys of Secrets
/// that become variables of MCP servers.
pub(super) fn copied(instance: &Instance, weights: &Weights<'_>) -> usize {
    let space = instance.namespace();
    let Some(spec) = instance.root.get("spec") else { return 0 };
    let task = spec.get("taskTemplate").unwrap_or(spec);
    let workspace = task.str_at(&["workspace"]);
    let mut total = workspace.map_or(0, |it| weights.of::<WorkspaceSpec>(space, it));
    for config in task.get("agentConfigs").map_or(&[][..], Node::items) {
        total = total.saturating_add(match config.as_str() {
            Some(name) => weights.of::<AgentConfigSpec>(space, name),
            None => secrets(config, space, weights),
        });
    }
    // The spec of an AgentConfig.
    total.saturating_add(secrets(spec, space, weights))
}

fn secrets(config: &Node, space: &str, weights: &Weights<'_>) -> usize {
    let servers = config.get("mcpServers").map_or(&[][..], Node::items).iter();
    let sources = servers.flat_map(|it| ["headersFrom", "envFrom"].map(|field| it.get(field)));
    let names = sources.flatten().filter_map(|it| it.str_at(&["secretRef", "name"]));
    names.map(|it| weights.of_data(DataKind::Secret, space, it)).sum()
}
