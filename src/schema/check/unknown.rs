//! Keys that an object does not have: misspelt, of another version, or at the wrong level.

use super::rules::{FIELD_NOT_IN_VERSION, UNKNOWN_FIELD};
use super::{Place, Scope, Walk};
use crate::diag::{Diagnostic, nearest};
use crate::schema::{KubernetesVersion, Object, Type, Versions};
use crate::tree::{Entry, Map};

/// The longest key that is compared with the known ones; no field of Kubernetes is as long.
pub(super) const LONGEST_COMPARED: usize = 64;

/// How many fields are named when none is near.
const MOST_NAMED: usize = 12;

/// How many levels down a key is searched for.
const LEVELS_DOWN: usize = 3;

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
        let finding = if let Some(property) = object.property(key) {
            self.in_other_version(key, property.versions, object, place)
        } else {
            let owner = place.scope.map_or(self.cx.what.to_owned(), |scope| self.name_of(scope));
            let finding =
                Diagnostic::new(&UNKNOWN_FIELD, at, format!("unknown field `{key}` in `{owner}`"))
                    .at("no such field");
            if key.len() <= LONGEST_COMPARED && self.may_hint() {
                self.hint(finding, entry, map, object, place)
            } else {
                finding
            }
        };
        self.report(entry.key_origin, place, finding);
    }

    /// The path of an object, and at the root the kind.
    fn name_of(&self, scope: &Scope<'_>) -> String {
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
                format!("field `{key}` of {name} exists only since Kubernetes {first}")
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
        let known = object.properties.iter().filter(|it| it.versions.contains(target));
        let near = nearest(key, known.map(|property| property.name));
        let is_slip = |near: &str| fold(near) == fold(key);
        if let Some(near) = near.filter(|near| is_slip(near)) {
            return instead(finding, entry, map, near);
        }
        if let Some((levels, outer)) = outer(key, place.scope, target) {
            let owner = self.name_of(outer);
            let out = if levels == 1 { "one level".to_owned() } else { format!("{levels} levels") };
            return finding.help(format!("`{key}` is a field of `{owner}`: move it {out} out"));
        }
        if let Some(inner) = inner(key, object, map, target) {
            // `spec:` with nothing below it: its fields are not indented.
            let is_empty = map.entry(&inner).is_some_and(|it| it.value.is_null());
            return finding.help(if is_empty {
                format!("indent it by two spaces: `{key}` belongs in `{inner}`")
            } else {
                format!("`{key}` belongs in `{inner}`: move it there")
            });
        }
        if let Some(near) = near {
            return instead(finding, entry, map, near);
        }
        let mut names: Vec<_> = object
            .properties
            .iter()
            .filter(|it| it.versions.contains(target) && map.entry(it.name).is_none())
            .map(|it| format!("`{}`", it.name))
            .collect();
        names.dedup();
        if names.is_empty() || names.len() > MOST_NAMED {
            return finding;
        }
        finding.note(format!("fields that it could have: {}", names.join(", ")))
    }
}

/// "did you mean", and the change to the source, unless the near field is there already.
fn instead(finding: Diagnostic, entry: &Entry, map: &Map, near: &str) -> Diagnostic {
    let text = format!("did you mean `{near}`?");
    match map.entry(near) {
        None => finding.suggest(entry.key_origin.span(), near, text),
        Some(other) => {
            finding.help(text).label(other.key_origin.span(), format!("`{near}` is here already"))
        }
    }
}

/// The nearest object around that has the key, and how many levels of objects lie between.
fn outer<'p>(
    key: &str,
    scope: Option<&'p Scope<'p>>,
    target: KubernetesVersion,
) -> Option<(usize, &'p Scope<'p>)> {
    let mut levels = 1;
    let mut scope = scope?.parent;
    while let Some(it) = scope {
        if it.object.property_in(key, target).is_some() {
            return Some((levels, it));
        }
        levels += 1;
        scope = it.parent;
    }
    None
}

/// The path to a field below that has the key: what is written already goes first, then what must
/// be there, then what is nearest in the alphabet; fewer levels before more.
fn inner(key: &str, object: &Object<'_>, map: &Map, target: KubernetesVersion) -> Option<String> {
    let mut level: Vec<(String, &Object<'_>, Option<&Map>)> =
        vec![(String::new(), object, Some(map))];
    for _ in 0..LEVELS_DOWN {
        let mut next = Vec::new();
        for (path, object, map) in level {
            let mut inside: Vec<_> = object
                .properties
                .iter()
                .filter(|it| it.versions.contains(target) && it.name != "status")
                .filter_map(|property| {
                    let (inner, suffix) = objects_of(property.value)?;
                    let written = map.and_then(|map| map.entry(property.name));
                    let rank = (written.is_none(), !property.is_required);
                    let map = written.and_then(|entry| entry.value.as_map());
                    Some((rank, format!("{path}{}{suffix}", property.name), inner, map))
                })
                .collect();
            inside.sort_by_key(|it| it.0);
            if let Some(found) = inside.iter().find(|it| it.2.property_in(key, target).is_some()) {
                return Some(found.1.clone());
            }
            next.extend(inside.into_iter().map(|(_, path, inner, map)| (path + ".", inner, map)));
        }
        level = next;
    }
    None
}

/// The object that a field is or lists.
fn objects_of(ty: Type<'_>) -> Option<(&Object<'_>, &'static str)> {
    match ty.resolve() {
        Type::Object(object) => Some((object, "")),
        Type::List(list) => objects_of(list.items).map(|(object, _)| (object, "[]")),
        Type::Constrained(constrained) => objects_of(constrained.base),
        _ => None,
    }
}

/// `PodSpec` for `io.k8s.api.core.v1.PodSpec`.
fn short_name<'o>(object: &Object<'o>) -> &'o str {
    object.name.rsplit('.').next().unwrap_or(object.name)
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}
