//! The configuration of the orchestrator: settings that affect servers become the block `idegym` of
//! a Project.

use lean_string::LeanStr;

use super::super::rules::START_REQUEST_INVALID;
use super::lax;
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::lower::{ImportCx, imported_project};
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Node, Origin, Value};

/// The type of a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Boolean,
    Integer,
    Number,
}

/// A setting: its path in the file, and its environment variable.
struct Setting {
    path: &'static [&'static str],
    variable: &'static str,
    form: Form,
}

const fn setting(path: &'static [&'static str], variable: &'static str, form: Form) -> Setting {
    Setting { path, variable, form }
}

const POOL_ENABLED: Setting =
    setting(&["orchestrator", "node_pool", "enabled"], "IDEGYM_NODE_POOL_ENABLED", Form::Boolean);
const POOL_TAINT: Setting =
    setting(&["orchestrator", "node_pool", "taint_key"], "IDEGYM_NODE_POOL_TAINT_KEY", Form::Text);
const POOL_WEIGHT: Setting = setting(
    &["orchestrator", "node_pool", "preference_weight"],
    "IDEGYM_NODE_POOL_PREFERENCE_WEIGHT",
    Form::Integer,
);
const SNAPSHOT_ENABLED: Setting = setting(
    &["orchestrator", "pod_snapshot", "enabled"],
    "IDEGYM_POD_SNAPSHOT_ENABLED",
    Form::Boolean,
);
const SNAPSHOT_ACCOUNT: Setting = setting(
    &["orchestrator", "pod_snapshot", "service_account_name"],
    "IDEGYM_POD_SNAPSHOT_SERVICE_ACCOUNT_NAME",
    Form::Text,
);
const TRACING_ENDPOINT: Setting =
    setting(&["otel", "tracing", "endpoint"], "IDEGYM_OTEL_TRACING_ENDPOINT", Form::Text);
const TRACING_TIMEOUT: Setting =
    setting(&["otel", "tracing", "timeout"], "IDEGYM_OTEL_TRACING_TIMEOUT", Form::Number);

/// A block with settings: its path, the prefix of its variables, and its keys that no server depends on.
struct Block {
    path: [&'static str; 2],
    prefix: &'static str,
    others: &'static [&'static str],
}

const BLOCKS: [Block; 3] = [
    Block { path: ["orchestrator", "node_pool"], prefix: "IDEGYM_NODE_POOL_", others: &[] },
    Block {
        path: ["orchestrator", "pod_snapshot"],
        prefix: "IDEGYM_POD_SNAPSHOT_",
        others: &["completion_timeout", "poll_interval"],
    },
    Block { path: ["otel", "tracing"], prefix: "IDEGYM_OTEL_TRACING_", others: &["auth"] },
];

const SETTINGS: [&Setting; 7] = [
    &POOL_ENABLED,
    &POOL_TAINT,
    &POOL_WEIGHT,
    &SNAPSHOT_ENABLED,
    &SNAPSHOT_ACCOUNT,
    &TRACING_ENDPOINT,
    &TRACING_TIMEOUT,
];

/// Reports blocks that are not maps, and keys and variables that the blocks do not have.
fn check_blocks(root: &Node, cx: &mut ImportCx<'_>) {
    for Block { path, prefix, others } in &BLOCKS {
        let name = path.join(".");
        let block = root.at(path);
        if let Some(block) = block.filter(|block| block.as_map().is_none()) {
            let message = message!("`{name}` of the orchestrator is not a map");
            cx.sink.report(rejected_setting(block.span(), message, "not a map"));
        }
        let is_known = |key: &str| {
            let own = SETTINGS.iter().filter(|setting| setting.path.starts_with(path));
            others.contains(&key)
                || own.filter_map(|setting| setting.path.last()).any(|part| *part == key)
        };
        for entry in block.map_or(&[][..], Node::entries) {
            let (key, place) = (entry.key.as_str(), entry.key_origin().span());
            if !is_known(key) {
                let message = message!("unknown setting `{name}.{key}` of the orchestrator");
                cx.sink.report(rejected_setting(place, message, "unknown setting"));
            } else if entry.value.is_null() && key != "endpoint" {
                let message = message!("`{name}.{key}` of the orchestrator must not be null");
                cx.sink.report(rejected_setting(entry.value.span(), message, "must not be null"));
            }
        }
        for entry in root.get("environment").map_or(&[][..], Node::entries) {
            let Some(key) = entry.key.strip_prefix(prefix).map(str::to_ascii_lowercase) else {
                continue;
            };
            if !is_known(&key) && !others.iter().any(|prefix| key.starts_with(prefix)) {
                let message = message!("variable `{}` has no effect", entry.key);
                let reason = "the orchestrator has no such setting";
                let help = message!("correct the name, or remove `{}`", entry.key);
                cx.unused(entry.key_origin().span(), message, reason, help);
            }
        }
    }
}

