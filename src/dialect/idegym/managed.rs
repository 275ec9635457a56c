//! The Pod that the orchestrator creates for any request, and the fields of it that the author
//! cannot change.

use k8s_openapi::api::core::v1::{
    Affinity, EnvVar, EnvVarSource, NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm,
    ObjectFieldSelector, PodSpec, PreferredSchedulingTerm, SecretKeySelector, Toleration,
};

use super::endpoint;
use super::server::{Mode, Ports, ServerKind, ServerSpec};
use super::settings::{IdegymSettings, NodePool, Tracing};
use crate::decode::{Flag, Integer, Text};
use crate::lower::Frame;
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Row, Step, Strategy};
use crate::tree::Node;
use crate::workload::Refused;

/// Name of the container of the server.
pub(super) const CONTAINER: &str = "server";
/// The Secret with which idegym always pulls images.
const PULL_SECRET: &str = "regcred";
/// The Secret with the credentials for tracing.
const TRACING_SECRET: &str = "tracing";
const DEFAULT_TAINT: &str = "jetbrains.com/idegym";
const DEFAULT_WEIGHT: i32 = 100;
/// The user of a server that does not run as root.
const USER: i64 = 1000;

const ORCHESTRATOR: &str = "the idegym orchestrator";
const IN_IMAGE: &str = "remove it: idegym runs the entry point of the image";
const PROBED: &str = "remove it: `serverKind` and `containerPort` determine the readiness probe, and \
                      idegym sets no other";

const fn refused_field(field: &'static str, help: &'static str) -> Refused {
    Refused { field, owner: ORCHESTRATOR, help }
}

/// Shared fields of a Pod that no request has.
pub(super) static REFUSED: &[Refused] = &[
    refused_field("command", IN_IMAGE),
    refused_field("args", IN_IMAGE),
    refused_field("workingDir", IN_IMAGE),
    refused_field("ports", "set `containerPort`"),
    refused_field("readinessProbe", PROBED),
    refused_field("livenessProbe", PROBED),
    refused_field("startupProbe", PROBED),
    refused_field("lifecycle", "remove it: idegym sets no lifecycle hooks"),
];

const SERVER: [Step<'static>; 2] =
    [Step::Key(Name::Is("containers")), Step::Item("name", Name::Is(CONTAINER))];

const fn variable_guard(field: &'static [Step<'static>]) -> Guard<'static> {
    let help = "use another name for the variable";
    Guard {
        field,
        hold: Hold::Same,
        rule: &GUARDED_FIELD,
        owner: ORCHESTRATOR,
        place: None,
        noun: None,
        help,
    }
}

const fn user_guard(field: &'static [Step<'static>]) -> Guard<'static> {
    let owner = "`spec.runAsRoot`";
    let help = "set `runAsRoot`";
    Guard { field, hold: Hold::Same, rule: &GUARDED_FIELD, owner, place: None, noun: None, help }
}

