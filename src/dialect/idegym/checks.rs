//! Checks of a definition beyond its types.

use super::account::ignored_finding;
use super::endpoint;
use super::rules::{
    NODE_PREFERENCE_MISSING, ORCHESTRATOR_FIELD_INVALID, ORCHESTRATOR_FIELD_NOT_COMPILED,
    PREPARATION_WITHOUT_GVISOR, SERVER_IMAGE_INVALID, SERVER_NAME_INVALID,
    SERVER_RESOURCE_UNSUPPORTED, SNAPSHOT_TAG_WITHOUT_ID, TRACING_SETTING_INVALID,
};
use super::server::{Mode, Orchestrator, ServerSpec};
use super::settings;
use crate::decode::{Choice, Integer, Text};
use crate::diag::{Diagnostic, Message, Reported, Sink, headlined, message};
use crate::lower::{Definition, Instances, Setup};
use crate::merge::GUARDED_FIELD;
use crate::scalar::{check_service_name, is_digits};
use crate::sorted::CompactSort as _;
use crate::tree::{Entry, Node};

/// The maximum length of an image name that idegym accepts.
const LONGEST_IMAGE: usize = 383;
/// The resources that a request can name.
pub(super) const RESOURCES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// Checks the definition before its layers are merged.
///
/// # Errors
/// If it cannot be compiled.
pub(super) fn before(definition: &Definition<ServerSpec>, sink: &mut Sink) -> Result<(), Reported> {
    let Definition { metadata, spec, .. } = definition;
    let outcome = check_name(&metadata.name, spec, sink);
    let labels = metadata.labels.as_ref().map(|it| &it.node);
    check_managed_keys(labels, "metadata.labels", is_managed_label, sink);
    if let Some(pod) = &spec.pod.pod_metadata {
        let labels = pod.labels.as_ref().map(|it| &it.node);
        check_managed_keys(labels, "spec.podMetadata.labels", is_managed_label, sink);
        let annotations = pod.annotations.as_ref().map(|it| &it.node);
        let field = "spec.podMetadata.annotations";
        check_managed_keys(annotations, field, is_managed_annotation, sink);
    }
    if let Some(image) = &spec.pod.container.image {
        check_image(image, sink);
    }
    check_resources(spec, sink);
    check_snapshot(&metadata.name, spec, sink);
    let overrides = spec.pod.pod_overrides.as_ref().map(|it| &it.node);
    if let Some(affinity) = overrides.and_then(|it| it.get("affinity")) {
        check_preferences(affinity, sink);
    }
    if let Some(affinity) = &spec.pod.spec.affinity {
        check_preferences(&affinity.node, sink);
    }
    if let Some(orchestrator) = &spec.orchestrator {
        check_orchestrator(orchestrator, sink);
    }
    outcome
}

/// Reports preferred terms for nodes without `preference`: the API server accepts them, but the models
/// of idegym's client do not.
fn check_preferences(affinity: &Node, sink: &mut Sink) {
    let terms = affinity.at(&["nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"]);
    for term in terms.map_or(&[][..], Node::items) {
        if term.as_map().is_none() || term.get("preference").is_some() {
            continue;
        }
        let start = term.entries().first().map_or(term.span(), |entry| entry.key_origin().span());
        sink.report(
            Diagnostic::new(
                &NODE_PREFERENCE_MISSING,
                start,
                "preferred term of `nodeAffinity` has no `preference`",
            )
            .at("incomplete")
            .note("the client of idegym requires it, so no server starts")
            .help("add `preference: {matchExpressions: [...]}`, or remove the term"),
        );
    }
}

const NAME_FORM: &str = "start with a lowercase letter, end with a letter or digit, and use lowercase letters, digits \
                         and `-`, at most 63";

/// Checks the names: the orchestrator generates one from the logical name and a number; both are
/// names of Services.
///
/// # Errors
/// If the objects cannot have the name.
fn check_name(name: &Text, spec: &ServerSpec, sink: &mut Sink) -> Result<(), Reported> {
    if let Err(fault) = check_service_name(name.as_str()) {
        let message = message!("server name `{}` {fault}", name.as_str());
        let mut finding = Diagnostic::new(&SERVER_NAME_INVALID, name.span(), message)
            .at("not a valid Service name")
            .path(&"metadata.name")
            .note("all objects of a server have this name, and their selectors use it as a label value")
            .help(NAME_FORM);
        if let Some(logical) = &spec.server_name {
            finding = finding.label(logical.span(), "start of the generated name");
        }
        return Err(sink.error(finding));
    }
    let Some(server_name) = &spec.server_name else { return Ok(()) };
    if let Err(fault) = check_service_name(server_name.as_str()) {
        let message = message!("`serverName` `{}` {fault}", server_name.as_str());
        return Err(sink.error(
            Diagnostic::new(&SERVER_NAME_INVALID, server_name.span(), message)
                .at("rejected by idegym")
                .path(&"spec.serverName")
                .help(NAME_FORM),
        ));
    }
    let rest = name.as_str().strip_prefix(server_name.as_str());
    if rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_digits)) {
        return Ok(());
    }
    let (own, logical) = (name.as_str(), server_name.as_str());
    let message = message!("`{own}` is not a name that idegym generates from `{logical}`");
    Err(sink.error(
        Diagnostic::new(&SERVER_NAME_INVALID, server_name.span(), message)
            .at("not the start of the name")
            .label(name.span(), "name of the objects")
            .path(&"spec.serverName")
            .note("the orchestrator names the objects by `serverName`, a dash and a number")
            .help(message!("set `metadata.name` to `{logical}-1`, with the number of the server")),
    ))
}

