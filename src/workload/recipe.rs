//! `Recipe`: how a kind builds a Pod from the shared fields: the managed layers below and above
//! them, and the fields that the author cannot set.

use super::pod::{PodPart, PodTemplate};
use super::{PodFields, Refused, refused};
use crate::diag::Sink;
use crate::merge::{self, Guard, Row};
use crate::schema::{Type, definition};
use crate::tree::{Node, Origin, Path};

const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// A kind's decisions about its Pods. The layers, from the bottom: `base`, the typed fields and the
/// `podOverrides` of each definition, `top`; the security profile then sets the fields that none of
/// them sets.
#[derive(Debug)]
pub(crate) struct Recipe<'r> {
    /// Name of the container that the shared fields describe.
    pub(crate) container: &'r str,
    /// A partial PodSpec of the managed layer, below the author's fields.
    pub(crate) base: Option<Node>,
    /// A partial PodSpec of the managed layer, above the author's fields. A field here that authors
    /// can set needs a guard, or it would be replaced silently.
    pub(crate) top: Option<Node>,
    /// Labels and annotations of the managed layer, below the author's: `{labels, annotations}`.
    pub(crate) metadata: Option<Node>,
    /// Fields that the system merges differently from Kubernetes' schema.
    pub(crate) rows: &'r [Row<'r>],
    /// Fields of the PodSpec that authors cannot set in any layer.
    pub(crate) guards: &'r [Guard<'r>],
    /// Fields of `podOverrides` that the system merges differently, in addition to `rows`.
    pub(crate) override_rows: &'r [Row<'r>],
    /// Fields of the PodSpec that `podOverrides` cannot set, in addition to `guards`.
    pub(crate) override_guards: &'r [Guard<'r>],
    /// Guards of the Pod's `metadata`, such as the labels of a selector.
    pub(crate) metadata_guards: &'r [Guard<'r>],
    /// Shared fields that the kind does not have, in `spec` and in `podOverrides`.
    pub(crate) refused: &'r [Refused],
}

/// The shared fields of one definition.
#[derive(Debug)]
pub(crate) struct PodLayer {
    /// The fields.
    pub(crate) fields: PodFields,
    /// Volume mounts that other fields of the definition require, in addition to the author's list.
    pub(crate) volume_mounts: Vec<Node>,
    /// Block devices that other fields of the definition require.
    pub(crate) volume_devices: Vec<Node>,
}

impl From<PodFields> for PodLayer {
    fn from(fields: PodFields) -> Self {
        Self { fields, volume_mounts: Vec::new(), volume_devices: Vec::new() }
    }
}

impl Recipe<'static> {
    /// A Pod of only the author's fields, whose container is `main`.
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
    /// Merges the layers, those of the farthest ancestor first. The security profile is added
    /// later: see [`PodTemplate::secure`].
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
        let cx = merge::MergeContext { rows, path: root.field("spec") };
        let spec_path = root.field("spec");
        let override_cx =
            merge::MergeContext { rows: &override_rows, path: spec_path.field("podOverrides") };
        let metadata_cx = merge::MergeContext { rows: &[], path: root.field("metadata") };

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
