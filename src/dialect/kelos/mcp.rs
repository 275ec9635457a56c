//! MCP servers as a variable of the agent. Values of Secrets and `ConfigMaps` are separate
//! variables, which the kubelet inserts into it: no secret value is ever in a Job.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{ConfigMapKeySelector, EnvVar, EnvVarSource, SecretKeySelector};

use super::agent::SecretReference;
use super::agent_config::{McpServer, SecretSource};
use super::environment::Variable;
use super::text::{json_array, json_object, json_string};
use crate::decode::{Field, Text};
use crate::kube::escape_expansion;
use crate::source::Span;
use crate::tree::Node;

/// The variable with all servers.
const SERVERS: &str = "KELOS_MCP_SERVERS";

/// The sorted keys of a Secret, if they are known.
pub(super) type KeysOf<'k> = dyn Fn(&str) -> Option<Vec<String>> + 'k;

/// The variables of all servers.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    /// The variables that refer to a Secret or `ConfigMap`, then the one with the servers.
    pub(super) variables: Vec<Variable>,
    /// Secrets whose keys are required but unknown.
    pub(super) unknown: Vec<Text>,
}

/// Renders the servers, sorted by name, because Go sorts the keys of a map.
pub(super) fn render(servers: &[McpServer], keys_of: &KeysOf<'_>) -> Rendered {
    let Some(first) = servers.first() else { return Rendered::default() };
    let mut references = References { rendered: Rendered::default(), keys_of };
    let servers: BTreeMap<_, _> =
        servers.iter().map(|it| (it.name.as_str(), references.server(it))).collect();
    let all = json_object([("mcpServers", json_object(servers))]);
    let mut rendered = references.rendered;
    rendered.variables.push(Variable::expanded(SERVERS, all, first.name.span()));
    rendered
}

struct References<'k> {
    rendered: Rendered,
    keys_of: &'k KeysOf<'k>,
}

impl References<'_> {
    fn server(&mut self, server: &McpServer) -> String {
        let escaped = |text: &Text| escape_expansion(&json_string(text.as_str())).into_owned();
        let mut members = Vec::new();
        let filled =
            |text: &Option<Text>| text.as_ref().filter(|it| !it.as_str().is_empty()).map(escaped);
        members.push(("type", json_string(server.transport.as_str())));
        members.extend(filled(&server.command).map(|it| ("command", it)));
        let args = server.args.iter().flat_map(|it| &it.items).map(Text::as_str);
        let args: Vec<_> = args.collect();
        if !args.is_empty() {
            members.push(("args", escape_expansion(&json_array(args)).into_owned()));
        }
        members.extend(filled(&server.url).map(|it| ("url", it)));
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in server.headers.iter().flat_map(|it| &it.entries) {
            headers.insert(name.to_string(), escaped(value));
        }
        self.whole_secret(server.headers_from.as_ref(), &mut headers);
        if !headers.is_empty() {
            members.push(("headers", object_of(&headers)));
        }
        let mut env = BTreeMap::new();
        for variable in server.env.iter().flat_map(|it| it.node.items()) {
            let name = variable.str_at(&["name"]).unwrap_or_default();
            env.extend(self.value(variable).map(|json| (name.to_owned(), json)));
        }
        self.whole_secret(server.env_from.as_ref(), &mut env);
        if !env.is_empty() {
            members.push(("env", object_of(&env)));
        }
        json_object(members)
    }

    /// The value of an entry of `env`, as JSON; `None` if it is optional and absent.
    fn value(&mut self, variable: &Node) -> Option<String> {
        let Some(source) = variable.get("valueFrom") else {
            let value = variable.str_at(&["value"]).unwrap_or_default();
            return Some(escape_expansion(&json_string(value)).into_owned());
        };
        let secret = source.get("secretKeyRef");
        let reference = secret.or_else(|| source.get("configMapKeyRef"))?;
        let part = |key| reference.str_at(&[key]).unwrap_or_default();
        let (name, key) = (part("name"), part("key"));
        let is_optional = reference.get("optional").and_then(Node::as_bool) == Some(true);
        let keys = secret.and_then(|_| (self.keys_of)(name));
        match keys {
            Some(keys) if is_optional && !keys.iter().any(|it| it == key) => return None,
            None if is_optional => {
                self.rendered.unknown.extend(reference.get("name").cloned().and_then(Text::read));
            }
            _ => {}
        }
        if secret.is_some() {
            return Some(self.secret(name, key, reference.span()));
        }
        let selector =
            ConfigMapKeySelector { name: name.to_owned(), key: key.to_owned(), optional: None };
        let source = EnvVarSource { config_map_key_ref: Some(selector), ..EnvVarSource::default() };
        Some(self.refer(source, reference.span()))
    }

    fn whole_secret(
        &mut self,
        source: Option<&SecretSource>,
        values: &mut BTreeMap<String, String>,
    ) {
        let Some(SecretSource { secret_ref: SecretReference { name } }) = source else { return };
        let Some(keys) = (self.keys_of)(name.as_str()) else {
            self.rendered.unknown.push(name.clone());
            return;
        };
        for key in keys {
            let value = self.secret(name.as_str(), &key, name.span());
            values.insert(key, value);
        }
    }

    fn secret(&mut self, name: &str, key: &str, place: Span) -> String {
        let selector =
            SecretKeySelector { name: name.to_owned(), key: key.to_owned(), optional: None };
        let source = EnvVarSource { secret_key_ref: Some(selector), ..EnvVarSource::default() };
        self.refer(source, place)
    }

    /// Adds a variable for an unknown value, and returns the JSON string that the kubelet expands.
    fn refer(&mut self, source: EnvVarSource, place: Span) -> String {
        let variables = &mut self.rendered.variables;
        let known = variables.iter();
        let known = known.filter(|it| it.variable.value_from.as_ref() == Some(&source));
        if let Some(known) = known.map(Variable::name).next() {
            return format!("\"$({known})\"");
        }
        let name = format!("KELOS_MCP_VALUE_{}", variables.len());
        let json = format!("\"$({name})\"");
        let variable = EnvVar { name, value_from: Some(source), ..EnvVar::default() };
        variables.push(Variable { variable, place });
        json
    }
}

fn object_of(values: &BTreeMap<String, String>) -> String {
    json_object(values.iter().map(|(key, json)| (key.as_str(), json.clone())))
}