fn is_managed_label(key: &str) -> bool {
    key == "app"
        || key.starts_with("app.kubernetes.io/")
        || key.starts_with("idegym.jetbrains.com/")
}

fn is_managed_annotation(key: &str) -> bool {
    key == "cluster-autoscaler.kubernetes.io/safe-to-evict"
        || key.starts_with("podsnapshot.gke.io/")
        || key.starts_with("prometheus.io/")
}

/// Reports all managed keys of a map together, as idegym does.
fn check_managed_keys(
    map: Option<&Node>,
    field: &str,
    is_managed: fn(&str) -> bool,
    sink: &mut Sink,
) {
    let entries = map.map_or(&[][..], Node::entries).iter();
    let mut managed: Vec<&Entry> = entries.filter(|entry| is_managed(&entry.key)).collect();
    managed.compact_sort_by(|a, b| a.key.cmp(&b.key));
    let Some((first, others)) = managed.split_first() else { return };
    let keys = headlined(managed.iter().map(|entry| entry.key.as_str()));
    let message = message!("`{field}` must not set keys that idegym manages: {keys}");
    let mut finding = Diagnostic::new(&GUARDED_FIELD, first.key_origin().span(), message)
        .at("managed by idegym")
        .path(&field)
        .note("selectors, the autoscaler, Prometheus and snapshots depend on these keys")
        .help("use another prefix");
    for entry in others {
        finding = finding.label(entry.key_origin().span(), "managed by idegym");
    }
    sink.report(finding);
}

fn check_image(image: &Text, sink: &mut Sink) {
    let text = image.as_str();
    let is_allowed = |character: &char| {
        character.is_ascii_lowercase()
            || character.is_ascii_digit()
            || "._/:@-".contains(*character)
    };
    let fault = match text.chars().find(|character| !is_allowed(character)) {
        Some(wrong) => format!("has the character `{wrong}`"),
        None if text.len() > LONGEST_IMAGE => format!("has more than {LONGEST_IMAGE} characters"),
        None => return,
    };
    sink.report(
        Diagnostic::new(
            &SERVER_IMAGE_INVALID,
            image.span(),
            message!("idegym rejects the image `{text}`: it {fault}"),
        )
        .at("rejected by idegym")
        .path(&"spec.image")
        .note(
            "image names, including tags, can only contain lowercase letters, digits and `._/:@-`",
        )
        .help("push the image under a name that idegym accepts"),
    );
}

fn check_resources(spec: &ServerSpec, sink: &mut Sink) {
    let Some(resources) = spec.pod.container.resources.as_ref().map(|it| &it.node) else { return };
    if let Some(claims) = resources.entry("claims") {
        sink.report(unsupported_resource(claims, "claims", "spec.resources.claims"));
    }
    for block in ["requests", "limits"] {
        for entry in resources.get(block).map_or(&[][..], Node::entries) {
            if !RESOURCES.contains(&entry.key.as_str()) {
                let path = format!("spec.resources.{block}[{}]", entry.key);
                sink.report(unsupported_resource(entry, &entry.key, &path));
            }
        }
    }
}

fn unsupported_resource(entry: &Entry, name: &str, path: &str) -> Diagnostic {
    let message = message!("idegym does not support `{name}` in the resources of a Server");
    Diagnostic::new(&SERVER_RESOURCE_UNSUPPORTED, entry.key_origin().span(), message)
        .at("not supported by idegym")
        .path(&path)
        .note("a request can name `cpu`, `memory` and `ephemeral-storage`")
        .help(
            "request it in a sidecar container under `podOverrides`, or select nodes that have it",
        )
}

/// The RuntimeClass without which idegym prepares no snapshot.
const SNAPSHOT_RUNTIME_CLASS: &str = "gvisor";

fn check_snapshot(name: &Text, spec: &ServerSpec, sink: &mut Sink) {
    let is_preparation = spec.mode() == Mode::PrepareSnapshot;
    let class = spec.pod.spec.runtime_class_name.as_ref();
    if is_preparation && class.map(Text::as_str) != Some(SNAPSHOT_RUNTIME_CLASS) {
        sink.report(without_gvisor(name, spec, class));
    }
    if let (Some(id), true) = (&spec.snapshot_id, is_preparation) {
        let instead = "the server starts its own snapshot group";
        sink.report(ignored_finding(id, "snapshotId", instead));
    }
    if let (Some(tag), None) = (&spec.snapshot_tag, &spec.snapshot_id) {
        let message = "`snapshotTag` requires `snapshotId`";
        sink.report(
            Diagnostic::new(&SNAPSHOT_TAG_WITHOUT_ID, tag.span(), message)
                .at("no `snapshotId`")
                .path(&"spec.snapshotTag")
                .note("a tag names one of the snapshots of a server")
                .help("set `snapshotId` to the name of the server that the snapshot was taken of"),
        );
    }
}