const fn in_server(rest: [Step<'static>; 2]) -> [Step<'static>; 4] {
    [SERVER[0], SERVER[1], rest[0], rest[1]]
}

const fn variable_steps(name: Name<'static>) -> [Step<'static>; 4] {
    in_server([Step::Key(Name::Is("env")), Step::Item("name", name)])
}

const fn security_steps(field: &'static str) -> [Step<'static>; 4] {
    in_server([Step::Key(Name::Is("securityContext")), Step::Key(Name::Is(field))])
}

/// Fields that no layer of the author can change.
pub(super) static GUARDS: &[Guard<'static>] = &[
    variable_guard(&const { variable_steps(Name::StartsWith("IDEGYM_OTEL_")) }),
    variable_guard(&const { variable_steps(Name::Is("__POD_UID")) }),
    variable_guard(&const { variable_steps(Name::Is("__POD_NAME")) }),
    variable_guard(&const { variable_steps(Name::Is("__NAMESPACE")) }),
    variable_guard(&const { variable_steps(Name::Is("__NODE_NAME")) }),
    user_guard(&const { security_steps("runAsUser") }),
    user_guard(&const { security_steps("runAsGroup") }),
    user_guard(&const { security_steps("runAsNonRoot") }),
];

/// Fields that `podOverrides` cannot set.
pub(super) static OVERRIDE_GUARDS: &[Guard<'static>] = &[
    Guard {
        field: &SERVER,
        hold: Hold::Unset,
        rule: &GUARDED_FIELD,
        owner: "the container `server` of the kind",
        place: None,
        noun: None,
        help: "use the fields of `spec`, or another name for a sidecar container",
    },
    Guard {
        field: &[Step::Key(Name::Is("serviceAccountName"))],
        hold: Hold::Unset,
        rule: &GUARDED_FIELD,
        owner: "`spec.serviceAccountName`",
        place: None,
        noun: None,
        help: "set `serviceAccountName` in `spec`: in a snapshot preparation, the account of the \
               snapshots takes precedence over it",
    },
];

const fn concatenated_list(field: &'static str) -> Row<'static> {
    Row {
        object: "io.k8s.api.core.v1.PodSpec",
        field,
        strategy: Strategy::Append,
        reason: "idegym concatenates the lists of a request and those of its overrides",
    }
}

/// Fields of `podOverrides` with a different merge strategy.
pub(super) static OVERRIDE_ROWS: &[Row<'static>] = &[
    concatenated_list("containers"),
    concatenated_list("ephemeralContainers"),
    concatenated_list("hostAliases"),
    concatenated_list("imagePullSecrets"),
    concatenated_list("initContainers"),
    concatenated_list("resourceClaims"),
    concatenated_list("schedulingGates"),
    concatenated_list("topologySpreadConstraints"),
    concatenated_list("volumes"),
];

/// The managed layer of the Pod.
pub(super) fn pod_spec(
    spec: &ServerSpec,
    settings: Option<&IdegymSettings>,
    account: Option<&Node>,
    ports: &Ports,
    frame: &Frame,
) -> Node {
    let pool = settings.and_then(|settings| settings.node_pool.as_ref());
    let scheduling = frame.typed(&PodSpec {
        tolerations: pool.map(|pool| vec![pool_toleration(pool)]),
        affinity: pool.map(pool_affinity),
        ..PodSpec::default()
    });
    let secret = frame.map_of("name", frame.string(PULL_SECRET));
    let container = server_container(spec, settings, ports, frame);
    frame.map_with([
        ("serviceAccountName", account.cloned()),
        ("imagePullSecrets", Some(frame.list([secret]))),
        ("containers", Some(frame.list([container]))),
        ("tolerations", scheduling.get("tolerations").cloned()),
        ("affinity", scheduling.get("affinity").cloned()),
    ])
}

fn server_container(
    spec: &ServerSpec,
    settings: Option<&IdegymSettings>,
    ports: &Ports,
    frame: &Frame,
) -> Node {
    let port = frame.map_with([
        ("name", Some(frame.string("http"))),
        ("containerPort", Some(ports.container.clone())),
        ("protocol", Some(frame.string("TCP"))),
    ]);
    frame.map_with([
        ("name", Some(frame.string(CONTAINER))),
        ("image", spec.pod.container.image.clone().map(Text::into_node)),
        ("imagePullPolicy", Some(frame.string("IfNotPresent"))),
        ("ports", Some(frame.list([port]))),
        ("env", Some(managed_variables(spec, settings, frame))),
        ("readinessProbe", Some(readiness_probe(spec, ports, frame))),
        ("securityContext", Some(security_context(spec, frame))),
    ])
}

fn readiness_probe(spec: &ServerSpec, ports: &Ports, frame: &Frame) -> Node {
    let path = match spec.kind() {
        ServerKind::Idegym => "/api/health",
        ServerKind::OpenEnv => "/health",
    };
    let get = frame
        .map_with([("path", Some(frame.string(path))), ("port", Some(ports.container.clone()))]);
    frame.map_with([
        ("httpGet", Some(get)),
        ("initialDelaySeconds", Some(frame.int(10))),
        ("periodSeconds", Some(frame.int(3))),
    ])
}

/// The user; a finding about it points at `runAsRoot`, where the author set it.
fn security_context(spec: &ServerSpec, frame: &Frame) -> Node {
    let is_root = spec.run_as_root.as_ref().is_some_and(Flag::is_set);
    let origin = match &spec.run_as_root {
        Some(flag) => flag.clone().into_node().origin(),
        None => frame.managed(),
    };
    let user = if is_root { 0 } else { USER };
    frame.map_with([
        ("runAsNonRoot", Some(Node::bool(!is_root, origin))),
        ("runAsUser", Some(Node::int(user, origin))),
        ("runAsGroup", Some(Node::int(user, origin))),
    ])
}

/// The managed variables, in an order in which `$(NAME)` refers to earlier ones. A preparation has
/// none.
fn managed_variables(spec: &ServerSpec, settings: Option<&IdegymSettings>, frame: &Frame) -> Node {
    if spec.mode() == Mode::PrepareSnapshot {
        return frame.list([]);
    }
    let tracing = settings.and_then(|settings| settings.tracing.as_ref());
    let endpoint =
        tracing.and_then(|tracing| endpoint::normalize(tracing.endpoint.as_ref()?.as_str()));
    let timeout = tracing.and_then(Tracing::timeout).map_or_else(|| "10".to_owned(), shown_seconds);
    let literal = |name: &str, value: Option<String>| EnvVar {
        name: name.to_owned(),
        value,
        ..EnvVar::default()
    };
    let variables = [
        of_field("__POD_UID", "metadata.uid"),
        of_field("__POD_NAME", "metadata.name"),
        of_field("__NAMESPACE", "metadata.namespace"),
        of_field("__NODE_NAME", "spec.nodeName"),
        literal("IDEGYM_OTEL_ATTRIBUTES", Some(ATTRIBUTES.to_owned())),
        literal("IDEGYM_OTEL_TRACING_ENDPOINT", endpoint),
        of_secret("IDEGYM_OTEL_TRACING_AUTH_USERNAME", "username"),
        of_secret("IDEGYM_OTEL_TRACING_AUTH_PASSWORD", "password"),
        literal("IDEGYM_OTEL_TRACING_TIMEOUT", Some(timeout)),
    ];
    frame.list(variables.map(|variable| frame.typed(&variable)))
}

const ATTRIBUTES: &str = "{ k8s.pod.uid: \"$(__POD_UID)\", k8s.pod.name: \"$(__POD_NAME)\", \
                          k8s.namespace.name: \"$(__NAMESPACE)\", k8s.node.name: \"$(__NODE_NAME)\" }";

/// Seconds as idegym writes them, with at least one decimal.
fn shown_seconds(seconds: f64) -> String {
    format!("{seconds:?}")
}

fn of_field(name: &str, path: &str) -> EnvVar {
    let field = ObjectFieldSelector { api_version: None, field_path: path.to_owned() };
    let source = EnvVarSource { field_ref: Some(field), ..EnvVarSource::default() };
    EnvVar { name: name.to_owned(), value_from: Some(source), ..EnvVar::default() }
}

fn of_secret(name: &str, key: &str) -> EnvVar {
    let secret = SecretKeySelector {
        name: TRACING_SECRET.to_owned(),
        key: key.to_owned(),
        optional: Some(true),
    };
    let source = EnvVarSource { secret_key_ref: Some(secret), ..EnvVarSource::default() };
    EnvVar { name: name.to_owned(), value_from: Some(source), ..EnvVar::default() }
}

impl NodePool {
    fn key(&self) -> String {
        self.taint_key.as_ref().map_or(DEFAULT_TAINT, Text::as_str).to_owned()
    }
}

fn pool_toleration(pool: &NodePool) -> Toleration {
    Toleration {
        key: Some(pool.key()),
        operator: Some("Exists".to_owned()),
        effect: Some("NoSchedule".to_owned()),
        ..Toleration::default()
    }
}

/// Nodes of the pool are preferred: they have a label with the key of the taint.
fn pool_affinity(pool: &NodePool) -> Affinity {
    let weight = pool.preference_weight.as_ref().map(Integer::as_i64);
    let has_label =
        NodeSelectorRequirement { key: pool.key(), operator: "Exists".to_owned(), values: None };
    let preference =
        NodeSelectorTerm { match_expressions: Some(vec![has_label]), match_fields: None };
    let term = PreferredSchedulingTerm {
        weight: weight.and_then(|weight| i32::try_from(weight).ok()).unwrap_or(DEFAULT_WEIGHT),
        preference,
    };
    let node_affinity = NodeAffinity {
        preferred_during_scheduling_ignored_during_execution: Some(vec![term]),
        ..NodeAffinity::default()
    };
    Affinity { node_affinity: Some(node_affinity), ..Affinity::default() }
}
