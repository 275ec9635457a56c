//! `AgentConfig`: instructions, plugins, skills and MCP servers of an agent.

use super::agent::SecretReference;
use crate::decode::{Choice, Listed, Mapped, Shaped, Text, choice, definition, kubernetes_types};
use crate::sorted::SortedMap;

kubernetes_types! {
    /// `env` of a container.
    Variables = "io.k8s.api.core.v1.Container"."env";
}

choice! {
    /// The transport of an MCP server.
    pub(crate) enum McpTransport {
        /// A program that the agent starts.
        Stdio = "stdio",
        /// HTTP.
        Http = "http",
        /// Server-sent events.
        Sse = "sse",
    }
}

definition! {
    /// A skill or an agent of a plugin.
    pub(crate) struct PluginFile in "AgentConfig.spec.plugins[].skills[]" {
        /// Name of the skill or agent; also of its file.
        "name" required name: Text,
        /// Content of the file, in Markdown.
        "content" required content: Text,
    }
}

definition! {
    /// Skills and agents that are installed together.
    pub(crate) struct Plugin in "AgentConfig.spec.plugins[]" {
        /// Name of the plugin; also of its directory.
        "name" required name: Text,
        /// Skills of the plugin.
        "skills" optional skills: Listed<PluginFile>,
        /// Sub-agents of the plugin.
        "agents" optional agents: Listed<PluginFile>,
    }
}

definition! {
    /// A package of skills that is installed from its repository.
    pub(crate) struct SkillSource in "AgentConfig.spec.skills[]" {
        /// Repository of the package: `owner/repo`, or a full HTTPS address.
        "source" required source: Text,
        /// Skill of the package. Defaults to all of them.
        "skill" optional skill: Text,
        /// Secret with a GitHub token under the key `GITHUB_TOKEN`.
        "secretRef" optional secret_ref: SecretReference,
    }
}

definition! {
    /// Reference to a whole Secret.
    pub(crate) struct SecretSource in "AgentConfig.spec.mcpServers[].envFrom" {
        /// Secret whose keys are used.
        "secretRef" required secret_ref: SecretReference,
    }
}

definition! {
    /// A server of the Model Context Protocol.
    pub(crate) struct McpServer in "AgentConfig.spec.mcpServers[]" {
        /// Name of the server.
        "name" required name: Text,
        /// Transport of the server: `stdio`, `http` or `sse`.
        "type" required transport: Choice<McpTransport>,
        /// Program to start. Required if `type` is `stdio`.
        "command" optional command: Text,
        /// Arguments of the program.
        "args" optional args: Listed<Text>,
        /// Address of the server. Required if `type` is `http` or `sse`.
        "url" optional url: Text,
        /// Headers of each request.
        "headers" optional headers: Mapped<Text>,
        /// Secret whose keys become headers.
        "headersFrom" optional headers_from: SecretSource,
        /// Environment variables of the program: values, `secretKeyRef` and `configMapKeyRef`.
        "env" optional env: Shaped<Variables>,
        /// Secret whose keys become environment variables of the program.
        "envFrom" optional env_from: SecretSource,
    }
}

definition! {
    /// Configuration of an agent.
    pub(crate) struct AgentConfigSpec in "AgentConfig.spec" {
        /// Instructions for the agent, in Markdown.
        "agentsMD" optional instructions: Text,
        /// Plugins whose content is in the definition.
        "plugins" optional plugins: Listed<Plugin>,
        /// Packages of skills that are installed when the Pod starts, as root and from the internet.
        "skills" optional skills: Listed<SkillSource>,
        /// MCP servers that the agent can use.
        "mcpServers" optional mcp_servers: Listed<McpServer>,
    }
}

/// The merged configurations of one Task, in the order in which the Task names them.
#[derive(Debug, Default)]
pub(super) struct AgentConfig {
    pub(super) instructions: Vec<Text>,
    pub(super) plugins: Vec<Plugin>,
    pub(super) skills: Vec<SkillSource>,
    pub(super) mcp_servers: Vec<McpServer>,
}

impl AgentConfig {
    /// Merges configurations as the controller does: instructions, plugins and skills are
    /// concatenated, and of two MCP servers with one name the later replaces the earlier.
    pub(super) fn merge(configs: impl IntoIterator<Item = AgentConfigSpec>) -> Self {
        let mut merged = Self::default();
        let mut positions = SortedMap::new();
        for config in configs {
            let AgentConfigSpec { instructions, plugins, skills, mcp_servers } = config;
            merged.instructions.extend(instructions.filter(|text| !text.as_str().is_empty()));
            merged.plugins.extend(plugins.into_iter().flat_map(|it| it.items));
            merged.skills.extend(skills.into_iter().flat_map(|it| it.items));
            for server in mcp_servers.into_iter().flat_map(|it| it.items) {
                let end = merged.mcp_servers.len();
                let at = *positions.entry(server.name.as_str().to_owned()).or_insert(end);
                match merged.mcp_servers.get_mut(at) {
                    Some(earlier) => *earlier = server,
                    None => merged.mcp_servers.push(server),
                }
            }
        }
        merged
    }

    /// The instructions, with an empty line between those of two configurations. Each part keeps
    /// its own line breaks.
    pub(super) fn instructions(&self) -> String {
        let parts: Vec<_> = self.instructions.iter().map(Text::as_str).collect();
        parts.join("\n\n")
    }
}
