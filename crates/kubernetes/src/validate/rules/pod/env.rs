//! Environment variables of containers, and their sources.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, Message, Words, declare_rules, message};
use crate::scalar::{
    Quantity, check_config_map_key, check_env_name, check_qualified_name, has_backsteps,
};
use crate::sorted::CompactSort as _;
use crate::tree::{Entry, Node, Value};
use crate::validate::rules::data::DATA_KEY_INVALID;
use crate::validate::rules::judge::{Absence, filled, items, start};
use crate::validate::rules::names::{NameForm, needed_name};

declare_rules! {
    ENV_NAME_INVALID = "env-name-invalid", Error;
    ENV_SOURCE_MISSING = "env-source-missing", Error, follows = [Misplaced];
    ENV_SOURCE_CONFLICT = "env-source-conflict", Error;
    FIELD_PATH_UNSUPPORTED = "field-path-unsupported", Error;
    RESOURCE_FIELD_UNSUPPORTED = "resource-field-unsupported", Error;
}

/// The first minor version that keeps `fileKeyRef` (`EnvFiles`).
const FILE_KEY_MINOR: u8 = 35;

const SOURCES: [&str; 5] =
    ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

/// The kind of reference, which determines the available fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// An environment variable.
    Variable,
    /// A file of a volume.
    File,
}

pub(super) fn check(judge: &mut PodJudge<'_>, container: &Node) {
    for variable in items(container, "env") {
        check_variable(judge, variable);
    }
    for source in items(container, "envFrom") {
        check_from(judge, source);
    }
}

fn check_variable_name(judge: &mut PodJudge<'_>, node: &Node, what: &str) {
    let help = |_: &str| "use printable ASCII characters other than `=`".into();
    judge.form(node, (&ENV_NAME_INVALID, what), check_env_name, help);
}

fn check_variable(judge: &mut PodJudge<'_>, variable: &Node) {
    if let Some((name, _)) = judge.needed_node(variable, "name", Absence::BySchema) {
        check_variable_name(judge, name, "variable name");
    }
    let Some(from) = variable.entry("valueFrom") else { return };
    if from.value.as_map().is_none() {
        return;
    }
    let value = variable
        .entry("value")
        .filter(|entry| entry.value.as_str().is_some_and(|it| !it.is_empty()));
    sources(judge, from, value);
    let source = |name: &str| from.value.get(name);
    if let Some(node) = source("fieldRef") {
        check_field(judge, node, Reader::Variable);
    }
    if let Some(node) = source("resourceFieldRef") {
        check_resource(judge, node);
    }
    for name in ["configMapKeyRef", "secretKeyRef"] {
        let Some(node) = source(name) else { continue };
        check_key(judge, node);
    }
    if let Some(node) = source("fileKeyRef").filter(|_| judge.minor >= FILE_KEY_MINOR) {
        check_file(judge, node);
    }
}

/// Checks that a variable has a value or one source.
fn sources(judge: &mut PodJudge<'_>, from: &Entry, value: Option<&Entry>) {
    let minor = judge.minor;
    // A source that the server does not know counts as absent.
    let is_kept = |name: &str| name != "fileKeyRef" || minor >= FILE_KEY_MINOR;
    let mut given =
        SOURCES.iter().filter(|name| is_kept(name)).filter_map(|name| from.value.entry(name));
    let Some(first) = given.next() else {
        let text = (
            "`valueFrom` has no source",
            "no source",
            "write one of `fieldRef`, `resourceFieldRef`, `configMapKeyRef` and `secretKeyRef`, or a `value`",
        );
        judge.fault(&ENV_SOURCE_MISSING, from, text);
        return;
    };
    if let Some(other) = value.or_else(|| given.next()) {
        let mut both = [first, other];
        both.compact_sort_by_key(|entry| entry.key_origin().span());
        let [first, second] = both;
        let message =
            message!("environment variable has both `{}` and `{}`", first.key, second.key);
        let finding = Diagnostic::new(&ENV_SOURCE_CONFLICT, second.key_origin().span(), message)
            .at("a second source")
            .label(first.key_origin().span(), "the first source")
            .help("keep one of them");
        judge.report(finding, from);
    }
}

