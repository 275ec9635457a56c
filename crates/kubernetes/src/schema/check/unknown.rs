//! Unknown keys: misspelled, of another version, or at the wrong level.

use super::object::OBJECT_META;
use super::owners::{enclosing_owner, nested_path};
use super::rules::{FIELD_NOT_IN_VERSION, UNKNOWN_FIELD};
use super::slips::empty_key_above;
use super::{Position, Scope, Walk, hints};
use crate::diag::{About, Diagnostic, Meant, message};
use crate::schema::{Object, Type, Versions};
use crate::source::Span;
use crate::tree::{Entry, Map};

/// The longest key that is compared with the known ones; no Kubernetes field is as long.
pub(super) const LONGEST_COMPARED: usize = 64;

/// The largest map whose neighboring lines are compared.
pub(super) const MAX_LINES: usize = 200;

/// The maximum number of entries of a map whose unknown fields have suggestions, and of fields of an
/// object that are compared with them: a definition can have any number.
pub(super) const MAX_ENTRIES: usize = 1_000;

impl Walk<'_> {
    pub(super) fn unknown(
        &mut self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) {
        let key = entry.key.as_str();
        let at = entry.key_origin().span();
        let is_short =
            map.entries().len() <= MAX_LINES && self.advice.left() > 0 && !self.sink.is_terse();
        let others = is_short.then(|| {
            let behind = self.left_behind_by(entry, map, object, place);
            let beside = self.same_as_sibling_before(entry, map, object, place);
            let inside = self.same_as_missing_object_before(entry, map, object);
            [self.same_as_line_before(entry, map, object), behind, beside, inside]
        });
        let others: Vec<_> = others.into_iter().flatten().flatten().collect();
        let finding = if let Some(property) = object.property(key) {
            self.in_other_version(key, property.versions, object, place)
        } else {
            let owner = place.scope.map_or(self.cx.what.to_owned(), |scope| self.name_of(scope));
            let finding =
                Diagnostic::new(&UNKNOWN_FIELD, at, message!("unknown field `{key}` in `{owner}`"))
                    .at("no such field")
                    .about(About::UnknownField(None));
            let is_small = key.len() <= LONGEST_COMPARED
                && map.entries().len().max(object.properties.len()) <= MAX_ENTRIES;
            if others.is_empty() && is_small && self.may_hint() {
                hints::explain(self, finding, entry, map, object, place)
            } else {
                finding
            }
        };
        let finding = others.into_iter().fold(finding, Diagnostic::same_mistake_as);
        // A key without a value above a duplicate one is reported with it.
        let finding = if entry.value.is_null() { finding.same_mistake_as(at) } else { finding };
        self.report(entry.key_origin(), place, finding);
    }

    /// The sibling of the enclosing object that has the key: `spec` for a key in `metadata`.
    pub(super) fn beside(&self, key: &str, scope: Option<&Scope<'_>>) -> Option<(String, String)> {
        let (own, parent) = (scope?, scope?.parent?);
        let path = nested_path(key, parent.object, &Map::default(), self.cx.target)?;
        // Further inside, only metadata is clearly next to the object that was meant.
        let is_near = own.object.name == OBJECT_META && !path.contains(['.', '[']);
        if parent.parent.is_some() && !is_near {
            return None;
        }
        Some((format!("`{}`", self.name_of(parent)), path))
    }

    /// The first unknown entry of the map, if it belongs in the same sibling of the map as this one:
    /// one deleted `spec:` moves all its fields into `metadata`.
    pub(super) fn same_as_sibling_before(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) -> Option<Span> {
        let is_unknown = |other: &&Entry| object.property_in(&other.key, self.cx.target).is_none();
        let first = map.entries().iter().find(is_unknown)?;
        let first_place = first.key_origin().span();
        let sibling = |entry: &Entry| {
            let (_, path) = self.beside(&entry.key, place.scope)?;
            Some(first_field(&path).to_owned())
        };
        let is_before = first_place < entry.key_origin().span();
        (is_before && sibling(first)? == sibling(entry)?).then_some(first_place)
    }

    /// The first unknown entry of the map, if it belongs in the same field of the map as this one,
    /// which the map does not have: one deleted `spec:` moves all its fields into `template`.
    pub(super) fn same_as_missing_object_before(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
    ) -> Option<Span> {
        let field = |entry: &Entry| {
            let is_unknown =
                object.property(&entry.key).is_none() && entry.key.len() <= LONGEST_COMPARED;
            is_unknown.then(|| nested_path(&entry.key, object, map, self.cx.target)).flatten()
        };
        let is_unknown = |other: &&Entry| object.property(&other.key).is_none();
        let first = map.entries().iter().find(is_unknown)?;
        let first_place = first.key_origin().span();
        if first_place >= entry.key_origin().span() {
            return None;
        }
        let (one, other) = (field(first)?, field(entry)?);
        let is_object = !one.contains(['.', '[']);
        let is_missing = one == other && is_object && map.entry(&one).is_none();
        is_missing.then_some(first_place)
    }

    /// Whether the line before belongs below the same key, so that one message is enough for both.
    pub(super) fn same_as_line_before(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
    ) -> Option<Span> {
        let parent = |entry: &Entry| {
            let is_short =
                entry.key.len() <= LONGEST_COMPARED && object.property(&entry.key).is_none();
            if !is_short {
                return None;
            }
            let inner = nested_path(&entry.key, object, map, self.cx.target);
            empty_key_above(inner.as_deref(), entry, map, object)
        };
        let is_here = |other: &Entry| other.key_origin().span() == entry.key_origin().span();
        let pair = map.entries().windows(2).find(|pair| pair.last().is_some_and(is_here));
        let before = pair.and_then(|pair| pair.first());
        let before = before.filter(|_| map.entries().iter().any(|other| other.value.is_null()))?;
        let above = parent(before)?;
        (parent(entry) == Some(above)).then(|| before.key_origin().span())
    }

    /// The preceding key that this one belongs below: it is at the wrong level itself and empty,
    /// because `spec:` was indented and its fields were not.
    fn left_behind_by(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) -> Option<Span> {
        let target = self.cx.target;
        let is_before = |other: &&Entry| other.key_origin().span() < entry.key_origin().span();
        let is_wrong = |other: &&Entry| {
            other.value.is_null() && object.property_in(&other.key, target).is_none()
        };
        let mut empty = map.entries().iter().filter(is_before).filter(is_wrong);
        let parent = empty.find(|parent| {
            let field = enclosing_owner(&parent.key, place.scope, target)
                .and_then(|(_, scope, _)| scope.object.property_in(&parent.key, target));
            match field.map(|property| property.value.base()) {
                Some(Type::Object(object)) => object.property_in(&entry.key, target).is_some(),
                Some(Type::Map(_)) => true,
                _ => false,
            }
        });
        parent.map(|parent| parent.key_origin().span())
    }

    /// The path of an object, or its kind at the root.
    pub(super) fn name_of(&self, scope: &Scope<'_>) -> String {
        if scope.parent.is_none() { self.cx.what.to_owned() } else { scope.path.to_string() }
    }

    fn in_other_version(
        &self,
        key: &str,
        versions: Versions,
        object: &Object<'_>,
        place: &Position<'_>,
    ) -> Diagnostic {
        let (name, target) = (short_name(object), self.cx.target);
        let what = match (versions.first(), versions.last()) {
            (Some(first), _) if first > target => {
                message!("field `{key}` of {name} requires Kubernetes {first} or later")
            }
            (_, Some(last)) if last < target => {
                message!("field `{key}` of {name} was removed after Kubernetes {last}")
            }
            _ => message!("field `{key}` of {name} does not exist in Kubernetes {target}"),
        };
        let finding =
            Diagnostic::new(&FIELD_NOT_IN_VERSION, place.at, what).at(message!("not in {target}"));
        match versions.first().filter(|first| *first > target) {
            Some(first) => finding
                .help(message!("remove `{key}`, or compile with `--kubernetes {first}` or newer")),
            None => finding.help(message!("remove `{key}`")),
        }
    }
}

/// The first field of a path: `spec` of `spec.template.spec`.
pub(super) fn first_field(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

pub(super) const fn about_meant(what: Meant) -> About {
    About::UnknownField(Some(what))
}

/// `PodSpec` for `io.k8s.api.core.v1.PodSpec`.
fn short_name<'o>(object: &Object<'o>) -> &'o str {
    object.name.rsplit('.').next().unwrap_or(object.name)
}
