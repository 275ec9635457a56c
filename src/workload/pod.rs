//! Lowers the shared fields to a Pod: each definition adds a layer, and its `podOverrides` another.

use super::fields::ContainerFields;
use super::security::{self, DEFAULT_PROFILE};
use super::{PodFields, PodMetadata};
use crate::decode::{Choice, Flag, Text};
use crate::diag::Sink;
use crate::pod_security::{self, Profile};
use crate::schema::{KubernetesVersion, Versions};
use crate::tree::{Node, Origin, Path};

/// The Pod fields of one definition: partial trees, merged over those of its ancestors.
#[derive(Debug)]
pub(crate) struct PodPart {
    /// The typed fields, as a partial PodSpec.
    pub(crate) typed: Node,
    /// `podOverrides`.
    pub(crate) overrides: Option<Node>,
    /// Labels and annotations of the Pod.
    pub(crate) metadata: Option<Node>,
    /// `security`.
    pub(crate) security: Option<Choice<Profile>>,
}

/// A Pod merged from all its layers.
#[derive(Debug)]
pub(crate) struct PodTemplate {
    /// `metadata` of the Pod, if any.
    pub(crate) metadata: Option<Node>,
    /// The PodSpec.
    pub(crate) spec: Node,
    /// The profile to check the Pod against, with the span of the author's choice, if any.
    pub(crate) security: Option<Choice<Profile>>,
}

impl PodTemplate {
    /// Merges the security profile below the Pod: fields that the author left out are set, and
    /// violations are reported. Of several target versions the oldest has the strictest
    /// requirements, so its layer satisfies all of them.
    pub(crate) fn secure(self, managed: Origin, targets: Versions, sink: &mut Sink) -> Self {
        let Self { metadata, spec, security } = self;
        let profile = security.as_ref().map_or(DEFAULT_PROFILE, |it| it.value);
        let oldest = targets.first().unwrap_or(KubernetesVersion::OLDEST);
        let spec = security::fill(spec, profile, oldest, managed.span());
        let root = Path::root();
        let subject = pod_security::Subject {
            spec: &spec,
            metadata: metadata.as_ref().map(|node| (node, root.field("metadata"))),
            path: root.field("spec"),
            level: pod_security::Level::Definition(security.as_ref().map(Choice::span)),
        };
        let level = profile.into();
        sink.per_version(targets, |target, sink| {
            pod_security::check(&subject, level, target, sink);
        });
        Self { metadata, spec, security }
    }
}

impl PodMetadata {
    /// `{labels, annotations}`.
    pub(crate) fn lower(self, managed: Origin) -> Node {
        let Self { labels, annotations } = self;
        let mut metadata = Node::map(managed);
        metadata.set_some("labels", labels.map(|it| it.node));
        metadata.set_some("annotations", annotations.map(|it| it.node));
        metadata
    }
}

impl PodFields {
    /// Lowers the layers of one definition, whose container has this name. `volume_mounts` and
    /// `volume_devices` are required by other fields of the definition, in addition to the author's
    /// lists.
    pub(crate) fn into_part(
        self,
        container_name: &str,
        managed: Origin,
        volume_mounts: Vec<Node>,
        volume_devices: Vec<Node>,
    ) -> PodPart {
        let Self {
            container,
            image_pull_secrets,
            init_containers,
            volumes,
            service_account_name,
            automount_service_account_token,
            node_selector,
            tolerations,
            affinity,
            runtime_class_name,
            scheduler_name,
            priority_class_name,
            restart_policy,
            termination_grace_period_seconds,
            security,
            pod_security_context,
            pod_metadata,
            pod_overrides,
        } = self;
        let container = container.lower(container_name, managed, volume_mounts, volume_devices);
        let automount = automount_service_account_token.map(Flag::into_node);
        let grace_period = termination_grace_period_seconds.map(|it| it.node);

        let mut spec = Node::map(managed);
        spec.set_some("runtimeClassName", runtime_class_name.map(Text::into_node));
        spec.set_some("serviceAccountName", service_account_name.map(Text::into_node));
        spec.set_some("automountServiceAccountToken", automount);
        spec.set_some("securityContext", pod_security_context.map(|it| it.node));
        spec.set_some("imagePullSecrets", image_pull_secrets.map(|it| it.node));
        spec.set_some("initContainers", init_containers.map(|it| it.node));
        spec.set("containers", Node::list(vec![container], managed));
        spec.set_some("volumes", volumes.map(|it| it.node));
        spec.set_some("nodeSelector", node_selector.map(|it| it.node));
        spec.set_some("tolerations", tolerations.map(|it| it.node));
        spec.set_some("affinity", affinity.map(|it| it.node));
        spec.set_some("schedulerName", scheduler_name.map(Text::into_node));
        spec.set_some("priorityClassName", priority_class_name.map(Text::into_node));
        spec.set_some("restartPolicy", restart_policy.map(|it| it.node));
        spec.set_some("terminationGracePeriodSeconds", grace_period);
        PodPart {
            typed: spec,
            overrides: pod_overrides.map(|it| it.node),
            metadata: pod_metadata.map(|it| it.lower(managed)),
            security,
        }
    }
}

impl ContainerFields {
    /// Lowers the fields of the container.
    fn lower(self, name: &str, managed: Origin, mounts: Vec<Node>, devices: Vec<Node>) -> Node {
        let Self {
            image,
            image_pull_policy,
            command,
            args,
            working_dir,
            env,
            env_from,
            ports,
            resources,
            readiness_probe,
            liveness_probe,
            startup_probe,
            lifecycle,
            volume_mounts,
            container_security_context,
        } = self;
        let mounts = joined(volume_mounts.map(|it| it.node), mounts, managed);

        let mut container = Node::map(managed);
        container.set("name", Node::string(name, managed));
        container.set_some("image", image.map(Text::into_node));
        container.set_some("imagePullPolicy", image_pull_policy.map(|it| it.node));
        container.set_some("command", command.map(|it| it.node));
        container.set_some("args", args.map(|it| it.node));
        container.set_some("workingDir", working_dir.map(Text::into_node));
        container.set_some("ports", ports.map(|it| it.node));
        container.set_some("envFrom", env_from.map(|it| it.node));
        container.set_some("env", env.map(|it| it.node));
        container.set_some("resources", resources.map(|it| it.node));
        container.set_some("volumeMounts", mounts);
        container.set_some("volumeDevices", joined(None, devices, managed));
        container.set_some("startupProbe", startup_probe.map(|it| it.node));
        container.set_some("readinessProbe", readiness_probe.map(|it| it.node));
        container.set_some("livenessProbe", liveness_probe.map(|it| it.node));
        container.set_some("lifecycle", lifecycle.map(|it| it.node));
        container.set_some("securityContext", container_security_context.map(|it| it.node));
        container
    }
}

/// The author's list followed by the items that other fields require; `None` if both are empty.
fn joined(own: Option<Node>, others: Vec<Node>, managed: Origin) -> Option<Node> {
    if others.is_empty() {
        return own;
    }
    let origin = own.as_ref().map_or(managed, Node::origin);
    let own = own.map(Node::into_items).unwrap_or_default();
    Some(Node::list(own.into_iter().chain(others), origin))
}
