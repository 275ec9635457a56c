//! `Recipe`: how a kind makes a Pod of the shared fields: what is managed below and above them, and
//! what the author cannot set.

use super::pod::{PodPart, PodTemplate};
use super::{PodFields, Refused, refused};
use crate::diag::Sink;
use crate::merge::{self, Guard, Row};
use crate::schema::{Type, definition};
use crate::tree::{Node, Origin, Path};

const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// What a kind decides of its Pods. The layers, from the bottom: `base`, for each definition its typed
/// fields and its `podOverrides`, `top`; the security profile fills what all of them leave open.
#[derive(Debug)]
pub(crate) struct Recipe<'r> {
    /// Name of the container that the shared fields describe.
    pub(crate) container: &'r str,
    /// A partial PodSpec of the managed layer, below the author's fields.
    pub(crate) base: Option<Node>,
    /// A partial PodSpec of the managed layer, above the author's fields. What an author could have
    /// set there needs a guard, or it would be replaced in silence.
    pub(crate) top: Option<Node>,
    /// Labels and annotations of the managed layer, below the author's: `{labels, annotations}`.
    pub(crate) metadata: Option<Node>,
    /// Where the system merges otherwise than Kubernetes' schema says.
    pub(crate) rows: &'r [Row<'r>],
    /// Fields of the PodSpec that no layer of an author may touch.
    pub(crate) guards: &'r [Guard<'r>],
    /// Where the system merges `podOverrides` otherwise, besides `rows`.
    pub(crate) override_rows: &'r [Row<'r>],
    /// Fields of the PodSpec that `podOverrides` may not touch, besides `guards`.
    pub(crate) override_guards: &'r [Guard<'r>],
    /// The same for the Pod's `metadata`: labels of a selector.
    pub(crate) metadata_guards: &'r [Guard<'r>],
    /// Shared fields that the kind does not have, in `spec` and in `podOverrides`.
    pub(crate) refused: &'r [Refused],
}

/// The shared fields of one definition.
#[derive(Debug)]
pub(crate) struct PodLayer {
    /// The fields.
    pub(crate) fields: PodFields,
    /// Mounts that other fields of the definition ask for, besides the author's own list.
    pub(crate) volume_mounts: Vec<Node>,
    /// The same for block devices.
    pub(crate) volume_devices: Vec<Node>,
}

impl From<PodFields> for PodLayer {
    fn from(fields: PodFields) -> Self {
        Self { fields, volume_mounts: Vec::new(), volume_devices: Vec::new() }
    }
}

impl Recipe<'static> {
    /// A Pod of the author's fields alone, whose container is `main`.
    pub(crate) const PLAIN: Self = Self {
        container: "main",
        base: None,
        top: None,
        metadata: None,
        rows: &[],
        guards: &[],
        override_rows: &[],
        override_guards: &[],
        metadata_guards: &[],
        refused: &[],
    };
}

impl Recipe<'_> {
    /// Lays the layers over one another, those of the farthest ancestor first. The security profile
    /// is not there yet: see [`PodTemplate::secure`].
    pub(crate) fn build(
        self,
        layers: Vec<PodLayer>,
        managed: Origin,
        sink: &mut Sink,
    ) -> PodTemplate {
        let Self { container, base, top, metadata, rows, guards, metadata_guards, refused, .. } =
            self;
        let override_rows: Vec<_> = self.override_rows.iter().chain(rows).copied().collect();
        let override_guards: Vec<_> = guards.iter().chain(self.override_guards).copied().collect();
        let pod_spec = definition(POD_SPEC).map_or(Type::Any, Type::Object);
        let object_meta = definition(OBJECT_META).map_or(Type::Any, Type::Object);
        let root = Path::root();
        let cx = merge::Cx { rows, path: root.field("spec") };
        let override_cx = merge::Cx { rows: &override_rows, ..cx };
        let metadata_cx = merge::Cx { rows: &[], path: root.field("metadata") };

        let mut spec = base.unwrap_or_else(|| Node::map(managed));
        let mut metadata = metadata;
        let mut security = None;
        for PodLayer { fields, volume_mounts, volume_devices } in layers {
            let mut part = fields.into_part(container, managed, volume_mounts, volume_devices);
            refused::take_out(&mut part, container, refused, sink);
            let PodPart { typed, overrides, metadata: own, security: own_security } = part;
            spec = merge::apply(&cx, guards, spec, &typed, pod_spec, None, sink);
            if let Some(overrides) = overrides {
                let (cx, guards) = (&override_cx, &override_guards);
                spec = merge::apply(cx, guards, spec, &overrides, pod_spec, None, sink);
            }
            metadata = match (metadata, own) {
                (Some(below), Some(own)) => {
                    let cx = &metadata_cx;
                    Some(merge::apply(cx, metadata_guards, below, &own, object_meta, None, sink))
                }
                (below, own) => own.or(below),
            };
            security = own_security.or(security);
        }
        if let Some(top) = top {
            spec = merge::overlay(&cx, spec, &top, pod_spec, None, sink);
        }
        PodTemplate { metadata, spec, security }
    }
}
