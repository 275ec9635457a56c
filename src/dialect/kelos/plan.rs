//! `Plan`: all inputs of the Job of a Task, with resolved references.

use super::Repository;
use super::agent::Agent;
use super::agent_config::AgentConfig;
use super::mcp;
use super::workspace::WorkspaceSpec;
use crate::decode::Text;
use crate::source::Span;

/// A Task with resolved references.
#[derive(Debug)]
pub(super) struct Plan {
    /// The name of the Task, which is also that of its Job and part of that of its ConfigMap.
    pub(super) name: String,
    /// The span of the name.
    pub(super) place: Span,
    pub(super) agent: Agent,
    pub(super) prompt: Text,
    /// Whether the author sets the image of the agent.
    pub(super) is_own_image: bool,
    pub(super) model: Option<Text>,
    pub(super) effort: Option<Text>,
    pub(super) branch: Option<Text>,
    pub(super) upstream_repo: Option<Text>,
    /// The TaskSpawner that the Task belongs to.
    pub(super) spawner: Option<String>,
    /// The variable of the credentials, and the Secret that has it as a key.
    pub(super) credentials: Option<(&'static str, Text)>,
    pub(super) workspace: Option<WorkspaceSpec>,
    /// The Secret with the token of the workspace.
    pub(super) token_secret: Option<Text>,
    pub(super) config: AgentConfig,
    /// The MCP servers.
    pub(super) mcp: mcp::Rendered,
}

impl Plan {
    /// The repository of the workspace.
    pub(super) fn repository(&self) -> Option<Repository<'_>> {
        self.workspace.as_ref().map(|workspace| Repository::parse(workspace.repo.as_str()))
    }

    /// Whether there is a volume for plugins and skills.
    pub(super) fn has_plugin_volume(&self) -> bool {
        !self.config.plugins.is_empty() || !self.config.skills.is_empty()
    }

    /// The branch, unless it is empty.
    pub(super) fn branch(&self) -> Option<&Text> {
        self.branch.as_ref().filter(|branch| !branch.as_str().is_empty())
    }
}
