//! Alternative forms that the server reads: settings in environment variables, and numbers in
//! strings.

use super::input::K8sConfig;
use crate::decode::Record;
use crate::diag::{Diagnostic, Sink, message};
use crate::scalar::pydantic_integer;
use crate::schema::{UNKNOWN_FIELD, WRONG_TYPE};
use crate::sorted::SortedMap;
use crate::tree::{Field, Node, Value};

/// The prefix of the variables for settings of Jobs, case-insensitive.
const K8S: &str = "OSA_RUNNER__K8S__";
/// The variable of the backend.
const BACKEND: &str = "OSA_RUNNER__BACKEND";
/// The setting that is a list.
const LIST: &str = "image_pull_secrets";
/// Numbers that the server also reads from strings.
const NUMBERS: &[&str] = &["job_ttl_seconds", "timeout_seconds", "limit", "offset", "batch"];
/// Maps whose contents belong to the containers.
pub(super) const FREE: &[&str] = &["config", "session", "feature"];

/// The variables that have a whole block, as JSON.
const BLOCKS: &[&str] = &["OSA_RUNNER", "OSA_RUNNER__K8S"];

/// Merges the variables of `environment` over `runner`. Reports variables that the server does not
/// have, and values that are not strings.
pub(super) fn apply(root: &mut Node, sink: &mut Sink) {
    let variables = root.get("environment").map_or(&[][..], Node::entries).to_vec();
    let open = || Node::map(root.origin());
    let mut runner = root.get("runner").cloned().unwrap_or_else(open);
    let mut k8s = runner.get("k8s").cloned().unwrap_or_else(open);
    let mut has_runner = root.get("runner").is_some();
    // Names that differ only in case are one setting; the last one applies.
    let (mut backend, mut settings) = (None, SortedMap::new());
    for variable in variables {
        let name = variable.key.to_ascii_uppercase();
        let value = as_text(variable.value);
        let field = setting_of_variable(&name);
        let is_own = BLOCKS.contains(&name.as_str()) || name.starts_with("OSA_RUNNER__");
        if !is_own {
            continue;
        }
        match field {
            _ if value.as_str().is_none() => sink.report(not_text(&name, &value)),
            _ if name == BACKEND => backend = Some(value),
            Some(field) => drop(settings.insert(field, value)),
            None => sink.report(unknown_variable(&name, &value)),
        }
    }
    has_runner |= backend.is_some() || !settings.is_empty();
    runner.set_some("backend", backend);
    if runner.get("k8s").is_some() || !settings.is_empty() {
        for (field, value) in settings {
            let value = if field == LIST { parse_list(value) } else { value };
            k8s.set(field, value);
        }
        runner.set("k8s", k8s);
    }
    if has_runner {
        root.set("runner", runner);
    }
}

/// The value of a variable: numbers are strings there.
fn as_text(node: Node) -> Node {
    match node.value {
        Value::Int(number) => Node::string(number.to_string(), node.origin()),
        _ => node,
    }
}

fn not_text(name: &str, value: &Node) -> Diagnostic {
    let message = message!("variable `{name}` must be a string, not {}", value.value.describe());
    Diagnostic::new(&WRONG_TYPE, value.span(), message)
        .at("not a string")
        .help("write the value in quotes: `\"true\"`, or `'[\"ghcr-read\"]'` for a list")
}

fn unknown_variable(name: &str, value: &Node) -> Diagnostic {
    let finding = |message| Diagnostic::new(&UNKNOWN_FIELD, value.span(), message);
    if BLOCKS.contains(&name) {
        finding(message!("variable `{name}` with a whole block is not imported"))
            .at("settings as JSON")
            .help("write one variable for each setting: `OSA_RUNNER__BACKEND`, `OSA_RUNNER__K8S__<SETTING>`")
    } else {
        finding(message!("the server has no setting for the variable `{name}`"))
            .at("not a setting of the runner")
            .help("write `OSA_RUNNER__BACKEND` or `OSA_RUNNER__K8S__<SETTING>`")
    }
}

/// The setting of Jobs that a variable is for.
fn setting_of_variable(variable: &str) -> Option<String> {
    let field = variable.strip_prefix(K8S)?.to_ascii_lowercase();
    K8sConfig::OBJECT.property(&field).is_some().then_some(field)
}

/// Parses a list in JSON.
fn parse_list(node: Node) -> Node {
    let json = node.as_str().and_then(|text| serde_json::from_str::<Vec<String>>(text).ok());
    match json {
        Some(items) => {
            let origin = node.origin();
            Node::list(items.into_iter().map(|word| Node::string(word, origin)), origin)
        }
        None => node,
    }
}

/// Converts strings of digits to numbers, as the server does.
pub(super) fn read_numbers(node: &mut Node) {
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(read_numbers),
        Value::Map(map) => {
            for Field { key, value, .. } in map.fields_mut() {
                let key = key.as_str();
                if NUMBERS.contains(&key)
                    && let Some(number) = value.as_str().and_then(pydantic_integer)
                {
                    *value = Node::int(number, value.origin());
                } else if !FREE.contains(&key) {
                    read_numbers(value);
                }
            }
        }
        _ => {}
    }
}
