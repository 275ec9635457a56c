//! Keys that are written slightly wrong: without a space, a colon or their indentation.

use super::unknown::MAX_LINES;
use crate::schema::{Object, Type};
use crate::tree::{Entry, Map, Value};

pub(super) fn entries_behind<'m>(entry: &Entry, map: &'m Map) -> impl Iterator<Item = &'m Entry> {
    let place = entry.key_origin().span();
    map.entries().iter().filter(move |other| other.key_origin().span() > place)
}

fn entries_above<'m>(entry: &Entry, map: &'m Map) -> impl Iterator<Item = &'m Entry> {
    let place = entry.key_origin().span();
    map.entries().iter().take_while(move |other| other.key_origin().span() < place)
}

/// The preceding key without a value that the entry belongs below: `spec:` whose fields are not
/// indented.
pub(super) fn empty_key_above<'m>(
    inner: Option<&str>,
    entry: &Entry,
    map: &'m Map,
    object: &Object<'_>,
) -> Option<&'m str> {
    match inner {
        Some(inner) => {
            map.entry(inner).filter(|found| found.value.is_null()).map(|found| found.key.as_str())
        }
        None => empty_map_above(entry, map, object),
    }
}

/// The preceding key that has no value and accepts any keys: the lines after it are not indented.
fn empty_map_above<'m>(entry: &Entry, map: &'m Map, object: &Object<'_>) -> Option<&'m str> {
    let is_known = |other: &&Entry| object.property(&other.key).is_some();
    let known = entries_above(entry, map).filter(is_known).last()?;
    let is_map = |name: &str| {
        object.property(name).is_some_and(|field| matches!(field.value.base(), Type::Map(_)))
    };
    (known.value.is_null() && is_map(&known.key)).then_some(known.key.as_str())
}

/// The key right before the entry, if its value is a map of strings or quantities like the entry.
pub(super) fn map_before<'m>(
    entry: &Entry,
    map: &'m Map,
    object: &Object<'_>,
    is_own: bool,
) -> Option<&'m str> {
    let above = entries_above(entry, map).last()?;
    let of_map = |name: &str| match object.property(name)?.value.base() {
        Type::Map(value) => Some(*value),
        // `values` of a Project.
        any @ Type::Any if is_own => Some(any),
        _ => None,
    };
    let is_map = of_map(&above.key).is_some() && !above.value.entries().is_empty();
    let is_scalar = !matches!(entry.value.value, Value::Map(_) | Value::List(_) | Value::Null);
    (is_map && is_scalar).then_some(above.key.as_str())
}

/// Whether a key is the first word of a field: `min` of `minReplicas`.
pub(super) fn is_prefix(key: &str, name: &str) -> bool {
    let rest = name.strip_prefix(key).filter(|_| key.len() >= 3);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether the value of an unknown field is a map of fields of the object itself: `spec` in
/// `podOverrides`.
pub(super) fn is_wrapper(entry: &Entry, object: &Object<'_>) -> bool {
    let entries = entry.value.entries();
    let is_field = |field: &Entry| object.property(&field.key).is_some();
    !entries.is_empty() && entries.len() <= MAX_LINES && entries.iter().all(is_field)
}

/// `mountPath:/data` in brackets: the field with a colon and no space after it.
pub(super) fn field_without_space<'k>(key: &'k str, object: &Object<'_>) -> Option<&'k str> {
    let (name, rest) = key.split_once(':')?;
    (!rest.is_empty() && object.property(name).is_some()).then_some(name)
}

/// `matchLabels {a: b}`: the field whose colon is missing.
pub(super) fn field_without_colon<'k>(key: &'k str, object: &Object<'_>) -> Option<&'k str> {
    let (name, rest) = key.split_once(' ')?;
    (rest.starts_with(['{', '[']) && object.property(name).is_some()).then_some(name)
}

/// `-containerPort`: the key of a list item without a space after its dash.
pub(super) fn key_without_dash(key: &str) -> Option<&str> {
    key.strip_prefix('-')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '{'))
}
