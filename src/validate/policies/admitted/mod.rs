//! The object that admission sees: in the encoding of the API server, with the defaults of its
//! kind, and with what the server's own admission plugins set.

mod custom;
mod encoding;
mod metadata;
mod plugins;
mod pods;
mod special;

use super::matching::Resource;
use crate::kube::{Object, ObjectSet};
use crate::schema::{KubernetesVersion, Type, store};
use crate::tree::{Node, Origin};
use crate::validate::objects::Cx;
pub(super) use plugins::Cluster;

/// The conversion of a value to the form of the API server.
#[derive(Clone, Copy)]
struct Conversion {
    target: KubernetesVersion,
    /// The origin of values that the author did not write.
    origin: Origin,
}

/// The object as the decoder of the API server reads it, with the defaults of its kind.
pub(super) fn decoded(cx: Cx<'_>, object: &Object) -> Node {
    let mut root = object.root.clone();
    let conversion = Conversion { target: cx.target, origin: Origin::source(object.name_span()) };
    let gvk = &*object.gvk;
    if let Some(kind) = cx.custom.find(&gvk.group, &gvk.kind) {
        if let Some(version) = kind.served(&gvk.version) {
            custom::fill(&mut root, version.root, conversion.origin);
        }
        conversion.metadata(&mut root);
        return root;
    }
    let known = store::kind(&gvk.group, &gvk.version, &gvk.kind);
    match known.and_then(|it| it.definition) {
        Some(definition) => {
            conversion.convert(&mut root, Type::Object(definition));
            conversion.whole_object(&mut root, definition.name);
        }
        None => conversion.metadata(&mut root),
    }
    root
}

/// The object that validating policies see: `decoded` after the server's own admission plugins and
/// after what storage sets.
pub(super) fn stored(
    cx: Cx<'_>,
    object: &Object,
    mut root: Node,
    resource: &Resource<'_>,
    cluster: &Cluster<'_>,
) -> Node {
    let conversion = Conversion { target: cx.target, origin: Origin::source(object.name_span()) };
    let is_custom = cx.custom.find(&object.gvk.group, &object.gvk.kind).is_some();
    cluster.admit(conversion, object, &mut root);
    metadata::fill(conversion, &mut root, object, (resource, is_custom));
    special::created(conversion, object, &mut root);
    root
}

/// Reads the objects of the input that plugins depend on.
pub(super) fn cluster<'o>(set: &ObjectSet<'o>) -> Cluster<'o> {
    Cluster::new(set)
}

#[cfg(test)]
mod tests;
