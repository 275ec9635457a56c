//! Maps with known keys.

use super::rules::FIELD_MISSING;
use super::unknown::{LONGEST_COMPARED, MAX_ENTRIES};
use super::{Mode, Position, Scope, Walk, text};
use crate::diag::{About, Diagnostic, brief, message, nearest};
use crate::schema::{Object, Type, store};
use crate::tree::{Entry, Map, Node, Value};

/// The metadata of every object is decoded into Go's type, also that of custom resources.
pub(super) const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

const OWNER_REFERENCE: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference";

impl Walk<'_> {
    pub(super) fn object(&mut self, node: &Node, object: &Object<'_>, place: &Position<'_>) {
        let Some(map) = node.as_map() else {
            self.wrong_type(node, Type::Object(object), place);
            return;
        };
        let is_root = place.scope.is_none();
        let scope = Scope {
            object,
            path: &place.path,
            parent: place.scope,
            map,
            at: place.at,
            is_item: place.is_item,
        };
        let mode = if object.name == OBJECT_META { Mode::BuiltIn } else { place.mode };
        for entry in map.entries() {
            let path = place.path.field(&entry.key);
            let at = entry.key_origin().span();
            let is_status =
                place.is_status || (is_root && mode == Mode::BuiltIn && entry.key == "status");
            let inner = Position {
                path,
                key: &entry.key,
                at,
                scope: Some(&scope),
                mode,
                is_status,
                is_item: false,
            };
            match object.property_in(&entry.key, self.cx.target) {
                Some(property) => self.value(&entry.value, property.value, &inner),
                None => match object.others {
                    Some(others) => self.value(&entry.value, others, &inner),
                    None => self.unknown(entry, map, object, &inner),
                },
            }
        }
        if object.name == OBJECT_META {
            self.metadata(map, place);
        }
        if !place.is_status && !is_unread_owner(object, place) {
            self.required(node, map, object, place);
        }
    }

    pub(super) fn required(
        &mut self,
        node: &Node,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) {
        for property in object.properties {
            if !property.is_required || !property.versions.contains(self.cx.target) {
                continue;
            }
            if self.sink.is_full() {
                return;
            }
            let entry = map.entry(property.name);
            if entry.is_some_and(|entry| !entry.value.is_null()) {
                continue;
            }
            // In custom resources defaults come first.
            let is_no_fault = match place.mode {
                Mode::Custom => {
                    property.default.is_some() || entry.is_some() && property.value.is_nullable()
                }
                Mode::Default => entry.is_some() && property.value.is_nullable(),
                Mode::BuiltIn => store::zero_is_good(object.name, property.name),
            };
            if is_no_fault {
                continue;
            }
            let name = brief(property.name);
            let is_pair = place.is_item && is_name_as_key(name, map, object);
            let instead = map.entries().first().filter(|_| is_pair);
            let instead = instead.or_else(|| self.misspelt(name, map, object));
            let origin = entry.map_or(node.origin(), Entry::key_origin);
            let owner = self.owner(place);
            let (at, message) = match entry {
                None => (place.at, message!("{owner} has no `{name}`")),
                Some(entry) => (
                    entry.key_origin().span(),
                    message!("`{name}` of {owner} is `null`, which counts as missing"),
                ),
            };
            let mut finding = Diagnostic::new(&FIELD_MISSING, at, message)
                .at(message!("`{name}` is required"))
                .help(message!("add {}", text::sample(property)))
                .about(About::MissingField(name.into()));
            if let Some(instead) = instead {
                finding = finding.same_mistake_as(instead.key_origin().span());
            }
            self.report(origin, place, finding);
        }
    }

    /// The entry that is probably the missing field: one with a similar name that is not a field,
    /// or one with the name of a field of the missing object.
    fn misspelt<'m>(&self, name: &str, map: &'m Map, object: &Object<'_>) -> Option<&'m Entry> {
        if map.entries().len() > MAX_ENTRIES || self.advice.left() == 0 || self.sink.is_terse() {
            return None;
        }
        map.entries().iter().find(|entry| {
            entry.key.len() <= LONGEST_COMPARED
                && object.property(&entry.key).is_none()
                && self.may_hint()
                && (is_field_of(&entry.key, name, object)
                    || nearest(&entry.key, object.properties.iter().map(|it| it.name))
                        == Some(name))
        })
    }

    /// The name of the object in messages: its path, or its kind at the root.
    pub(super) fn owner(&self, place: &Position<'_>) -> String {
        match place.scope {
            None => format!("`{}`", self.cx.what),
            Some(_) => format!("`{}`", place.path),
        }
    }
}

/// Whether the object is an owner in the metadata of a template: the API server reads only labels and
/// annotations there (`ValidatePodTemplateSpec`).
fn is_unread_owner(object: &Object<'_>, place: &Position<'_>) -> bool {
    let metadata = place.scope.filter(|_| place.mode == Mode::BuiltIn);
    let around = metadata.filter(|scope| scope.object.name == OBJECT_META).and_then(|it| it.parent);
    object.name == OWNER_REFERENCE && around.is_some_and(|owner| owner.parent.is_some())
}

/// `- LEVEL: info` in a list of items with `name`: the name was written as a key, which is reported.
pub(super) fn is_name_as_key(name: &str, map: &Map, object: &Object<'_>) -> bool {
    let [only] = map.entries() else { return false };
    let is_plain = !matches!(only.value.value, Value::List(_) | Value::Map(_));
    name == "name" && is_plain && object.property(&only.key).is_none()
}

/// Whether `key` is a field of the object in field `name` of `object`.
fn is_field_of(key: &str, name: &str, object: &Object<'_>) -> bool {
    match object.property(name).map(|property| property.value.base()) {
        Some(Type::Object(inner)) => inner.property(key).is_some(),
        _ => false,
    }
}
