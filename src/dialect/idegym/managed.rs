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

const fn refused(field: &'static str, help: &'static str) -> Refused {
    Refused { field, owner: ORCHESTRATOR, help }
}

/// Shared fields of a Pod that no request has.
pub(super) static REFUSED: &[Refused] = &[
    refused("command", IN_IMAGE),
    refused("args", IN_IMAGE),
    refused("workingDir", IN_IMAGE),
    refused("ports", "set `containerPort`"),
    refused("readinessProbe", PROBED),
    refused("livenessProbe", PROBED),
    refused("startupProbe", PROBED),
    refused("lifecycle", "remove it: idegym sets no lifecycle hooks"),
];

const SERVER: [Step<'static>; 2] =
    [Step::Key(Name::Is("containers")), Step::Item("name", Name::Is(CONTAINER))];

const fn variable(field: &'static [Step<'static>]) -> Guard<'static> {
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

const fn user(field: &'static [Step<'static>]) -> Guard<'static> {
    let owner = "`spec.runAsRoot`";
    let help = "set `runAsRoot`";
    Guard { field, hold: Hold::Same, rule: &GUARDED_FIELD, owner, place: None, noun: None, help }
}

const fn in_server(rest: [Step<'static>; 2]) -> [Step<'static>; 4] {
    [SERVER[0], SERVER[1], rest[0], rest[1]]
}

const fn env(name: Name<'static>) -> [Step<'static>; 4] {
    in_server([Step::Key(Name::Is("env")), Step::Item("name", name)])
}

const fn security(field: &'static str) -> [Step<'static>; 4] {
    in_server([Step::Key(Name::Is("securityContext")), Step::Key(Name::Is(field))])
}

/// Fields that no layer of the author can change.
pub(super) static GUARDS: &[Guard<'static>] = &[
    variable(&const { env(Name::StartsWith("IDEGYM_OTEL_")) }),
    variable(&const { env(Name::Is("__POD_UID")) }),
    variable(&const { env(Name::Is("__POD_NAME")) }),
    variable(&const { env(Name::Is("__NAMESPACE")) }),
    variable(&const { env(Name::Is("__NODE_NAME")) }),
    user(&const { security("runAsUser") }),
    user(&const { security("runAsGroup") }),
    user(&const { security("runAsNonRoot") }),
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

const fn concatenated(field: &'static str) -> Row<'static> {
    Row {
        object: "io.k8s.api.core.v1.PodSpec",
        field,
        strategy: Strategy::Append,
        reason: "idegym concatenates the lists of a request and those of its overrides",
    }
}

/// Fields of `podOverrides` with a different merge strategy.
pub(super) static OVERRIDE_ROWS: &[Row<'static>] = &[
    concatenated("containers"),
    concatenated("ephemeralContainers"),
    concatenated("hostAliases"),
    concatenated("imagePullSecrets"),
    concatenated("initContainers"),
    concatenated("resourceClaims"),
    concatenated("schedulingGates"),
    concatenated("topologySpreadConstraints"),
    concatenated("volumes"),
];

/// The managed layer of the Pod.
pub(super) fn pod_spec(
    spec: &ServerSpec,
    settings: Option<&IdegymSettings>,
    account: Option<&Node>,
    ports: &Ports,
    frame: &Frame,
) -> Node {
    let pool = settings.and_then(|it| it.node_pool.as_ref());
    let scheduling = frame.typed(&PodSpec {
        tolerations: pool.map(|pool| vec![toleration(pool)]),
        affinity: pool.map(affinity),
        ..PodSpec::default()
    });
    let mut pod = frame.map();
    pod.set_some("serviceAccountName", account.cloned());
    let secret = frame.map_of("name", frame.string(PULL_SECRET));
    pod.set("imagePullSecrets", frame.list([secret]));
    pod.set("containers", frame.list([container(spec, settings, ports, frame)]));
    pod.set_some("tolerations", scheduling.get("tolerations").cloned());
    pod.set_some("affinity", scheduling.get("affinity").cloned());
    pod
}

fn container(
    spec: &ServerSpec,
    settings: Option<&IdegymSettings>,
    ports: &Ports,
    frame: &Frame,
) -> Node {
    let mut port = frame.map();
    port.set("name", frame.string("http"));
    port.set("containerPort", ports.container.clone());
    port.set("protocol", frame.string("TCP"));

    let mut container = frame.map();
    container.set("name", frame.string(CONTAINER));
    container.set_some("image", spec.pod.container.image.clone().map(Text::into_node));
    container.set("imagePullPolicy", frame.string("IfNotPresent"));
    container.set("ports", frame.list([port]));
    container.set("env", variables(spec, settings, frame));
    container.set("readinessProbe", readiness_probe(spec, ports, frame));
    container.set("securityContext", security_context(spec, frame));
    container
}

fn readiness_probe(spec: &ServerSpec, ports: &Ports, frame: &Frame) -> Node {
    let path = match spec.kind() {
        ServerKind::Idegym => "/api/health",
        ServerKind::OpenEnv => "/health",
    };
    let mut get = frame.map();
    get.set("path", frame.string(path));
    get.set("port", ports.container.clone());
    let mut probe = frame.map();
    probe.set("httpGet", get);
    probe.set("initialDelaySeconds", frame.int(10));
    probe.set("periodSeconds", frame.int(3));
    probe
}

/// The user; a finding about it points at `runAsRoot`, where the author set it.
fn security_context(spec: &ServerSpec, frame: &Frame) -> Node {
    let is_root = spec.run_as_root.as_ref().is_some_and(Flag::is_set);
    let origin = match &spec.run_as_root {
        Some(flag) => flag.clone().into_node().origin(),
        None => frame.managed(),
    };
    let user = if is_root { 0 } else { USER };
    let mut context = frame.map();
    context.set("runAsNonRoot", Node::bool(!is_root, origin));
    context.set("runAsUser", Node::int(user, origin));
    context.set("runAsGroup", Node::int(user, origin));
    context
}

/// The managed variables, in an order in which `$(NAME)` refers to earlier ones. A preparation has
/// none.
fn variables(spec: &ServerSpec, settings: Option<&IdegymSettings>, frame: &Frame) -> Node {
    if spec.mode() == Mode::PrepareSnapshot {
        return frame.list([]);
    }
    let tracing = settings.and_then(|it| it.tracing.as_ref());
    let endpoint = tracing.and_then(|it| it.endpoint.as_ref());
    let endpoint = endpoint.and_then(|it| endpoint::normalized(it.as_str()));
    let timeout = tracing.and_then(Tracing::timeout).map_or_else(|| "10".to_owned(), seconds);
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
    frame.list(variables.iter().map(|it| frame.typed(it)))
}

const ATTRIBUTES: &str = "{ k8s.pod.uid: \"$(__POD_UID)\", k8s.pod.name: \"$(__POD_NAME)\", \
                          k8s.namespace.name: \"$(__NAMESPACE)\", k8s.node.name: \"$(__NODE_NAME)\" }";

/// Seconds as idegym writes them, with at least one decimal.
fn seconds(seconds: f64) -> String {
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

fn toleration(pool: &NodePool) -> Toleration {
    Toleration {
        key: Some(pool.key()),
        operator: Some("Exists".to_owned()),
        effect: Some("NoSchedule".to_owned()),
        ..Toleration::default()
    }
}

/// Nodes of the pool are preferred: they have a label with the key of the taint.
fn affinity(pool: &NodePool) -> Affinity {
    let weight = pool.preference_weight.as_ref().map(Integer::as_i64);
    let has_label =
        NodeSelectorRequirement { key: pool.key(), operator: "Exists".to_owned(), values: None };
    let preference =
        NodeSelectorTerm { match_expressions: Some(vec![has_label]), match_fields: None };
    let term = PreferredSchedulingTerm {
        weight: weight.and_then(|it| i32::try_from(it).ok()).unwrap_or(DEFAULT_WEIGHT),
        preference,
    };
    let node_affinity = NodeAffinity {
        preferred_during_scheduling_ignored_during_execution: Some(vec![term]),
        ..NodeAffinity::default()
    };
    Affinity { node_affinity: Some(node_affinity), ..Affinity::default() }
}
