//! Unknown keys: misspelled, of another version, or at the wrong level.

use super::former;
use super::object::{OBJECT_META, is_name_as_key};
use super::owners::{inner, objects_of, outer};
use super::rules::{FIELD_NOT_IN_VERSION, UNKNOWN_FIELD};
use super::slips::{
    entries_behind, is_prefix, is_wrapper, map_before, not_indented, without_colon, without_dash,
    without_space,
};
use super::{Mode, Place, Scope, Walk};
use crate::diag::{About, Diagnostic, FieldPath, Meant, brief, nearest};
use crate::schema::{Object, Property, Type, Versions};
use crate::source::Span;
use crate::tree::{Entry, Map, Value};

/// The longest key that is compared with the known ones; no Kubernetes field is as long.
pub(super) const LONGEST_COMPARED: usize = 64;

/// The largest map whose neighboring lines are compared.
pub(super) const MAX_LINES: usize = 200;

/// The maximum number of entries of a map whose unknown fields have suggestions, and of fields of an
/// object that are compared with them: a definition can have any number.
pub(super) const MAX_ENTRIES: usize = 1_000;

/// The maximum number of valid fields that are listed if none has a similar name.
const MAX_NAMED: usize = 50;

impl Walk<'_> {
    pub(super) fn unknown(
        &mut self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Place<'_>,
    ) {
        let key = entry.key.as_str();
        let at = entry.key_origin.span();
        let is_short =
            map.entries().len() <= MAX_LINES && self.hints_left.get() > 0 && !self.sink.is_terse();
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
                Diagnostic::new(&UNKNOWN_FIELD, at, format!("unknown field `{key}` in `{owner}`"))
                    .at("no such field")
                    .about(About::UnknownField(None));
            let is_small = key.len() <= LONGEST_COMPARED
                && map.entries().len().max(object.properties.len()) <= MAX_ENTRIES;
            if others.is_empty() && is_small && self.may_hint() {
                self.hint(finding, entry, map, object, place)
            } else {
                finding
            }
        };
        let finding = others.into_iter().fold(finding, Diagnostic::same_mistake_as);
        // A key without a value above a duplicate one is reported with it.
        let finding = if entry.value.is_null() { finding.same_mistake_as(at) } else { finding };
        self.report(entry.key_origin, place, finding);
    }

    /// The sibling of the enclosing object that has the key: `spec` for a key in `metadata`.
    pub(super) fn beside(&self, key: &str, scope: Option<&Scope<'_>>) -> Option<(String, String)> {
        let (own, parent) = (scope?, scope?.parent?);
        let path = inner(key, parent.object, &Map::default(), self.cx.target)?;
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
        place: &Place<'_>,
    ) -> Option<Span> {
        let is_unknown = |it: &&Entry| object.property_in(&it.key, self.cx.target).is_none();
        let first = map.entries().iter().find(is_unknown)?;
        let first_place = first.key_origin.span();
        let sibling = |it: &Entry| {
            let (_, path) = self.beside(&it.key, place.scope)?;
            Some(top(&path).to_owned())
        };
        let is_before = first_place < entry.key_origin.span();
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
        let field = |it: &Entry| {
            let is_unknown = object.property(&it.key).is_none() && it.key.len() <= LONGEST_COMPARED;
            is_unknown.then(|| inner(&it.key, object, map, self.cx.target)).flatten()
        };
        let is_unknown = |it: &&Entry| object.property(&it.key).is_none();
        let first = map.entries().iter().find(is_unknown)?;
        let first_place = first.key_origin.span();
        if first_place >= entry.key_origin.span() {
            return None;
        }
        let (one, other) = (field(first)?, field(entry)?);
        let is_object = !one.contains(['.', '[']);
        let is_missing = one == other && is_object && map.entry(&one).is_none();
        is_missing.then_some(first_place)
    }

    /// Whether the line before belongs below the same key, so that one message is enough for both.
    fn same_as_line_before(&self, entry: &Entry, map: &Map, object: &Object<'_>) -> Option<Span> {
        let parent = |it: &Entry| {
            let is_short = it.key.len() <= LONGEST_COMPARED && object.property(&it.key).is_none();
            let inner = is_short.then(|| inner(&it.key, object, map, self.cx.target)).flatten();
            is_short.then(|| not_indented(inner.as_deref(), it, map, object)).flatten()
        };
        let is_here = |it: &Entry| it.key_origin.span() == entry.key_origin.span();
        let pair = map.entries().windows(2).find(|pair| pair.last().is_some_and(is_here));
        let before = pair.and_then(|pair| pair.first());
        let before = before.filter(|_| map.entries().iter().any(|it| it.value.is_null()))?;
        let above = parent(before)?;
        (parent(entry) == Some(above)).then(|| before.key_origin.span())
    }

    /// The preceding key that this one belongs below: it is at the wrong level itself and empty,
    /// because `spec:` was indented and its fields were not.
    fn left_behind_by(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Place<'_>,
    ) -> Option<Span> {
        let target = self.cx.target;
        let is_before = |it: &&Entry| it.key_origin.span() < entry.key_origin.span();
        let is_wrong =
            |it: &&Entry| it.value.is_null() && object.property_in(&it.key, target).is_none();
        let mut empty = map.entries().iter().filter(is_before).filter(is_wrong);
        let parent = empty.find(|parent| {
            let field = outer(&parent.key, place.scope, target)
                .and_then(|(_, scope, _)| scope.object.property_in(&parent.key, target));
            match field.map(|it| it.value.base()) {
                Some(Type::Object(object)) => object.property_in(&entry.key, target).is_some(),
                Some(Type::Map(_)) => true,
                _ => false,
            }
        });
        parent.map(|it| it.key_origin.span())
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
        place: &Place<'_>,
    ) -> Diagnostic {
        let (name, target) = (short_name(object), self.cx.target);
        let what = match (versions.first(), versions.last()) {
            (Some(first), _) if first > target => {
                format!("field `{key}` of {name} requires Kubernetes {first} or later")
            }
            (_, Some(last)) if last < target => {
                format!("field `{key}` of {name} was removed after Kubernetes {last}")
            }
            _ => format!("field `{key}` of {name} does not exist in Kubernetes {target}"),
        };
        let finding =
            Diagnostic::new(&FIELD_NOT_IN_VERSION, place.at, what).at(format!("not in {target}"));
        match versions.first().filter(|first| *first > target) {
            Some(first) => finding
                .help(format!("remove `{key}`, or compile with `--kubernetes {first}` or newer")),
            None => finding.help(format!("remove `{key}`")),
        }
    }

    fn hint(
        &self,
        finding: Diagnostic,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Place<'_>,
    ) -> Diagnostic {
        let key = entry.key.as_str();
        let target = self.cx.target;
        if without_dash(key).is_some() {
            let place = entry.key_origin.span();
            return finding
                .suggest(place.part(1..1), " ", "add a space after the `-`")
                .about(meant(Meant::Elsewhere));
        }
        let known = object.properties.iter().filter(|it| it.versions.contains(target));
        // Invisible spaces are part of a key.
        let near = nearest(key.trim(), known.map(|property| property.name));
        let is_slip = |near: &str| fold(near) == fold(key.trim());
        if let Some(near) = near.filter(|near| is_slip(near)) {
            return instead(finding, entry, map, near);
        }
        if key.trim() != key {
            // Its level is unknown.
            return finding.about(meant(Meant::Elsewhere));
        }
        if let Some(former) = former::of(object, key) {
            return former::explain(finding, former, entry, map);
        }
        if let Some(name) = without_space(key, object) {
            let after = entry.key_origin.span().part(name.len()..name.len());
            return finding
                .suggest(after.part(1..1), " ", "add a space after the colon")
                .about(meant(Meant::Field(name.into())));
        }
        if let Some(level) = self.behind_dash(entry, place) {
            return level.add_to(finding);
        }
        if let Some(open) = open_field(map, object).filter(|_| near.is_none()) {
            return self.further_in(open, entry, map, object, place).add_to(finding);
        }
        let has_name = object.property("name").is_some_and(|it| it.is_required);
        if has_name && near.is_none() && is_name_as_key("name", map, object) {
            let other =
                if object.property("value").is_some() { ", and `value` below it" } else { "" };
            return finding
                .help(format!("write `name: {key}`{other}"))
                .about(meant(Meant::Field("name".into())));
        }
        if let Some(level) = self.further_out(entry, place) {
            if is_wrapper(entry, object) {
                return finding
                    .help(format!(
                        "remove `{key}:`: its fields belong directly in the object around it"
                    ))
                    .about(meant(Meant::Elsewhere));
            }
            return level.add_to(finding);
        }
        // One letter is nearer than another level.
        let is_free = |near: &str| map.entry(near).is_none();
        if let Some(near) = near.filter(|it| is_free(it) && strsim::levenshtein(it, key) == 1) {
            return instead(finding, entry, map, near);
        }
        let inner = inner(key, object, map, target);
        if let Some(above) = not_indented(inner.as_deref(), entry, map, object) {
            let is_same = |next: &&Entry| self.same_as_line_before(next, map, object).is_some();
            let following = entries_behind(entry, map).take_while(is_same).count();
            let what = if following == 0 { "it" } else { "it and the lines below" };
            return finding
                .help(format!("indent {what} by two spaces: `{key}` belongs in `{above}`"))
                .about(meant(Meant::Inside(above.into())));
        }
        let is_label = matches!(entry.value.value, Value::String(_));
        let labels = object.property("matchLabels").filter(|_| is_label && near.is_none());
        let labels = labels.filter(|it| map.entry(it.name).is_none()).map(|it| it.name.to_owned());
        if let Some(inner) = inner.or(labels) {
            return self.further_in(&inner, entry, map, object, place).add_to(finding);
        }
        self.hint_for_others(finding, (entry, near), map, object, place)
    }

    /// The hint for a field that no level explains: its nearest name, if it has one.
    fn hint_for_others(
        &self,
        finding: Diagnostic,
        (entry, near): (&Entry, Option<&str>),
        map: &Map,
        object: &Object<'_>,
        place: &Place<'_>,
    ) -> Diagnostic {
        let key = entry.key.as_str();
        if let Some(name) = without_colon(key, object) {
            return finding
                .help(format!("add a colon and a space: `{name}: ...`"))
                .about(meant(Meant::Field(name.into())));
        }
        if let Some(near) = near {
            return instead(finding, entry, map, near);
        }
        if let Some(level) = self.next_to(entry, map, object, place) {
            return level.add_to(finding);
        }
        let is_own = self.cx.mode == Mode::BuiltIn;
        if let Some(above) = map_before(entry, map, object, is_own) {
            return finding
                .help(format!("indent it by two spaces: `{key}` belongs in `{above}`"))
                .about(meant(Meant::Inside(above.into())));
        }
        // A map does not become another field with a single value, nor the reverse.
        let is_map = entry.value.as_map().is_some();
        let has_fields = |it: &Property<'_>| {
            matches!(it.value.base(), Type::Object(_) | Type::Map(_) | Type::Any)
        };
        let prefixed = object.properties.iter().filter(|it| is_prefix(key, it.name));
        let mut names: Vec<_> =
            prefixed.filter(|it| has_fields(it) == is_map).map(|it| it.name).collect();
        names.dedup();
        if let [only] = names.as_slice() {
            return instead(finding, entry, map, only);
        }
        if let Some(path) = self.in_namesake(key, place) {
            return finding
                .help(format!("`{key}` belongs in `{path}`: move it there"))
                .about(meant(Meant::Elsewhere));
        }
        self.with_valid_fields(finding, map, object)
    }

    /// The path of the field with the same name as the one around the key, in an object further out
    /// or in the items of its lists, if the key belongs there: `fsGroup` is in `securityContext` of
    /// the Pod.
    fn in_namesake(&self, key: &str, place: &Place<'_>) -> Option<String> {
        let (target, own) = (self.cx.target, place.scope?);
        let path = FieldPath::from(own.path);
        let field = path.last_field().filter(|_| !own.is_item)?;
        let has_key = |object: &Object<'_>| {
            let field = object.property_in(field, target);
            let inner = field.and_then(|it| objects_of(it.value));
            inner.is_some_and(|(it, _)| it.property_in(key, target).is_some())
        };
        let outer = std::iter::successors(own.parent, |it| it.parent);
        for scope in outer {
            let name = self.name_of(scope);
            if has_key(scope.object) {
                return Some(format!("{name}.{field}"));
            }
            let lists = scope.object.properties.iter().filter_map(|it| {
                let (items, suffix) = objects_of(it.value)?;
                (suffix == "[]").then_some((it.name, items))
            });
            if let Some((list, _)) = lists.into_iter().find(|it| has_key(it.1)) {
                return Some(format!("{name}.{list}[].{field}"));
            }
        }
        None
    }

    /// Lists the fields that the map can have, if there are not too many.
    fn with_valid_fields(&self, finding: Diagnostic, map: &Map, object: &Object<'_>) -> Diagnostic {
        let target = self.cx.target;
        let known = object.properties.iter().filter(|it| it.versions.contains(target));
        let mut names: Vec<_> =
            known.map(|it| it.name).filter(|it| map.entry(it).is_none()).collect();
        names.dedup();
        if names.is_empty() || names.len() > MAX_NAMED {
            return finding;
        }
        let names: Vec<_> = names.into_iter().map(|it| format!("`{}`", brief(it))).collect();
        finding.note(format!("valid fields: {}", names.join(", ")))
    }
}

