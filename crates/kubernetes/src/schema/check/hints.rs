//! What an unknown key was meant as.
//!
//! Each hint knows one mistake; the first one that applies explains the key. A typo in the name is
//! surer than another level, and another level surer than a name that is only similar.

use std::cell::OnceCell;

use super::former::{self, Former};
use super::levels::Level;
use super::object::is_name_as_key;
use super::owners::{nested_path, objects_of};
use super::slips::{
    empty_key_above, entries_behind, field_without_colon, field_without_space, is_prefix,
    is_wrapper, key_without_dash, map_before,
};
use super::unknown::about_meant;
use super::{Mode, Position, Walk};
use crate::diag::{Diagnostic, FieldPath, Meant, Message, brief, message, nearest};
use crate::schema::{Object, Property, Type};
use crate::tree::{Entry, Map, Value};

/// The maximum number of valid fields that are listed if none has a similar name.
const MAX_NAMED: usize = 50;

/// An unknown key, and what is around it.
struct Unknown<'u, 'w> {
    walk: &'u Walk<'w>,
    entry: &'u Entry,
    map: &'u Map,
    object: &'u Object<'u>,
    place: &'u Position<'u>,
    /// The field with the nearest name.
    near: Option<&'u str>,
    /// The path to the nested field that has the key.
    inner: OnceCell<Option<String>>,
}

/// What to do about an unknown key.
enum Advice<'u> {
    /// Write it another way or elsewhere.
    Level(Level),
    /// Write the name of this field instead.
    Name(&'u str),
    /// Write the successor of a removed field.
    Former(Former),
    /// Unknown, and no other hint is better.
    Nothing,
}

type Hint = for<'u> fn(&Unknown<'u, '_>) -> Option<Advice<'u>>;

const HINTS: [Hint; 19] = [
    dash_without_space,
    slip,
    invisible_space,
    former_field,
    colon_without_space,
    dash_too_many,
    only_map,
    name_as_key,
    wrapper,
    further_out,
    one_letter,
    not_indented_below_key,
    further_in,
    space_without_colon,
    similar,
    next_to,
    not_indented_below_map,
    first_word,
    namesake,
];

/// Adds to the finding what the key was meant as, or else the fields that the map can have.
pub(super) fn explain(
    walk: &Walk<'_>,
    finding: Diagnostic,
    entry: &Entry,
    map: &Map,
    object: &Object<'_>,
    place: &Position<'_>,
) -> Diagnostic {
    let known =
        object.properties.iter().filter(|property| property.versions.contains(walk.cx.target));
    // Invisible spaces are part of a key.
    let near = nearest(entry.key.trim(), known.map(|property| property.name));
    let unknown = Unknown { walk, entry, map, object, place, near, inner: OnceCell::new() };
    match HINTS.iter().find_map(|hint| hint(&unknown)) {
        Some(Advice::Level(level)) => level.add_to(finding),
        Some(Advice::Name(name)) => suggest_name(finding, entry, map, object, name),
        Some(Advice::Former(former)) => former::explain(finding, former, entry, map, object),
        Some(Advice::Nothing) => finding.about(about_meant(Meant::Elsewhere)),
        None => with_valid_fields(finding, &unknown),
    }
}

impl<'u> Unknown<'u, '_> {
    fn key(&self) -> &'u str {
        &self.entry.key
    }

    fn inner(&self) -> Option<&str> {
        let find = || nested_path(self.key(), self.object, self.map, self.walk.cx.target);
        self.inner.get_or_init(find).as_deref()
    }
}

/// `-containerPort: 80`: add a space after the dash.
fn dash_without_space<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    key_without_dash(unknown.key())?;
    let after = unknown.entry.key_origin().span().part(1..1);
    let text = "add a space after the `-`";
    Some(Advice::Level(Level::edited(text, after, " ", Meant::Elsewhere)))
}

/// `restart_policy`: the name of a field in another notation.
fn slip<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let is_same_name = |near: &&str| fold_notation(near) == fold_notation(unknown.key().trim());
    unknown.near.filter(is_same_name).map(Advice::Name)
}

/// A key with an invisible space around it, whose level is unknown.
fn invisible_space<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    (unknown.key().trim() != unknown.key()).then_some(Advice::Nothing)
}

/// `backend` in an Ingress: a field of a removed version, or of another tool.
fn former_field<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    former::of(unknown.object, unknown.key()).map(Advice::Former)
}

/// `{mountPath:/data}`: add a space after the colon.
fn colon_without_space<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let name = field_without_space(unknown.key(), unknown.object)?;
    let colon = unknown.entry.key_origin().span().part(name.len()..name.len());
    let text = "add a space after the colon";
    Some(Advice::Level(Level::edited(text, colon.part(1..1), " ", Meant::Field(name.into()))))
}