/// Reports a preparation in another sandbox than that of snapshots. `podOverrides` are not considered, as
/// in idegym.
fn without_gvisor(name: &Text, spec: &ServerSpec, class: Option<&Text>) -> Diagnostic {
    let mode = spec.mode.as_ref().map_or_else(|| name.span(), Choice::span);
    let label = match class {
        Some(_) => "not `gvisor`",
        None => "`runtimeClassName` is not set",
    };
    Diagnostic::new(
        &PREPARATION_WITHOUT_GVISOR,
        class.map_or(mode, Text::span),
        message!("snapshot preparation requires `runtimeClassName: {SNAPSHOT_RUNTIME_CLASS}`"),
    )
    .at(label)
    .path(&"spec.runtimeClassName")
    .note("idegym rejects the preparation with the HTTP status 400")
    .help(message!("set `runtimeClassName: {SNAPSHOT_RUNTIME_CLASS}` in `spec`"))
}

fn check_orchestrator(orchestrator: &Orchestrator, sink: &mut Sink) {
    let Orchestrator { client_id, start_wait_timeout_seconds, reuse_strategy, max_restarts } =
        orchestrator;
    let invalid = |place, field: &str, message: Message, help: &'static str| {
        Diagnostic::new(&ORCHESTRATOR_FIELD_INVALID, place, message)
            .at("rejected by idegym")
            .path(&format!("spec.orchestrator.{field}"))
            .help(help)
    };
    let mut is_valid = true;
    if let Some(id) = client_id.as_ref().filter(|id| !is_uuid(id.as_str())) {
        is_valid = false;
        let message = message!("`clientId` `{}` is not a UUID", id.as_str());
        let help = "use the UUID that idegym returned for the client";
        sink.report(invalid(id.span(), "clientId", message, help));
    }
    let numbers =
        [("startWaitTimeoutSeconds", start_wait_timeout_seconds), ("maxRestarts", max_restarts)];
    for (field, number) in numbers {
        if let Some(negative) = number.as_ref().filter(|number| number.as_i64() < 0) {
            is_valid = false;
            let message = message!("`{field}` must not be negative");
            sink.report(invalid(negative.span(), field, message, "use 0 or more"));
        }
    }
    let number = start_wait_timeout_seconds.as_ref().or(max_restarts.as_ref());
    let first = client_id
        .as_ref()
        .map(Text::span)
        .or_else(|| reuse_strategy.as_ref().map(Choice::span))
        .or_else(|| number.map(Integer::span));
    if let Some(place) = first.filter(|_| is_valid) {
        let message = "`orchestrator` is not compiled";
        sink.report(
            Diagnostic::new(&ORCHESTRATOR_FIELD_NOT_COMPILED, place, message)
                .at("not compiled")
                .path(&"spec.orchestrator")
                .note("the orchestrator acts on them at run time; without it they have no effect"),
        );
    }
}

/// Whether Python parses it as a UUID: 32 hex digits, optionally with dashes, braces and
/// `urn:uuid:`.
fn is_uuid(text: &str) -> bool {
    let braced = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let plain = braced.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(braced);
    let groups: Vec<_> = plain.split('-').collect();
    let lengths: Vec<_> = groups.iter().map(|it| it.len()).collect();
    let is_grouped = lengths == [8, 4, 4, 4, 12] || lengths == [32];
    is_grouped && groups.iter().all(|group| group.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// Checks the settings of the Project, if there are servers that use them.
pub(super) fn check_settings(instances: &Instances<'_>, setup: &Setup, sink: &mut Sink) {
    let tracing = settings::of(setup).and_then(|settings| settings.tracing.as_ref());
    let Some(tracing) = tracing.filter(|_| instances.of_kind::<ServerSpec>().next().is_some())
    else {
        return;
    };
    let finding = |place, field: &str, message: Message, help: &'static str| {
        Diagnostic::new(&TRACING_SETTING_INVALID, place, message)
            .at("rejected by idegym")
            .path(&format!("spec.idegym.tracing.{field}"))
            .help(help)
    };
    let wrong = |text: &&Text| endpoint::normalize(text.as_str()).is_none();
    if let Some(endpoint) = tracing.endpoint.as_ref().filter(wrong) {
        let message = message!("`{}` is not an http or https URL", endpoint.as_str());
        sink.report(finding(endpoint.span(), "endpoint", message, "use `http://HOST:4318`"));
    }
    if let Some(timeout) = tracing.timeout_seconds.as_ref()
        && tracing.timeout().is_none()
    {
        let message = "`timeoutSeconds` must be a number of seconds, 0 or more".into();
        sink.report(finding(timeout.node.span(), "timeoutSeconds", message, "use a number"));
    }
}