fn rejected_setting(place: Span, message: Message, label: impl Into<Message>) -> Diagnostic {
    Diagnostic::new(&START_REQUEST_INVALID, place, message)
        .at(label)
        .note("idegym rejects the configuration")
}

/// Whether a document is such a configuration, or has the variables of one under `environment`.
pub(super) fn recognizes(root: &Node) -> bool {
    let blocks = ["node_pool", "pod_snapshot"];
    let variables = root.get("environment").map_or(&[][..], Node::entries);
    blocks.iter().any(|block| root.at(&["orchestrator", block]).is_some())
        || root.at(&["otel", "tracing"]).is_some()
        || variables.iter().any(|variable| variable.key.starts_with("IDEGYM_"))
}

/// Converts the configuration to a Project, if each setting has a value of its type. Blocks without
/// an effect on servers are omitted.
pub(super) fn project(root: &Node, cx: &mut ImportCx<'_>) -> Option<Node> {
    let origin = root.origin();
    check_blocks(root, cx);
    cx.leave_out(&unread_parts(root), "settings that no server depends on");
    let mut findings = Sink::new();
    let mut read_setting = |setting: &Setting| read_value(root, setting, &mut findings);
    let mut settings = Node::map(origin);
    let is_on = |value: Option<Node>| value.and_then(|it| it.as_bool()) == Some(true);
    let (pool, taint, weight) =
        (read_setting(&POOL_ENABLED), read_setting(&POOL_TAINT), read_setting(&POOL_WEIGHT));
    // Without a key there is no toleration and no preference.
    if is_on(pool) && taint.as_ref().and_then(Node::as_str) != Some("") {
        settings
            .set("nodePool", map_of(origin, [("taintKey", taint), ("preferenceWeight", weight)]));
    }
    let (snapshots, account) = (read_setting(&SNAPSHOT_ENABLED), read_setting(&SNAPSHOT_ACCOUNT));
    if is_on(snapshots) {
        settings.set("podSnapshot", map_of(origin, [("serviceAccountName", account)]));
    }
    let (endpoint, timeout) = (read_setting(&TRACING_ENDPOINT), read_setting(&TRACING_TIMEOUT));
    let tracing = map_of(origin, [("endpoint", endpoint), ("timeoutSeconds", timeout)]);
    settings.set_some("tracing", Some(tracing).filter(|tracing| !tracing.entries().is_empty()));
    let mut spec = Node::map(origin);
    spec.set("idegym", settings);
    let project = imported_project(spec, origin);
    let is_sound = findings.is_empty();
    cx.sink.absorb(findings);
    is_sound.then_some(project)
}

