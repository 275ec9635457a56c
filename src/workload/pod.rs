//! Lowers the shared fields to a Pod: each definition adds a layer, and its `podOverrides` another.

use super::fields::ContainerFields;
use super::security::{self, DEFAULT_PROFILE};
use super::{PodFields, PodMetadata};
use crate::decode::{Choice, Shaped};
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
        let Self { container, spec: fields, security, pod_metadata, pod_overrides } = self;
        let container = container.lower(container_name, managed, volume_mounts, volume_devices);
        let mut containers = Some(Node::list(vec![container], managed));

        let mut typed = Node::map(managed);
        for (name, value) in fields.into_fields() {
            if name == "volumes" {
                typed.set_some("containers", containers.take());
            }
            typed.set_some(name, value);
        }
        PodPart {
            typed,
            overrides: pod_overrides.map(Shaped::into_node),
            metadata: pod_metadata.map(|it| it.lower(managed)),
            security,
        }
    }
}

impl ContainerFields {
    /// Lowers the fields of the container. The lists of mounts and devices follow the author's.
    fn lower(self, name: &str, managed: Origin, mounts: Vec<Node>, devices: Vec<Node>) -> Node {
        let mut others = Some((mounts, devices));

        let mut container = Node::map(managed);
        container.set("name", Node::string(name, managed));
        for (name, value) in self.into_fields() {
            match others.take_if(|_| name == "volumeMounts") {
                Some((mounts, devices)) => {
                    container.set_some(name, append_items(value, mounts, managed));
                    container.set_some("volumeDevices", append_items(None, devices, managed));
                }
                None => container.set_some(name, value),
            }
        }
        container
    }
}

/// The author's list followed by the items that other fields require; `None` if both are empty.
fn append_items(own: Option<Node>, others: Vec<Node>, managed: Origin) -> Option<Node> {
    if others.is_empty() {
        return own;
    }
    let origin = own.as_ref().map_or(managed, Node::origin);
    Some(Node::list(own.into_iter().flat_map(Node::into_items).chain(others), origin))
}
