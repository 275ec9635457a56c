//! The plugins of a Task: files in a ConfigMap, which an init container copies to the agent.

use super::agent_config::Plugin;
use crate::decode::Text;

/// A file of a plugin.
pub(super) struct PluginFile<'p> {
    /// The key in the ConfigMap.
    pub(super) key: String,
    /// The path below the directory of all plugins.
    pub(super) path: String,
    pub(super) content: &'p Text,
}

/// The files of all plugins: per plugin its skills, then its agents.
pub(super) fn files(plugins: &[Plugin]) -> impl Iterator<Item = PluginFile<'_>> {
    plugins
        .iter()
        .enumerate()
        .flat_map(|(at, plugin)| {
            let name = plugin.name.as_str();
            let skills = plugin.skills.iter().flat_map(|it| &it.items).enumerate();
            let agents = plugin.agents.iter().flat_map(|it| &it.items).enumerate();
            let skill_files = skills.map(move |(number, skill)| PluginFile {
                key: format!("p{at}-s{number}"),
                path: format!("{name}/skills/{}/SKILL.md", skill.name.as_str()),
                content: &skill.content,
            });
            let agent_files = agents.map(move |(number, agent)| PluginFile {
                key: format!("p{at}-a{number}"),
                path: format!("{name}/agents/{}.md", agent.name.as_str()),
                content: &agent.content,
            });
            skill_files.chain(agent_files)
        })
        // Names that are not valid file names are reported, and no Job is built.
        .filter(|file| file.path.split('/').all(|part| !part.is_empty() && !part.starts_with("..")))
}
