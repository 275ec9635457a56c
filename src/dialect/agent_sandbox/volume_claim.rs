//! `volumeClaims` of a definition: a volume claim template and its mount in one entry.

use crate::decode::{Choice, Flag, Quantity, Shaped, Text, choice, definition, kubernetes_types};
use crate::source::Span;
use crate::tree::{Node, Origin};
use crate::workload::{Annotations, Labels};

kubernetes_types! {
    /// `accessModes` of a claim.
    AccessModes = "io.k8s.api.core.v1.PersistentVolumeClaimSpec"."accessModes";
    /// The rest of a claim.
    ClaimSpec = "io.k8s.api.core.v1.PersistentVolumeClaimSpec";
}

choice! {
    /// The form of a volume in the container.
    pub(crate) enum VolumeMode {
        /// A directory.
        Filesystem = "Filesystem",
        /// A raw device.
        Block = "Block",
    }
}

definition! {
    /// A PersistentVolumeClaim that is created for each sandbox.
    pub(crate) struct VolumeClaimTemplate in "volumeClaims[]" {
        /// Name of the volume. The PersistentVolumeClaim of a sandbox is named `<name>-<sandbox>`.
        "name" required name: Text,
        /// Requested storage: `10Gi`. The API server requires it when the PersistentVolumeClaim is
        /// created.
        "size" optional size: Quantity,
        /// Name of the StorageClass. Defaults to the default class of the cluster.
        "storageClassName" optional storage_class_name: Text,
        /// Access modes of the volume. Defaults to `[ReadWriteOnce]`.
        "accessModes" optional access_modes: Shaped<AccessModes>,
        /// Mode of the volume: `Filesystem` or `Block`. Defaults to `Filesystem`.
        "volumeMode" optional volume_mode: Choice<VolumeMode>,
        /// Labels of the PersistentVolumeClaim.
        "labels" optional labels: Shaped<Labels>,
        /// Annotations of the PersistentVolumeClaim.
        "annotations" optional annotations: Shaped<Annotations>,
        /// Further fields of the PersistentVolumeClaimSpec, which take precedence over the fields
        /// above.
        "spec" optional spec: Shaped<ClaimSpec>,
    }
}

definition! {
    /// A PersistentVolumeClaim that is created for each sandbox, and its mount in the main
    /// container.
    pub(crate) struct VolumeClaim in "volumeClaims[] with its mount" {
        flatten template: VolumeClaimTemplate,
        /// Path of the volume in the main container.
        "mountPath" optional mount_path: Text,
        /// Path inside the volume that is mounted. Defaults to the root of the volume.
        "subPath" optional sub_path: Text,
        /// Whether the volume is mounted read-only.
        "readOnly" optional read_only: Flag,
        /// Path of the device in the main container, for a volume of mode `Block`.
        "devicePath" optional device_path: Text,
    }
}

/// A lowered volume claim, with its mount or device in the main container.
#[derive(Debug)]
pub(super) struct LoweredClaim {
    /// An entry of `volumeClaimTemplates`.
    pub(super) template: Node,
    /// An entry of `volumeMounts` of the main container.
    pub(super) mount: Option<Node>,
    /// An entry of `volumeDevices` of the main container.
    pub(super) device: Option<Node>,
}

impl VolumeClaim {
    /// The name of the claim and of the volume.
    pub(super) fn name(&self) -> &str {
        self.template.name.as_str()
    }

    /// The span of the name.
    pub(super) fn place(&self) -> Span {
        self.template.name.span()
    }

    /// Lowers the claim template and its mount or device in the main container.
    pub(super) fn lower(self, managed: Origin) -> LoweredClaim {
        let Self { template, mount_path, sub_path, read_only, device_path } = self;
        let entry = Origin::source(template.name.span());
        let name = template.name.clone().into_node();
        let mount = mount_path.map(|path| {
            let mut mount = Node::map(entry);
            mount.set("name", name.clone());
            mount.set("mountPath", path.into_node());
            mount.set_some("subPath", sub_path.map(Text::into_node));
            mount.set_some("readOnly", read_only.map(Flag::into_node));
            mount
        });
        let device = device_path.map(|path| {
            let mut device = Node::map(entry);
            device.set("name", name);
            device.set("devicePath", path.into_node());
            device
        });
        LoweredClaim { template: template.lower(managed), mount, device }
    }
}

impl VolumeClaimTemplate {
    /// Lowers an entry of `volumeClaimTemplates`. Generated nodes have the origin `managed`.
    pub(super) fn lower(self, managed: Origin) -> Node {
        let Self {
            name,
            size,
            storage_class_name,
            access_modes,
            volume_mode,
            labels,
            annotations,
            spec,
        } = self;
        let entry = Origin::source(name.span());
        let mut metadata = Node::map(entry);
        metadata.set("name", name.into_node());
        metadata.set_some("labels", labels.map(|it| it.node));
        metadata.set_some("annotations", annotations.map(|it| it.node));

        let default_modes = || Node::list(vec![Node::string("ReadWriteOnce", managed)], managed);
        let mut claim = Node::map(entry);
        claim.set("accessModes", access_modes.map_or_else(default_modes, |it| it.node));
        claim.set_some("storageClassName", storage_class_name.map(Text::into_node));
        claim.set_some("volumeMode", volume_mode.map(Choice::into_node));
        if let Some(size) = size {
            let mut requests = Node::map(entry);
            requests.set("storage", size.into_node());
            let mut resources = Node::map(entry);
            resources.set("requests", requests);
            claim.set("resources", resources);
        }
        for field in spec.into_iter().flat_map(|spec| spec.node.into_entries()) {
            claim.set(field.key, field.value);
        }

        let mut template = Node::map(entry);
        template.set("metadata", metadata);
        template.set("spec", claim);
        template
    }
}
