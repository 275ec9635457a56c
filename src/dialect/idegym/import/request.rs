//! The requests, and their conversion to definitions.

use super::super::server::{Mode, ServerSpec};
use super::{lax, models, quantity, spelling};
use crate::decode::{Anything, Field, Flag, Integer, Listed, Mapped, Record, Text, definition};
use crate::diag::Sink;
use crate::lower::{API_VERSION, Definition};
use crate::pod_security::{Profile, satisfies};
use crate::schema::{self, CheckContext, KubernetesVersion, Type};
use crate::tree::{Node, Origin, Value, items};

definition! {
    /// Resource quantities of a request, by resource.
    pub(crate) struct RequestResources in "StartServerRequest.resources" {
        /// Requests.
        "requests" optional requests: Mapped<Anything>,
        /// Limits.
        "limits" optional limits: Mapped<Anything>,
    }
}

definition! {
    /// The snapshot that a server is restored from.
    pub(crate) struct SnapshotRef in "StartServerRequest.snapshot" {
        /// Name of the server of the snapshot.
        "id" required id: Text,
        /// Name of the snapshot.
        "tag" optional tag: Text,
    }
}

definition! {
    /// A request to start a server.
    pub(crate) struct StartRequest in "StartServerRequest" {
        /// Extra annotations of the Pod.
        "annotations" optional annotations: Anything,
        /// UUID of the client.
        "client_id" required client_id: Text,
        /// Port of the container.
        "container_port" optional container_port: Integer,
        /// Sources of environment variables.
        "env_from" optional env_from: Anything,
        /// Image of the server.
        "image_tag" required image_tag: Text,
        /// Extra labels of all objects.
        "labels" optional labels: Anything,
        /// Maximum number of restarts.
        "max_restarts" optional max_restarts: Integer,
        /// Namespace of the objects.
        "namespace" optional namespace: Text,
        /// Labels that a node must have.
        "node_selector" optional node_selector: Anything,
        /// A partial PodSpec that is merged into the generated one.
        "pod_overrides" optional pod_overrides: Anything,
        /// Requests and limits of the container.
        "resources" optional resources: RequestResources,
        /// Reuse of a finished server that matches.
        "reuse_strategy" optional reuse_strategy: Text,
        /// Whether the container runs as root.
        "run_as_root" optional run_as_root: Flag,
        /// RuntimeClass of the Pod.
        "runtime_class_name" optional runtime_class_name: Text,
        /// Number that the orchestrator assigns to the server. It is not part of a request.
        "server_id" optional server_id: Integer,
        /// Program in the container.
        "server_kind" optional server_kind: Text,
        /// Logical name of the server.
        "server_name" optional server_name: Text,
        /// Seconds to wait for the server.
        "server_start_wait_timeout_in_seconds" optional wait_timeout: Integer,
        /// ServiceAccount of the Pod.
        "service_account_name" optional service_account_name: Text,
        /// Port of the Service.
        "service_port" optional service_port: Integer,
        /// The snapshot to restore, with its name.
        "snapshot" optional snapshot: SnapshotRef,
        /// The snapshot to restore, in the form of older releases.
        "snapshot_id" optional snapshot_id: Text,
        /// Mounts of the container.
        "volume_mounts" optional volume_mounts: Anything,
        /// Volumes of the Pod.
        "volumes" optional volumes: Anything,
    }
}

definition! {
    /// A request to prepare snapshots.
    pub(crate) struct PrepareRequest in "PrepareSnapshotsRequest" {
        /// A request for each server to take a snapshot of.
        "requests" required requests: Listed<Anything>,
    }
}

const DEFAULT_NAME: &str = "default-idegym-server";
const DEFAULT_NAMESPACE: &str = "idegym";

/// Reads the tree as a record, if it is valid.
pub(super) fn read<R: Record + Field>(root: Node, sink: &mut Sink) -> Option<R> {
    let mut findings = Sink::new();
    let against = CheckContext::settings(R::OBJECT.name);
    schema::check(&root, Type::Object(R::OBJECT), &against, &mut findings);
    let is_sound = findings.reported().is_none();
    sink.absorb(findings);
    if is_sound { R::read(root) } else { None }
}

/// Converts a request to a Server; `None` if the request has a fault.
pub(super) fn convert(mut root: Node, mode: Mode, sink: &mut Sink) -> Option<Node> {
    let origin = root.origin();
    let mut findings = Sink::new();
    spelling::unify(&mut root, &mut findings);
    models::check(&root, &mut findings);
    lax::read(&mut root);
    let request = read::<StartRequest>(root, &mut findings);
    let definition = request.map(|it| it.into_definition(mode, origin, &mut findings));
    if let Some(definition) = &definition {
        let document = Type::Object(Definition::<ServerSpec>::DOCUMENT);
        let against = CheckContext::definition(KubernetesVersion::NEWEST, "Server");
        schema::check(definition, document, &against, &mut findings);
    }
    let is_sound = findings.reported().is_none();
    sink.absorb(findings);
    definition.filter(|_| is_sound)
}

