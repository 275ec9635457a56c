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
use crate::crd::{CustomKind, CustomKinds, fill_defaults};
use crate::kube::{GroupVersionKind, Object, ObjectSet};
use crate::limits::Fuel;
use crate::schema::{KubernetesVersion, Type, store};
use crate::tree::{Node, Origin};
use crate::validate::objects::ObjectContext;
pub(super) use plugins::Cluster;
pub(in crate::validate) use plugins::{TOLERATED, tolerates};
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
pub(super) fn type_of<'c>(
    cx: ObjectContext<'c>,
    kind: &str,
    version: GroupVersion<'_>,
) -> Type<'c> {
    type_of_kind(cx.custom.find(version.group, kind), kind, version)
}

/// The type of a kind, which is custom if it is known as such.
fn type_of_kind<'c>(
    known: Option<&CustomKind<'c>>,
    kind: &str,
    version: GroupVersion<'_>,
) -> Type<'c> {
    let GroupVersion { group, version } = version;
    if let Some(custom) = known {
        return custom.served(version).map_or(Type::Any, |it| it.root);
    }
    store::kind(group, version, kind).and_then(|it| it.definition).map_or(Type::Any, Type::Object)
}

/// The type of an object; [`Type::Any`] if its kind or version is unknown.
pub fn type_of_object<'c>(custom: &CustomKinds<'c>, gvk: &GroupVersionKind) -> Type<'c> {
    let version = GroupVersion { group: &gvk.group, version: &gvk.version };
    type_of_kind(custom.find(&gvk.group, &gvk.kind), &gvk.kind, version)
}

/// A form of an object as the decoder of the API server reads it, with the defaults of its kind.
pub(super) fn decoded(cx: ObjectContext<'_>, object: &Object, root: Node) -> Node {
    let GroupVersionKind { group, version, .. } = &*object.gvk;
    decoded_in(cx, object, root, GroupVersion { group, version })
}

/// A form of an object in a version, with the defaults of that version.
pub(super) fn decoded_in(
    cx: ObjectContext<'_>,
    object: &Object,
    root: Node,
    version: GroupVersion<'_>,
) -> Node {
    let conversion = Conversion::of(cx, object);
    let kind = object.gvk.kind.as_str();
    // Out of fuel, no policy is evaluated.
    convert_decoded(conversion, cx.custom.find(version.group, kind), root, kind, version, cx.fuel)
}

/// Converts an object of a kind. Without fuel, a custom resource does not get all of its defaults.
fn convert_decoded(
    conversion: Conversion,
    known: Option<&CustomKind<'_>>,
    mut root: Node,
    kind: &str,
    version: GroupVersion<'_>,
    fuel: &Fuel<'_>,
) -> Node {
    match type_of_kind(known, kind, version) {
        Type::Object(definition) if known.is_none() => {
            conversion.convert(&mut root, Type::Object(definition));
            conversion.whole_object(&mut root, definition.name);
        }
        ty => {
            let _is_complete = fill_defaults(&mut root, ty, conversion.origin, fuel);
            conversion.metadata(&mut root);
        }
    }
    root
}

/// An object with the defaults of its kind in the encoding of the API server, in which two forms with
/// one meaning are equal: quantities, empty values, `stringData`.
///
/// Lists keep their items and their order, except for those that the API server adds.
pub fn comparable_form(
    target: KubernetesVersion,
    custom: &CustomKinds<'_>,
    object: &Object,
    fuel: &Fuel<'_>,
) -> Node {
    let GroupVersionKind { group, version, kind, .. } = &*object.gvk;
    let origin = Origin::source(object.name_span());
    let conversion = Conversion { target, origin, sets_defaults: true };
    let known = custom.find(group, kind);
    let root = object.root.clone();
    convert_decoded(conversion, known, root, kind, GroupVersion { group, version }, fuel)
}

/// Changes a new object as the server's own admission plugins do.
pub(super) fn admit(
    cx: ObjectContext<'_>,
    object: &Object,
    root: &mut Node,
    cluster: &Cluster<'_>,
) {
    cluster.admit(Conversion::of(cx, object), object, root);
}

/// The object that validating policies see: with what storage sets.
pub(super) fn stored(
    cx: ObjectContext<'_>,
    object: &Object,
    mut root: Node,
    resource: &Resource<'_>,
) -> Node {
    let conversion = Conversion::of(cx, object);
    let is_custom = cx.custom.find(&object.gvk.group, &object.gvk.kind).is_some();
    metadata::fill(conversion, &mut root, object, resource, is_custom);
    special::created(conversion, object, &mut root);
    root
}

impl Conversion {
    fn of(cx: ObjectContext<'_>, object: &Object) -> Self {
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