/// Checks a field of the Pod. Variables select single labels and annotations, files all of them.
pub(super) fn check_field(judge: &mut PodJudge<'_>, reference: &Node, reader: Reader) {
    const VARIABLE: &[&str] = &[
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "spec.nodeName",
        "spec.serviceAccountName",
        "status.hostIP",
        "status.hostIPs",
        "status.podIP",
        "status.podIPs",
    ];
    const FILE: &[&str] = &[
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "metadata.labels",
        "metadata.annotations",
    ];
    if let Some(node) = reference.get("apiVersion")
        && node.as_str().is_some_and(|version| !matches!(version, "" | "v1"))
    {
        let text = ("`apiVersion` of a `fieldRef` is not `v1`", "must be `v1`", "remove it");
        judge.fault(&FIELD_PATH_UNSUPPORTED, node, text);
    }
    let Some(text) = judge.needed(reference, "fieldPath", Absence::BySchema) else { return };
    let known = if reader == Reader::Variable { VARIABLE } else { FILE };
    // The former name of `spec.nodeName`, which the server still converts.
    let is_old_name = reader == Reader::Variable && text == "spec.host";
    if known.contains(&text) || is_old_name {
        return;
    }
    let Some(node) = reference.get("fieldPath") else { return };
    let fault = match split_subscript(text) {
        Some(("metadata.labels", key)) => match check_qualified_name(key) {
            Ok(()) => return,
            Err(fault) => message!("label key `{key}` {fault}"),
        },
        Some(("metadata.annotations", key)) => match check_qualified_name(&key.to_lowercase()) {
            Ok(()) => return,
            Err(fault) => message!("annotation key `{key}` {fault}"),
        },
        _ if matches!(text, "metadata.labels" | "metadata.annotations") => {
            message!("`{text}` is a map, but a variable is a single string")
        }
        _ => message!("field `{text}` is not available here"),
    };
    let help = match text {
        "metadata.labels" | "metadata.annotations" => message!("select one key: `{text}['key']`"),
        _ => {
            let all = Message::joined(known.iter().map(|name| message!("`{name}`")), ", ");
            let one = "`metadata.labels['key']` or `metadata.annotations['key']`";
            message!("write {all}, {}", Words(one))
        }
    };
    let finding = Diagnostic::new(&FIELD_PATH_UNSUPPORTED, node.span(), fault)
        .at("not available")
        .suggest_near_or(node.span(), text, known.iter().copied(), || help);
    judge.report(finding, (reference, "fieldPath"));
}

/// Splits `metadata.labels['app']` into its two parts.
fn split_subscript(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix("']")?.split_once("['")
}

