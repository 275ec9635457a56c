//! MCP servers as an environment variable of the agent. Values of Secrets and ConfigMaps are
//! separate variables, which the kubelet expands in it, so a Job never contains a secret value.

use k8s_openapi::api::core::v1::{ConfigMapKeySelector, EnvVar, EnvVarSource, SecretKeySelector};

use super::agent::SecretReference;
use super::agent_config::{McpServer, SecretSource};
use super::environment::Variable;
use super::text::{json_array, json_object, json_string};
use crate::decode::{Field, Text};
use crate::kube::escape_expansion;
use crate::lower::{Data, DataKind};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;

/// The variable with all servers.
const SERVERS: &str = "KELOS_MCP_SERVERS";

/// The data of a Secret or ConfigMap, if its keys are known.
pub(super) type DataOf<'d> = dyn Fn(DataKind, &str) -> Option<&'d Data> + 'd;

/// The variables of all servers.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    /// The variables that refer to a Secret or `ConfigMap`, then the one with the servers.
    pub(super) variables: Vec<Variable>,
    /// Secrets and ConfigMaps whose keys are required but unknown.
    pub(super) unknown: Vec<(DataKind, Text)>,
    /// Values that would break the JSON when the kubelet expands them.
    pub(super) unfit: Vec<UnfitValue>,
}

/// A value of a Secret or ConfigMap with characters that JSON escapes.
#[derive(Debug)]
pub(super) struct UnfitValue {
    pub(super) kind: DataKind,
    pub(super) name: String,
    pub(super) key: String,
    /// The span of the reference in the server.
    pub(super) place: Span,
    /// The span of the key in the Secret or ConfigMap.
    pub(super) key_place: Span,
}

/// Renders the servers, sorted by name, because Go sorts the keys of a map.
pub(super) fn render<'d>(servers: &[McpServer], data_of: &'d DataOf<'d>) -> Rendered {
    let Some(first) = servers.first() else { return Rendered::default() };
    let mut references =
        References { rendered: Rendered::default(), known: SortedMap::new(), data_of };
    let servers: SortedMap<_, _> =
        servers.iter().map(|server| (server.name.as_str(), references.server(server))).collect();
    let all = json_object([("mcpServers", json_object(servers))]);
    let mut rendered = references.rendered;
    rendered.variables.push(Variable::expanded(SERVERS, all, first.name.span()));
    rendered
}

struct References<'d> {
    rendered: Rendered,
    /// The variables by what they refer to: kind, name and key.
    known: SortedMap<(DataKind, String, String), String>,
    data_of: &'d DataOf<'d>,
}

impl References<'_> {
    fn server(&mut self, server: &McpServer) -> String {
        let escaped = |text: &Text| escape_expansion(&json_string(text.as_str())).into_owned();
        let mut members = Vec::new();
        let filled = |text: &Option<Text>| {
            text.as_ref().filter(|text| !text.as_str().is_empty()).map(escaped)
        };
        members.push(("type", json_string(server.transport.as_str())));
        members.extend(filled(&server.command).map(|command| ("command", command)));
        let args: Vec<_> = server.args.iter().flat_map(|it| &it.items).map(Text::as_str).collect();
        if !args.is_empty() {
            members.push(("args", escape_expansion(&json_array(args)).into_owned()));
        }
        members.extend(filled(&server.url).map(|url| ("url", url)));
        let mut headers: SortedMap<String, String> = SortedMap::new();
        for (name, value) in server.headers.iter().flat_map(|it| &it.entries) {
            headers.insert(name.to_string(), escaped(value));
        }
        self.whole_secret(server.headers_from.as_ref(), &mut headers);
        if !headers.is_empty() {
            members.push(("headers", object_of(&headers)));
        }
        let mut env = SortedMap::new();
        for variable in server.env.iter().flat_map(|env| env.node.items()) {
            let name = variable.text_at(&["name"]);
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
            let value = variable.text_at(&["value"]);
            return Some(escape_expansion(&json_string(value)).into_owned());
        };
        let secret = source.get("secretKeyRef").map(|reference| (DataKind::Secret, reference));
        let of_map = || Some((DataKind::ConfigMap, source.get("configMapKeyRef")?));
        let (kind, reference) = secret.or_else(of_map)?;
        let part = |key| reference.text_at(&[key]);
        let (name, key) = (part("name"), part("key"));
        let is_optional = reference.get("optional").and_then(Node::as_bool) == Some(true);
        match (self.data_of)(kind, name) {
            Some(data) if is_optional && data.get(key).is_none() => return None,
            None if is_optional => {
                let name = reference.get("name").cloned().and_then(Text::read);
                self.rendered.unknown.extend(name.map(|name| (kind, name)));
                return None;
            }
            _ => {}
        }
        Some(self.value_of(kind, name, key, reference.span()))
    }

    fn whole_secret(
        &mut self,
        source: Option<&SecretSource>,
        values: &mut SortedMap<String, String>,
    ) {
        let Some(SecretSource { secret_ref: SecretReference { name } }) = source else { return };
        let Some(data) = (self.data_of)(DataKind::Secret, name.as_str()) else {
            self.rendered.unknown.push((DataKind::Secret, name.clone()));
            return;
        };
        for key in data.keys() {
            let value = self.value_of(DataKind::Secret, name.as_str(), key, name.span());
            values.insert(key.to_owned(), value);
        }
    }

    fn value_of(&mut self, kind: DataKind, name: &str, key: &str, place: Span) -> String {
        let entry = (self.data_of)(kind, name).and_then(|it| it.get(key));
        if let Some(entry) = entry.filter(|it| !it.is_json_text) {
            let (name, key) = (name.to_owned(), key.to_owned());
            let key_place = entry.place;
            self.rendered.unfit.push(UnfitValue { kind, name, key, place, key_place });
        }
        let reference = (kind, name.to_owned(), key.to_owned());
        let variables = &mut self.rendered.variables;
        let variable = self.known.entry(reference).or_insert_with_key(|(kind, name, key)| {
            let variable = format!("KELOS_MCP_VALUE_{}", variables.len());
            variables.push(reference_variable(variable.clone(), *kind, name, key, place));
            variable
        });
        // The kubelet expands it.
        format!("\"$({variable})\"")
    }
}

/// A variable with an unknown value.
fn reference_variable(
    variable: String,
    kind: DataKind,
    name: &str,
    key: &str,
    place: Span,
) -> Variable {
    let (name, key) = (name.to_owned(), key.to_owned());
    let source = match kind {
        DataKind::Secret => EnvVarSource {
            secret_key_ref: Some(SecretKeySelector { name, key, optional: None }),
            ..EnvVarSource::default()
        },
        DataKind::ConfigMap => EnvVarSource {
            config_map_key_ref: Some(ConfigMapKeySelector { name, key, optional: None }),
            ..EnvVarSource::default()
        },
    };
    let variable = EnvVar { name: variable, value_from: Some(source), ..EnvVar::default() };
    Variable { variable, place }
}

fn object_of(values: &SortedMap<String, String>) -> String {
    json_object(values.iter().map(|(key, json)| (key.as_str(), json.clone())))
}
