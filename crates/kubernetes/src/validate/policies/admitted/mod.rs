//! The object that admission sees: in the encoding of the API server, with the defaults of its
//! kind, and with what the server's own admission plugins set.

mod classes;
mod encoding;
mod limits;
mod metadata;
mod plugins;
mod pods;
mod special;
mod versions;

use super::matching::{GroupVersion, Resource};
use crate::crd::fill_defaults;
use crate::kube::{GroupVersionKind, Object, ObjectSet};
use crate::schema::{KubernetesVersion, Type, store};
use crate::tree::{Node, Origin};
use crate::validate::objects::Cx;
pub(super) use plugins::Cluster;
pub(super) use versions::{conversion_fault, in_version};

/// The conversion of a value to the form of the API server.
#[derive(Clone, Copy)]
struct Conversion {
    target: KubernetesVersion,
    /// The origin of values that the author did not write.
    origin: Origin,
    /// Whether absent fields get the defaults of the kind.
    sets_defaults: bool,
}

/// The type of a kind.
pub(super) fn type_of<'c>(cx: Cx<'c>, kind: &str, version: GroupVersion<'_>) -> Type<'c> {
    let GroupVersion { group, version } = version;
    if let Some(kind) = cx.custom.find(group, kind) {
        return kind.served(version).map_or(Type::Any, |it| it.root);
    }
    let known = store::kind(group, version, kind);
    known.and_then(|it| it.definition).map_or(Type::Any, Type::Object)
}

/// A form of an object as the decoder of the API server reads it, with the defaults of its kind.
pub(super) fn decoded(cx: Cx<'_>, object: &Object, root: Node) -> Node {
    let GroupVersionKind { group, version, .. } = &*object.gvk;
    decoded_in(cx, object, root, GroupVersion { group, version })
}

/// A form of an object in a version, with the defaults of that version.
pub(super) fn decoded_in(
    cx: Cx<'_>,
    object: &Object,
    mut root: Node,
    version: GroupVersion<'_>,
) -> Node {
    let conversion = Conversion::of(cx, object);
    let kind = object.gvk.kind.as_str();
    let is_custom = cx.custom.find(version.group, kind).is_some();
    match type_of(cx, kind, version) {
        Type::Object(definition) if !is_custom => {
            conversion.convert(&mut root, Type::Object(definition));
            conversion.whole_object(&mut root, definition.name);
        }
        ty => {
            // Out of fuel, no policy is evaluated.
            let _is_complete = fill_defaults(&mut root, ty, conversion.origin, cx.fuel);
            conversion.metadata(&mut root);
        }
    }
    root
}

/// An object as the API server stores it: with the defaults of its kind, and without empty values.
pub(in crate::validate) fn stored_form(cx: Cx<'_>, object: &Object) -> Node {
    decoded(cx, object, object.root.clone())
}

/// Changes a new object as the server's own admission plugins do.
pub(super) fn admit(cx: Cx<'_>, object: &Object, root: &mut Node, cluster: &Cluster<'_>) {
    cluster.admit(Conversion::of(cx, object), object, root);
}

/// The object that validating policies see: with what storage sets.
pub(super) fn stored(cx: Cx<'_>, object: &Object, mut root: Node, resource: &Resource<'_>) -> Node {
    let conversion = Conversion::of(cx, object);
    let is_custom = cx.custom.find(&object.gvk.group, &object.gvk.kind).is_some();
    metadata::fill(conversion, &mut root, object, (resource, is_custom));
    special::created(conversion, object, &mut root);
    root
}

impl Conversion {
    fn of(cx: Cx<'_>, object: &Object) -> Self {
        let origin = Origin::source(object.name_span());
        Self { target: cx.target, origin, sets_defaults: true }
    }
}

/// Reads the objects of the input that plugins depend on.
pub(super) fn cluster<'o>(set: &ObjectSet<'o>) -> Cluster<'o> {
    Cluster::new(set)
}

#[cfg(test)]
mod tests;