/// `- image: nginx` in the list `ports` of a container: remove the dash.
fn dash_too_many<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    unknown.walk.behind_dash(unknown.entry, unknown.place).map(Advice::Level)
}

/// `memory` in `capacity` of a device request, whose only field, `requests`, has any keys; keys in an
/// environment of the Project, whose field `values` has any keys.
fn only_map<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let Unknown { map, object, near, .. } = unknown;
    let open = match object.properties {
        [only] => matches!(only.value.base(), Type::Any | Type::Map(_)).then_some(only),
        _ if map.entries().iter().any(|entry| object.property(&entry.key).is_some()) => None,
        all => all
            .iter()
            .find(|field| field.name == "values" && matches!(field.value.base(), Type::Any)),
    };
    let open = open.filter(|field| near.is_none() && map.entry(field.name).is_none())?;
    Some(moved_in(unknown, open.name))
}

/// `- LEVEL: info` in `env`: write `name: LEVEL`, and `value` below it.
fn name_as_key<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let Unknown { map, object, near, .. } = unknown;
    let has_name = object.property("name").is_some_and(|it| it.is_required);
    if !has_name || near.is_some() || !is_name_as_key("name", map, object) {
        return None;
    }
    let other = if object.property("value").is_some() { ", and `value` below it" } else { "" };
    let text = message!("write `name: {}`{other}", unknown.key());
    Some(Advice::Level(Level::described(text, Meant::Field("name".into()))))
}

/// `spec: {nodeName: a}` in `podOverrides`: the fields belong directly in the object.
fn wrapper<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    if !is_wrapper(unknown.entry, unknown.object) {
        return None;
    }
    unknown.walk.further_out(unknown.entry, unknown.place)?;
    let key = unknown.key();
    let text = message!("remove `{key}:`: its fields belong directly in the object around it");
    Some(Advice::Level(Level::described(text, Meant::Elsewhere)))
}

/// `replicas` in the `template` of a Deployment: move it out.
fn further_out<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    unknown.walk.further_out(unknown.entry, unknown.place).map(Advice::Level)
}

/// `imag`: one letter is nearer than a level further in.
fn one_letter<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let is_one_off = |near: &&str| strsim::levenshtein(near, unknown.key()) == 1;
    let is_free = |near: &&str| unknown.map.entry(near).is_none();
    unknown.near.filter(is_free).filter(is_one_off).map(Advice::Name)
}

/// `spec:` without a value, above a key that belongs in it: indent the key.
fn not_indented_below_key<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let Unknown { walk, entry, map, object, .. } = unknown;
    let above = empty_key_above(unknown.inner(), entry, map, object)?;
    let is_same = |next: &&Entry| walk.same_as_line_before(next, map, object).is_some();
    let following = entries_behind(entry, map).take_while(is_same).count();
    let what = if following == 0 { "it" } else { "it and the lines below" };
    Some(indented(unknown, what, above))
}

/// `containers` in a `template`, or a label next to `matchLabels`: move it further in.
fn further_in<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let is_label = unknown.near.is_none() && matches!(unknown.entry.value.value, Value::String(_));
    let labels = || {
        let labels = unknown.object.property("matchLabels").filter(|_| is_label)?;
        unknown.map.entry(labels.name).is_none().then_some(labels.name)
    };
    unknown.inner().or_else(labels).map(|inner| moved_in(unknown, inner))
}

/// `matchLabels {app: a}`: add a colon and a space.
fn space_without_colon<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let name = field_without_colon(unknown.key(), unknown.object)?;
    let text = message!("add a colon and a space: `{name}: ...`");
    Some(Advice::Level(Level::described(text, Meant::Field(name.into()))))
}

/// `imagePulPolcy`: the field with a similar name.
fn similar<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    unknown.near.map(Advice::Name)
}

/// `replicas` in `metadata`: it belongs in `spec` of the Deployment.
fn next_to<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let Unknown { walk, entry, map, object, place, .. } = unknown;
    walk.next_to(entry, map, object, place).map(Advice::Level)
}

/// `team: a` after the lines of `labels`: indent it like them.
fn not_indented_below_map<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let is_own = unknown.walk.cx.mode == Mode::BuiltIn;
    let above = map_before(unknown.entry, unknown.map, unknown.object, is_own)?;
    Some(indented(unknown, "it", above))
}

/// `min`: the first word of `minReplicas`, if no other field starts with it.
fn first_word<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    // A map does not become another field with a single value, nor the reverse.
    let is_map = unknown.entry.value.as_map().is_some();
    let has_fields = |field: &Property<'_>| {
        matches!(field.value.base(), Type::Object(_) | Type::Map(_) | Type::Any)
    };
    let fields = unknown.object.properties.iter().filter(|field| has_fields(field) == is_map);
    let mut names: Vec<_> =
        fields.map(|it| it.name).filter(|name| is_prefix(unknown.key(), name)).collect();
    names.dedup();
    let [only] = names.as_slice() else { return None };
    Some(Advice::Name(only))
}

