//! AgentConfigs: plugins, skills, MCP servers.

use super::{
    MCP_SECRET_KEYS_UNKNOWN, MCP_SERVER_INVALID, MCP_VALUE_NOT_JSON, PLUGIN_NAME_DUPLICATE,
    PLUGIN_NAME_INVALID, PLUGINS_TOO_LARGE, duplicates, earlier,
};
use crate::decode::Text;
use crate::diag::{Diagnostic, Message, Reported, Sink, brief, message};
use crate::dialect::kelos::agent_config::{
    AgentConfig, AgentConfigSpec, McpServer, McpTransport, Plugin,
};
use crate::dialect::kelos::mcp::{Rendered, UnfitValue};
use crate::dialect::kelos::names::{LARGEST_PLUGINS, SKILLS_PLUGIN};
use crate::dialect::kelos::plugins;
use crate::scalar::shown;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;

/// Checks a single `AgentConfig`.
pub(in crate::dialect::kelos) fn check(spec: &AgentConfigSpec, sink: &mut Sink) {
    for plugin in spec.plugins.iter().flat_map(|it| &it.items) {
        check_component("plugin", &plugin.name, sink);
        for skill in plugin.skills.iter().flat_map(|it| &it.items) {
            check_component("skill", &skill.name, sink);
        }
        for agent in plugin.agents.iter().flat_map(|it| &it.items) {
            check_component("agent", &agent.name, sink);
        }
    }
    for source in spec.skills.iter().flat_map(|it| &it.items).map(|it| &it.source) {
        if source.as_str().is_empty() {
            let finding =
                Diagnostic::new(&PLUGIN_NAME_INVALID, source.span(), "empty skills source");
            sink.report(finding.at("must not be empty").help("write `OWNER/REPO`"));
        }
    }
    let mut seen = SortedMap::new();
    for server in spec.mcp_servers.iter().flat_map(|it| &it.items) {
        check_server(server, sink);
        let name = &server.name;
        if let Some(first) = earlier(&mut seen, name.as_str(), name.span()) {
            let message = message!("duplicate MCP server `{}`", name.as_str());
            let finding = Diagnostic::new(&MCP_SERVER_INVALID, name.span(), message);
            sink.report(
                finding
                    .at("defined again here")
                    .label(first, "first defined here")
                    .help("rename or remove one of the servers"),
            );
        }
    }
}

/// Checks the configurations of one Task together.
///
/// # Errors
/// If they cannot be used in its Pod.
pub(in crate::dialect::kelos) fn check_merged(
    config: &AgentConfig,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let before = sink.len();
    check_unique("plugin", config.plugins.iter().map(|it| &it.name), sink);
    for Plugin { name: _, skills, agents } in &config.plugins {
        check_unique("skill", skills.iter().flat_map(|it| &it.items).map(|it| &it.name), sink);
        check_unique("agent", agents.iter().flat_map(|it| &it.items).map(|it| &it.name), sink);
    }
    let reserved = config.plugins.iter().map(|it| &it.name).find(|it| it.as_str() == SKILLS_PLUGIN);
    if let (Some(plugin), Some(skills)) = (reserved, config.skills.first()) {
        let message = message!("plugin name `{SKILLS_PLUGIN}` is reserved for `skills`");
        sink.report(
            Diagnostic::new(&PLUGIN_NAME_INVALID, plugin.span(), message)
                .at("reserved")
                .label(skills.source.span(), "skills are installed into this plugin")
                .help("rename the plugin"),
        );
    }
    let bytes: usize = plugins::files(&config.plugins).map(|it| it.content.as_str().len()).sum();
    if let Some(first) = config.plugins.first().filter(|_| bytes > LARGEST_PLUGINS) {
        let message = message!("plugins total {bytes} bytes, more than {LARGEST_PLUGINS}");
        sink.report(
            Diagnostic::new(&PLUGINS_TOO_LARGE, first.name.span(), message)
                .at("the first plugin")
                .note("all plugins of a Task are in one ConfigMap, which the API server limits to 1 MiB")
                .help("shorten the content, or publish it as a package of `skills`"),
        );
    }
    match sink.reported().filter(|_| sink.len() > before) {
        Some(reported) => Err(reported),
        None => Ok(()),
    }
}