/// The first field of a path: `spec` of `spec.template.spec`.
pub(super) fn top(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

pub(super) const fn meant(what: Meant) -> About {
    About::UnknownField(Some(what))
}

/// "did you mean", and the change to the source, unless the near field is there already.
pub(super) fn instead(finding: Diagnostic, entry: &Entry, map: &Map, near: &str) -> Diagnostic {
    let text = format!("did you mean `{near}`?");
    let finding = finding.about(meant(Meant::Field(near.into())));
    match map.entry(near) {
        None if fold(near) == fold(&entry.key) => finding.fix(entry.key_origin.span(), near, text),
        None => finding.suggest(entry.key_origin.span(), near, text),
        Some(other) => finding
            .help(text)
            .label(other.key_origin.span(), format!("`{near}` is already set here")),
    }
}

/// `PodSpec` for `io.k8s.api.core.v1.PodSpec`.
fn short_name<'o>(object: &Object<'o>) -> &'o str {
    object.name.rsplit('.').next().unwrap_or(object.name)
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The absent field that accepts any keys, if the author probably omitted its level: it is the only
/// field, or the values of an environment, of which no field is known.
fn open_field<'o>(map: &Map, object: &Object<'o>) -> Option<&'o str> {
    let open = match object.properties {
        [only] => matches!(only.value.base(), Type::Any | Type::Map(_)).then_some(only),
        _ if map.entries.iter().any(|it| object.property(&it.key).is_some()) => None,
        all => all.iter().find(|it| it.name == "values" && matches!(it.value.base(), Type::Any)),
    };
    open.map(|it| it.name).filter(|it| map.entry(it).is_none())
}