/// `fsGroup` in `securityContext` of a container: it belongs in the one of the Pod.
fn namesake<'u>(unknown: &Unknown<'u, '_>) -> Option<Advice<'u>> {
    let key = unknown.key();
    let path = in_namesake(unknown)?;
    let text = message!("`{key}` belongs in `{path}`: move it there");
    Some(Advice::Level(Level::described(text, Meant::Elsewhere)))
}

fn moved_in<'u>(unknown: &Unknown<'u, '_>, inner: &str) -> Advice<'u> {
    let Unknown { walk, entry, map, object, place, .. } = unknown;
    Advice::Level(walk.further_in(inner, entry, map, object, place))
}

fn indented<'u>(unknown: &Unknown<'u, '_>, what: &str, above: &str) -> Advice<'u> {
    let key = unknown.key();
    let text = message!("indent {what} by two spaces: `{key}` belongs in `{above}`");
    Advice::Level(Level::described(text, Meant::Inside(above.into())))
}

/// The path of the field with the same name as the one around the key, in an object further out
/// or in the items of its lists, if the key belongs there: `fsGroup` is in `securityContext` of
/// the Pod.
fn in_namesake(unknown: &Unknown<'_, '_>) -> Option<String> {
    let (target, own) = (unknown.walk.cx.target, unknown.place.scope?);
    let path = FieldPath::from(own.path);
    let field = path.last_field().filter(|_| !own.is_item)?;
    let has_key = |object: &Object<'_>| {
        let field = object.property_in(field, target);
        let inner = field.and_then(|field| objects_of(field.value));
        inner.is_some_and(|(inner, _)| inner.property_in(unknown.key(), target).is_some())
    };
    let outer = std::iter::successors(own.parent, |it| it.parent);
    for scope in outer {
        let name = unknown.walk.name_of(scope);
        if has_key(scope.object) {
            return Some(format!("{name}.{field}"));
        }
        let mut fields = scope.object.properties.iter();
        let has_items_with_key = |list: &&Property<'_>| {
            objects_of(list.value).is_some_and(|(items, suffix)| suffix == "[]" && has_key(items))
        };
        if let Some(list) = fields.find(has_items_with_key) {
            return Some(format!("{name}.{}[].{field}", list.name));
        }
    }
    None
}

/// Lists the fields that the map can have, if there are not too many.
fn with_valid_fields(finding: Diagnostic, unknown: &Unknown<'_, '_>) -> Diagnostic {
    let Unknown { walk, map, object, .. } = unknown;
    let known = object.properties.iter().filter(|field| field.versions.contains(walk.cx.target));
    let mut names: Vec<_> =
        known.map(|it| it.name).filter(|name| map.entry(name).is_none()).collect();
    names.dedup();
    if names.is_empty() || names.len() > MAX_NAMED {
        return finding;
    }
    let quoted = names.into_iter().map(|name| message!("`{}`", brief(name)));
    finding.note(message!("valid fields: {}", Message::joined(quoted, ", ")))
}

/// "did you mean", and the change to the source, unless the near field is there already.
pub(super) fn suggest_name(
    finding: Diagnostic,
    entry: &Entry,
    map: &Map,
    object: &Object<'_>,
    near: &str,
) -> Diagnostic {
    let text = message!("did you mean `{near}`?");
    let finding = finding.about(about_meant(Meant::Field(near.into())));
    let field = object.property(near).map(|property| property.value.base());
    match map.entry(near) {
        // With another name, the value would still be wrong.
        None if field.is_some_and(|field| is_of_another_form(&entry.value.value, field)) => {
            finding.help(text)
        }
        None if fold_notation(near) == fold_notation(&entry.key) => {
            finding.fix(entry.key_origin().span(), near, text)
        }
        None => finding.suggest(entry.key_origin().span(), near, text),
        Some(other) => finding
            .help(text)
            .label(other.key_origin().span(), message!("`{near}` is already set here")),
    }
}

/// Whether a value is a list, a map or neither, and the type is another one of these. Text can be an expression.
fn is_of_another_form(value: &Value, field: Type<'_>) -> bool {
    let is_list = matches!(field, Type::List(_));
    let is_map = matches!(field, Type::Map(_) | Type::Object(_));
    match value {
        _ if matches!(field, Type::Any | Type::NameOr(_)) => false,
        Value::Null => false,
        Value::String(text) if text.contains("{{") => false,
        Value::List(_) => !is_list,
        Value::Map(_) => !is_map,
        _ => is_list || is_map,
    }
}

/// The letters of a name, which another notation (`restart_policy`) does not change.
fn fold_notation(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}