impl StartRequest {
    fn into_definition(self, mode: Mode, origin: Origin, sink: &mut Sink) -> Node {
        let text = |text: &'static str| Node::string(text, origin);
        let (metadata, server_name) = self.metadata(origin);
        let security = self.security();
        let labels = filled_map(self.labels);
        let annotations = filled_map(self.annotations);
        let Self { snapshot, snapshot_id, .. } = self;
        let (id, tag) =
            snapshot.map_or((snapshot_id, None), |snapshot| (Some(snapshot.id), snapshot.tag));

        let mut spec = Node::map(origin);
        if mode == Mode::PrepareSnapshot {
            spec.set("mode", text("prepareSnapshot"));
        }
        spec.set_some("serverName", server_name);
        spec.set_some("serverKind", self.server_kind.map(Text::into_node));
        spec.set("image", self.image_tag.into_node());
        spec.set_some("servicePort", self.service_port.map(Integer::into_node));
        spec.set_some("containerPort", self.container_port.map(Integer::into_node));
        spec.set_some("runAsRoot", self.run_as_root.map(Flag::into_node));
        spec.set("security", text(security));
        spec.set_some("snapshotId", filled_name(id));
        spec.set_some("snapshotTag", filled_name(tag));
        spec.set_some("serviceAccountName", filled_name(self.service_account_name));
        spec.set_some("runtimeClassName", self.runtime_class_name.map(Text::into_node));
        let resources = self.resources.map(|own| quantity::resources(own, origin, sink));
        spec.set_some("resources", resources.filter(|map| !map.entries().is_empty()));
        spec.set_some("nodeSelector", self.node_selector.map(|it| it.node));
        spec.set_some("envFrom", filled_list(self.env_from));
        spec.set_some("volumes", filled_list(self.volumes));
        spec.set_some("volumeMounts", filled_list(self.volume_mounts));
        let mut pod_metadata = Node::map(origin);
        pod_metadata.set_some("labels", labels);
        pod_metadata.set_some("annotations", annotations);
        if !pod_metadata.entries().is_empty() {
            spec.set("podMetadata", pod_metadata);
        }
        spec.set_some("podOverrides", filled_map(self.pod_overrides));
        let mut orchestrator = Node::map(origin);
        orchestrator.set("clientId", self.client_id.into_node());
        let wait = self.wait_timeout.map(Integer::into_node);
        orchestrator.set_some("startWaitTimeoutSeconds", wait);
        orchestrator.set_some("reuseStrategy", self.reuse_strategy.map(Text::into_node));
        orchestrator.set_some("maxRestarts", self.max_restarts.map(Integer::into_node));
        spec.set("orchestrator", orchestrator);

        let mut definition = Node::map(origin);
        definition.set("apiVersion", text(API_VERSION));
        definition.set("kind", text("Server"));
        definition.set("metadata", metadata);
        definition.set("spec", spec);
        definition
    }

    /// `metadata`, and `serverName` if it differs from the name.
    fn metadata(&self, origin: Origin) -> (Node, Option<Node>) {
        let node = |own: &Option<Text>, default: &'static str| {
            own.clone().map_or_else(|| Node::string(default, origin), Text::into_node)
        };
        let name = node(&self.server_name, DEFAULT_NAME);
        let (generated, logical) = match &self.server_id {
            Some(id) => {
                let text = self.server_name.as_ref().map_or(DEFAULT_NAME, Text::as_str);
                let generated = format!("{text}-{}", id.as_i64());
                (Node::string(generated, name.origin()), Some(name))
            }
            None => (name, None),
        };
        let mut metadata = Node::map(origin);
        metadata.set("name", generated);
        metadata.set("namespace", node(&self.namespace, DEFAULT_NAMESPACE));
        metadata.set_some("labels", filled_map(self.labels.clone()));
        (metadata, logical)
    }

    /// The strictest profile that does not change the Pod. `restricted` always does: it sets fields
    /// that no request can set.
    fn security(&self) -> &'static str {
        let nothing = Node::map(Origin::source(self.image_tag.span()));
        let mut pod = self.pod_overrides.clone().map_or(nothing, |it| it.node);
        let origin = pod.origin();
        let own = self.volumes.iter().flat_map(|list| list.node.items());
        let volumes: Vec<_> = own.chain(items(&pod, "volumes")).cloned().collect();
        pod.set("volumes", Node::list(volumes, origin));
        let is_baseline = satisfies(&pod, None, Profile::Baseline, KubernetesVersion::NEWEST);
        if is_baseline { "baseline" } else { "privileged" }
    }
}

/// Drops an empty name, as idegym does.
fn filled_name(name: Option<Text>) -> Option<Node> {
    name.filter(|name| !name.as_str().is_empty()).map(Text::into_node)
}

/// Drops an empty list, as idegym does.
fn filled_list(value: Option<Anything>) -> Option<Node> {
    let is_empty = |node: &Node| matches!(&node.value, Value::List(items) if items.is_empty());
    value.map(|it| it.node).filter(|node| !is_empty(node))
}

/// Drops an empty map, as idegym does.
fn filled_map(value: Option<Anything>) -> Option<Node> {
    let is_empty = |node: &Node| matches!(&node.value, Value::Map(map) if map.entries().is_empty());
    value.map(|it| it.node).filter(|node| !is_empty(node))
}