/// Checks a reference to a request or limit of a container.
pub(super) fn check_resource(judge: &mut PodJudge<'_>, reference: &Node) {
    let Some((node, text)) = judge.needed_node(reference, "resource", Absence::BySchema) else {
        return;
    };
    let name = text.strip_prefix("limits.").or_else(|| text.strip_prefix("requests."));
    let is_known = name.is_some_and(|name| {
        matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
    });
    let Some(name) = name.filter(|_| is_known) else {
        let text = (
            message!("resource `{text}` is not available here"),
            "not available",
            "write `limits.` or `requests.`, and `cpu`, `memory`, `ephemeral-storage` or `hugepages-<size>`",
        );
        judge.fault(&RESOURCE_FIELD_UNSUPPORTED, node, text);
        return;
    };
    let Some(divisor) = reference.get("divisor") else { return };
    // A number is converted to a string: `1000` is `1k`.
    let text = match &divisor.value {
        Value::String(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::UInt(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        _ => return,
    };
    let Ok(amount) = Quantity::parse(&text) else { return };
    if amount.billionths() != 0 && !is_divisor(name, &amount.to_string()) {
        report_divisor(judge, divisor, name);
    }
}

fn is_divisor(resource: &str, canonical: &str) -> bool {
    match resource {
        "cpu" => matches!(canonical, "1m" | "1"),
        _ => matches!(
            canonical,
            "1" | "1k"
                | "1M"
                | "1G"
                | "1T"
                | "1P"
                | "1E"
                | "1Ki"
                | "1Mi"
                | "1Gi"
                | "1Ti"
                | "1Pi"
                | "1Ei"
        ),
    }
}

fn report_divisor(judge: &mut PodJudge<'_>, divisor: &Node, name: &str) {
    let allowed = match name {
        "cpu" => "`1m` or `1`",
        _ => "`1`, or 1 with a unit from `k` to `E` or from `Ki` to `Ei`",
    };
    let text =
        (message!("invalid divisor for `{name}`"), "invalid divisor", message!("write {allowed}"));
    judge.fault(&RESOURCE_FIELD_UNSUPPORTED, divisor, text);
}

/// Checks the key of a ConfigMap or a Secret.
fn check_key(judge: &mut PodJudge<'_>, reference: &Node) {
    needed_name(judge, reference, "name", Absence::Here, NameForm::OBJECT);
    data_key(judge, reference);
}

/// Checks a reference to a key of a ConfigMap or a Secret.
pub(super) fn data_key(judge: &mut PodJudge<'_>, reference: &Node) {
    if let Some((node, _)) = judge.needed_node(reference, "key", Absence::BySchema) {
        let help = |_: &str| {
            "use a key of the ConfigMap or Secret: letters, digits, `-`, `_` and `.`".into()
        };
        judge.form(node, (&DATA_KEY_INVALID, "key"), check_config_map_key, help);
    }
}

/// Checks a variable from a file of an `emptyDir`.
fn check_file(judge: &mut PodJudge<'_>, reference: &Node) {
    if let Some((node, _)) = judge.needed_node(reference, "key", Absence::BySchema) {
        check_variable_name(judge, node, "variable name");
    }
    if let Some((node, file)) = judge.needed_node(reference, "path", Absence::BySchema)
        && has_backsteps(file)
    {
        let finding = Diagnostic::new(&ENV_SOURCE_MISSING, node.span(), "file path contains `..`")
            .at("must stay inside the volume")
            .help("write a path relative to the root of the volume");
        judge.report(finding, (reference, "path"));
    }
    let Some(name) = judge.needed(reference, "volumeName", Absence::BySchema) else { return };
    let volume = judge.volume(name);
    // A volume without a source is an `emptyDir`.
    let is_empty_dir = volume.is_some_and(|volume| {
        let sources = || {
            volume.entries().iter().filter(|entry| entry.key != "name" && !entry.value.is_null())
        };
        sources().count() == 0 || volume.get("emptyDir").is_some()
    });
    let Some(node) = reference.get("volumeName").filter(|_| !is_empty_dir) else { return };
    let message = match volume {
        Some(_) => message!("volume `{name}` is not an `emptyDir`"),
        None => message!("volume `{name}` not found in the Pod"),
    };
    let text = (message, "no file available", "use an `emptyDir` volume of the Pod");
    judge.fault(&ENV_SOURCE_MISSING, node, text);
}

fn check_from(judge: &mut PodJudge<'_>, source: &Node) {
    if source.as_map().is_none() {
        return;
    }
    if let Some(node) = filled(source, "prefix") {
        check_variable_name(judge, node, "variable prefix");
    }
    match (source.entry("configMapRef"), source.entry("secretRef")) {
        (None, None) => {
            let finding =
                Diagnostic::new(&ENV_SOURCE_MISSING, start(source), "`envFrom` item has no source")
                    .at("no source")
                    .help("write `configMapRef: {name: ...}` or `secretRef: {name: ...}`");
            judge.report(finding, source);
        }
        (Some(first), Some(other)) => {
            let finding = Diagnostic::new(
                &ENV_SOURCE_CONFLICT,
                other.key_origin().span(),
                "`envFrom` item names both a ConfigMap and a Secret",
            )
            .at("a Secret")
            .label(first.key_origin().span(), "a ConfigMap")
            .help("split it into two items");
            judge.report(finding, source);
        }
        _ => {}
    }
    for field in ["configMapRef", "secretRef"] {
        let Some(reference) = source.get(field) else { continue };
        needed_name(judge, reference, "name", Absence::Here, NameForm::PREFIX);
    }
}
