//! `Server`: one server as the orchestrator deploys it.

use super::identity::Identity;
use super::{account, checks, managed, merged, settings};
use crate::decode::{Choice, Flag, Integer, Text, choice, definition};
use crate::diag::Reported;
use crate::lower::{Definition, Frame, Lowering};
use crate::pod_security::Profile;
use crate::tree::Node;
use crate::workload::DEFAULT_PROFILE;
use crate::workload::{PodFields, PodTemplate, Recipe};

choice! {
    /// The purpose of a server.
    pub(crate) enum Mode {
        /// For use; it can be restored from a snapshot.
        Start = "start",
        /// For a snapshot.
        PrepareSnapshot = "prepareSnapshot",
    }
}

choice! {
    /// The program in the container of a server.
    pub(crate) enum ServerKind {
        /// An idegym server.
        Idegym = "idegym",
        /// A server of `OpenEnv`.
        OpenEnv = "openenv",
    }
}

choice! {
    /// The treatment of a finished server that matches a request.
    pub(crate) enum ReuseStrategy {
        /// Starts a new one.
        None = "NONE",
        /// Restarts the Pod.
        Restart = "RESTART",
        /// Resets the project.
        Reset = "RESET",
    }
}

definition! {
    /// Fields of a start request that the orchestrator uses at run time. They are checked, but not
    /// compiled.
    pub(crate) struct Orchestrator in "Server.spec.orchestrator" {
        /// UUID of the client that owns the server.
        "clientId" optional client_id: Text,
        /// Seconds to wait for the server to become ready.
        "startWaitTimeoutSeconds" optional start_wait_timeout_seconds: Integer,
        /// Reuse of a finished server that matches the request: `NONE`, `RESTART` or `RESET`.
        "reuseStrategy" optional reuse_strategy: Choice<ReuseStrategy>,
        /// Maximum number of restarts of the Pod before the orchestrator gives up.
        "maxRestarts" optional max_restarts: Integer,
    }
}

definition! {
    /// A server of idegym. `metadata.name` is the name of its objects, which the orchestrator
    /// generates from `serverName` and a number. The main container is named `server`; lists in
    /// `podOverrides` are appended, so they cannot change it.
    pub(crate) struct ServerSpec in "Server.spec" {
        flatten pod: PodFields,
        /// Purpose of the server: `start` (the default) or `prepareSnapshot`.
        "mode" optional mode: Choice<Mode>,
        /// Logical name of the server: `metadata.name` without the number at its end. Defaults to
        /// `metadata.name`.
        "serverName" optional server_name: Text,
        /// Program in the container: `idegym` (the default) or `openenv`.
        "serverKind" optional server_kind: Choice<ServerKind>,
        /// Port of the Service. Defaults to 80.
        "servicePort" optional service_port: Integer,
        /// Port on which the container listens. Defaults to 8000.
        "containerPort" optional container_port: Integer,
        /// Whether the container runs as root. Requires `security: baseline` or `privileged`.
        "runAsRoot" optional run_as_root: Flag,
        /// Name of the server whose snapshots the server is restored from.
        "snapshotId" optional snapshot_id: Text,
        /// Name of the snapshot to restore. Defaults to the newest one of `snapshotId`.
        "snapshotTag" optional snapshot_tag: Text,
        /// Settings for the orchestrator at run time.
        "orchestrator" optional orchestrator: Orchestrator,
    }
}

impl ServerSpec {
    pub(super) fn mode(&self) -> Mode {
        self.mode.as_ref().map_or(Mode::Start, |it| it.value)
    }

    pub(super) fn kind(&self) -> ServerKind {
        self.server_kind.as_ref().map_or(ServerKind::Idegym, |it| it.value)
    }
}

/// The name of a server with an invalid one.
const STAND_IN_NAME: &str = "unnamed";

/// Lowers a server to a Deployment, a Service and a PodDisruptionBudget.
pub(super) fn lower(
    mut definition: Definition<ServerSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let settings = settings::of(lowering.setup);
    let outcome = checks::before(&definition, lowering.sink);
    if outcome.is_err() {
        definition.metadata.name = definition.metadata.name.with_text(STAND_IN_NAME);
    }
    let identity = Identity::of(&definition, settings);
    let (frame, mut spec) = definition.open();
    let account = account::in_effect(&mut spec, settings, &frame, lowering.sink);
    let ports = Ports::of(&spec, &frame);

    let base = managed::pod_spec(&spec, settings, account.as_ref(), &ports, &frame);
    let recipe = Recipe {
        container: managed::CONTAINER,
        base: Some(base),
        metadata: Some(identity.pod_metadata(&spec, &ports, &frame)),
        guards: managed::GUARDS,
        refused: managed::REFUSED,
        override_rows: managed::OVERRIDE_ROWS,
        override_guards: managed::OVERRIDE_GUARDS,
        ..Recipe::PLAIN
    };
    let written = merged::Written::of(&spec);
    let pod = recipe.build(vec![spec.pod.into()], frame.managed(), lowering.sink);
    written.check(&pod.spec, lowering.sink);
    let PodTemplate { metadata, mut spec, security } =
        pod.secure(frame.managed(), lowering.targets, lowering.sink);
    let profile = security.map_or(DEFAULT_PROFILE, |it| it.value);
    if profile == Profile::Restricted
        && account.is_none()
        && spec.get("automountServiceAccountToken").is_none()
    {
        spec.set("automountServiceAccountToken", Node::bool(false, frame.managed()));
    }

    let selector = frame.map_of("matchLabels", identity.selector(&frame));
    let template = frame.map_with([("metadata", metadata), ("spec", Some(spec))]);
    let deployment = frame.map_with([
        ("replicas", Some(frame.int(1))),
        ("selector", Some(selector.clone())),
        ("template", Some(template)),
    ]);
    lowering
        .object(&frame, "apps/v1", "Deployment")
        .labels(identity.labels(&frame))
        .annotations(identity.snapshot_hash(&frame))
        .set("spec", deployment)
        .emit();
    lowering
        .object(&frame, "v1", "Service")
        .labels(identity.labels(&frame))
        .set("spec", service_spec(&identity, &ports, &frame))
        .emit();
    let budget =
        frame.map_with([("minAvailable", Some(frame.int(1))), ("selector", Some(selector))]);
    lowering
        .object(&frame, "policy/v1", "PodDisruptionBudget")
        .labels(identity.labels(&frame))
        .set("spec", budget)
        .emit();
    outcome
}

fn service_spec(identity: &Identity, ports: &Ports, frame: &Frame) -> Node {
    let port = frame.map_with([
        ("name", Some(frame.string("http"))),
        ("protocol", Some(frame.string("TCP"))),
        ("port", Some(ports.service.clone())),
        ("targetPort", Some(ports.container.clone())),
    ]);
    frame.map_with([
        ("type", Some(frame.string("ClusterIP"))),
        ("selector", Some(identity.selector(frame))),
        ("ports", Some(frame.list([port]))),
    ])
}

/// The two ports of a server.
pub(super) struct Ports {
    pub(super) service: Node,
    pub(super) container: Node,
}

impl Ports {
    /// The number of the container's port.
    pub(super) fn container_number(&self) -> String {
        self.container.to_json().to_string()
    }

    fn of(spec: &ServerSpec, frame: &Frame) -> Self {
        let node = |own: &Option<Integer>, default| {
            own.clone().map_or_else(|| frame.int(default), Integer::into_node)
        };
        Self { service: node(&spec.service_port, 80), container: node(&spec.container_port, 8000) }
    }
}