fn map_of<const N: usize>(origin: Origin, fields: [(&'static str, Option<Node>); N]) -> Node {
    let mut map = Node::map(origin);
    for (key, value) in fields {
        map.set_some(key, value);
    }
    map
}

/// The value of a setting: that of its variable, or else that in the file.
fn read_value(root: &Node, setting: &Setting, sink: &mut Sink) -> Option<Node> {
    let variable = |name: &str| root.at(&["environment", name]);
    let written = variable(setting.variable).or_else(|| root.at(setting.path))?;
    let node = interpolate(written, variable);
    let is_optional = setting.variable == TRACING_ENDPOINT.variable;
    let value = match setting.form {
        // A default of an interpolation, or a setting that can be absent.
        _ if node.is_null() && (is_optional || !written.is_null()) => return None,
        Form::Text => node.as_str().map(|text| Value::String(text.into())),
        Form::Boolean => lax::as_boolean(&node).map(Value::Bool),
        Form::Integer => lax::as_integer(&node).map(Value::Int),
        Form::Number => node
            .as_str()
            .and_then(|text| text.trim().parse().ok().map(Value::Float))
            .or_else(|| node.as_number().map(Value::from)),
    };
    if value.is_none() {
        let what = match setting.form {
            Form::Text => "a string",
            Form::Boolean => "a boolean",
            Form::Integer => "a whole number",
            Form::Number => "a number",
        };
        let message = message!("`{}` of the orchestrator is not {what}", setting.path.join("."));
        sink.report(rejected_setting(written.span(), message, message!("not {what}")));
    }
    value.map(|value| written.with_value(value))
}

/// Resolves `${oc.env:NAME, default}` to the variable, or else to the default.
fn interpolate<'n>(node: &'n Node, variable: impl Fn(&str) -> Option<&'n Node>) -> Node {
    let inner = node.as_str().and_then(|text| text.strip_prefix("${oc.env:")?.strip_suffix('}'));
    let Some(inner) = inner else { return node.clone() };
    let (name, default) = inner.split_once(',').unwrap_or((inner, "null"));
    if let Some(value) = variable(name.trim()) {
        return value.clone();
    }
    let trimmed = default.trim();
    let unquoted = trimmed.strip_prefix(['"', '\'']).and_then(|it| it.strip_suffix(['"', '\'']));
    match unquoted.unwrap_or(trimmed) {
        "null" => node.with_value(Value::Null),
        text => node.with_value(Value::String(LeanStr::from(text))),
    }
}

/// The parts of the configuration that are not read.
fn unread_parts(root: &Node) -> SortedSet<String> {
    let mut others = SortedSet::new();
    let is_read = |path: &str| BLOCKS.iter().any(|block| block.path.join(".") == path);
    for part in ["orchestrator", "otel"] {
        let entries = root.get(part).map_or(&[][..], Node::entries).iter();
        let paths = entries.map(|entry| format!("{part}.{}", entry.key.as_str()));
        others.extend(paths.filter(|path| !is_read(path)));
    }
    let is_setting = |key: &str| SETTINGS.iter().any(|setting| setting.variable == key);
    for variable in root.get("environment").map_or(&[][..], Node::entries) {
        if !is_setting(&variable.key) {
            others.insert(format!("environment.{}", variable.key.as_str()));
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;

    fn settings(configuration: serde_json::Value) -> (serde_json::Value, usize) {
        let root = Node::from_json(configuration, Origin::source(Workspace::new().start()));
        assert!(recognizes(&root));
        let mut sink = Sink::new();
        let mut cx = ImportCx { is_lossy: false, left_out: Vec::new(), sink: &mut sink };
        let project = project(&root, &mut cx);
        let settings =
            project.map_or(json!({}), |project| project.to_json()["spec"]["idegym"].clone());
        (settings, sink.into_sorted().len())
    }

    #[test]
    fn enabled_blocks_become_settings() {
        let pool = json!({"enabled": true, "taint_key": "acme.dev/pool", "preference_weight": 7});
        let snapshot = json!({"enabled": "False", "service_account_name": "snap"});
        let orchestrator = json!({"port": 8000, "node_pool": pool, "pod_snapshot": snapshot});
        let tracing = json!({"endpoint": "http://otel:4318", "timeout": 2.5});
        let configuration = json!({"orchestrator": orchestrator, "otel": {"tracing": tracing}});
        let expected = json!({
            "nodePool": {"taintKey": "acme.dev/pool", "preferenceWeight": 7},
            "tracing": {"endpoint": "http://otel:4318", "timeoutSeconds": 2.5},
        });
        assert_eq!(settings(configuration), (expected, 0));
        let off = json!({"orchestrator": {"node_pool": {"enabled": true, "taint_key": ""}}});
        assert_eq!(settings(off), (json!({}), 0));
    }

    #[test]
    fn variables_take_precedence_over_the_file() {
        let pool = json!({
            "enabled": "${oc.env:IDEGYM_NODE_POOL_ENABLED, \"False\"}",
            "taint_key": "${oc.env:POOL_KEY, \"jetbrains.com/idegym\"}",
            "preference_weight": "${oc.env:IDEGYM_NODE_POOL_PREFERENCE_WEIGHT, 100}",
        });
        let file = json!({"orchestrator": {"node_pool": pool}});
        assert_eq!(settings(file.clone()), (json!({}), 0));
        let mut with_variables = file;
        with_variables["environment"] = json!({"IDEGYM_NODE_POOL_ENABLED": "1", "POOL_KEY": "own"});
        let expected = json!({"nodePool": {"taintKey": "own", "preferenceWeight": 100}});
        assert_eq!(settings(with_variables), (expected, 0));
        let alone = json!({"environment": {"IDEGYM_POD_SNAPSHOT_ENABLED": "yes"}});
        assert_eq!(settings(alone), (json!({"podSnapshot": {}}), 0));
    }

    #[test]
    fn a_value_of_another_type_is_reported() {
        let pool = json!({"enabled": "perhaps", "preference_weight": "many"});
        let (settings, findings) = settings(json!({"orchestrator": {"node_pool": pool}}));
        assert_eq!((settings, findings), (json!({}), 2));
    }

    #[test]
    fn unknown_settings_are_reported() {
        let found = |configuration| settings(configuration).1;
        let pool = |pool: serde_json::Value| json!({"orchestrator": {"node_pool": pool}});
        assert_eq!(found(pool(json!({"enabled": true, "taint_ke": "a"}))), 1);
        assert_eq!(found(pool(json!([]))), 1);
        assert_eq!(found(pool(json!({"enabled": null, "taint_key": null}))), 2);
        assert_eq!(found(json!({"otel": {"tracing": {"endpoint": null, "auth": {}}}})), 0);
        let variables = json!({
            "IDEGYM_NODE_POOL_TAINTKEY": "a",
            "IDEGYM_OTEL_TRACING_AUTH_USERNAME": "a",
            "IDEGYM_LOG_LEVEL": "a",
        });
        assert_eq!(found(json!({"environment": variables})), 1);
    }
}