/// Reports Secrets and ConfigMaps whose keys must be known, and values that do not fit into JSON.
pub(in crate::dialect::kelos) fn report_values(servers: &Rendered, sink: &mut Sink) {
    for (kind, name) in &servers.unknown {
        let kind = kind.name();
        let message = message!("the keys of {kind} `{}` are unknown", name.as_str());
        sink.report(
            Diagnostic::new(&MCP_SECRET_KEYS_UNKNOWN, name.span(), message)
                .at("keys must be known")
                .note("the variables of the MCP server depend on which keys exist")
                .help(message!(
                    "add the {kind} to the input, or declare it under `external` with its `keys`"
                )),
        );
    }
    for UnfitValue { kind, name, key, place, key_place } in &servers.unfit {
        let message = message!(
            "the value of key `{}` in {} `{name}` cannot be part of `KELOS_MCP_SERVERS`",
            brief(key),
            kind.name()
        );
        sink.report(
            Diagnostic::new(&MCP_VALUE_NOT_JSON, *place, message)
                .at("inserted into JSON")
                .label(*key_place, "has a quote, `\\` or line break")
                .note("the kubelet inserts the value without escaping it, so the agent reads invalid JSON")
                .help("remove these characters, such as a line break at the end"),
        );
    }
}

/// Checks the name of a directory or file.
fn check_component(what: &str, name: &Text, sink: &mut Sink) {
    if let Some(cause) = component_fault(name.as_str()) {
        let message = message!("invalid {what} name `{}`: {cause}", shown(name.as_str()));
        sink.report(
            Diagnostic::new(&PLUGIN_NAME_INVALID, name.span(), message)
                .at("not the name of a directory")
                .help("use letters, digits and dashes"),
        );
    }
}

fn component_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.contains(['/', '\\']) {
        Some("it has a path separator")
    } else if name == "." {
        Some("it is a relative path")
    } else if name.starts_with("..") {
        Some("it starts with `..`")
    } else {
        None
    }
}

fn check_unique<'n>(what: &str, names: impl Iterator<Item = &'n Text>, sink: &mut Sink) {
    for (name, span, first) in duplicates(names.map(|name| (name.as_str(), name.span()))) {
        let message = message!("duplicate {what} name `{name}`");
        sink.report(
            Diagnostic::new(&PLUGIN_NAME_DUPLICATE, span, message)
                .at("defined again here")
                .label(first, "first defined here")
                .note("both are written to one path, and one of them is lost")
                .help(message!("rename one of the {what}s")),
        );
    }
}

fn check_server(server: &McpServer, sink: &mut Sink) {
    let name = server.name.as_str();
    let mut refuse = |place: Span, message: Message, label: &'static str, help: &'static str| {
        let finding = Diagnostic::new(&MCP_SERVER_INVALID, place, message);
        sink.report(finding.at(label).help(help));
    };
    if let Some(cause) = component_fault(name) {
        let message = message!("invalid MCP server name `{name}`: {cause}");
        refuse(server.name.span(), message, "invalid name", "use letters, digits and dashes");
    }
    let is_empty = |text: &Option<Text>| text.as_ref().is_none_or(|text| text.as_str().is_empty());
    let kind = server.transport.as_str();
    if server.transport.value == McpTransport::Stdio && is_empty(&server.command) {
        let message = message!("MCP server `{name}` of type `{kind}` has no `command`");
        refuse(server.name.span(), message, "has no command", "add `command`");
    }
    if server.transport.value != McpTransport::Stdio && is_empty(&server.url) {
        let message = message!("MCP server `{name}` of type `{kind}` has no `url`");
        refuse(server.name.span(), message, "has no address", "add `url`");
    }
    for variable in server.env.iter().flat_map(|env| env.node.items()) {
        if let Some((fault, help)) = variable_fault(variable) {
            let message = message!("invalid variable of MCP server `{name}`: {fault}");
            refuse(variable.span(), message, "invalid variable", help);
        }
    }
}

/// The fault of a variable, and its repair.
fn variable_fault(variable: &Node) -> Option<(&'static str, &'static str)> {
    if variable.str_at(&["name"]).is_none_or(str::is_empty) {
        return Some(("empty name", "add `name`"));
    }
    let source = variable.get("valueFrom")?;
    let has = |key: &str| source.get(key).is_some();
    if variable.str_at(&["value"]).is_some_and(|it| !it.is_empty()) {
        return Some(("`value` and `valueFrom` are mutually exclusive", "remove one of them"));
    }
    if ["fieldRef", "resourceFieldRef", "fileKeyRef"].into_iter().any(has) {
        return Some((
            "`valueFrom` only supports `secretKeyRef` and `configMapKeyRef`",
            "use one of these, or a value",
        ));
    }
    match (has("secretKeyRef"), has("configMapKeyRef")) {
        (true, true) => Some(("two sources", "remove one of them")),
        (false, false) => Some(("`valueFrom` has no source", "add `secretKeyRef`")),
        _ => None,
    }
}
