//! The objects around and below a position that have a key.

use super::Scope;
use super::unknown::{LONGEST_COMPARED, MAX_ENTRIES};
use crate::schema::{KubernetesVersion, Object, Type};
use crate::sorted::CompactSort as _;
use crate::tree::Map;

/// The number of levels below that are searched for a key.
const LEVELS_DOWN: usize = 3;

/// The number of fields that are read in this search: most of them can be without fields of their own.
const MAX_READ: usize = 5_000;

/// The nearest enclosing object that has the key, the number of levels in between, and the object
/// inside it that contains the key now.
pub(super) fn enclosing_owner<'p>(
    key: &str,
    scope: Option<&'p Scope<'p>>,
    target: KubernetesVersion,
) -> Option<(usize, &'p Scope<'p>, &'p Scope<'p>)> {
    let mut levels = 1;
    let mut below = scope?;
    while let Some(around) = below.parent {
        if around.object.property_in(key, target).is_some() {
            return Some((levels, around, below));
        }
        levels += 1;
        below = around;
    }
    None
}

/// The path to a nested field that has the key: existing fields first, then required ones, then in
/// alphabetical order; fewer levels first.
pub(super) fn nested_path(
    key: &str,
    object: &Object<'_>,
    map: &Map,
    target: KubernetesVersion,
) -> Option<String> {
    let root = Below { parent: None, name: "", suffix: "", object, map: Some(map) };
    let mut visited = vec![root];
    // The objects of the last level are only counted.
    let mut count = visited.len();
    let mut read = 0;
    let mut level = 0..1;
    let mut inside = Vec::new();
    for depth in 1..=LEVELS_DOWN {
        let next = visited.len();
        for parent in level {
            let Some(Below { object, map, .. }) = visited.get(parent).copied() else { break };
            if object.properties.len() > MAX_ENTRIES || count > MAX_ENTRIES || read > MAX_READ {
                continue;
            }
            read += object.properties.len();
            let below = object
                .properties
                .iter()
                .filter(|property| property.versions.contains(target) && property.name != "status")
                .filter(|property| property.name.len() <= LONGEST_COMPARED)
                .filter_map(|property| {
                    let (inner, suffix) = objects_of(property.value)?;
                    let written = map.and_then(|map| map.entry(property.name));
                    // The rest after a key without a value was meant to be indented below it.
                    let is_empty = written.is_some_and(|entry| entry.value.is_null());
                    let rank = (!is_empty, written.is_none(), !property.is_required);
                    let map = written.and_then(|entry| entry.value.as_map());
                    let parent = Some(parent);
                    Some((rank, Below { parent, name: property.name, suffix, object: inner, map }))
                });
            inside.clear();
            inside.extend(below);
            let with_key =
                inside.iter().filter(|(_, field)| field.object.property_in(key, target).is_some());
            if let Some((_, found)) = with_key.min_by_key(|(rank, _)| rank) {
                return Some(found.path(&visited));
            }
            count += inside.len();
            if depth < LEVELS_DOWN {
                inside.compact_sort_by_key(|(rank, _)| *rank);
                visited.extend(inside.iter().map(|(_, field)| field));
            }
        }
        level = next..visited.len();
    }
    None
}

/// A nested field in the search.
#[derive(Clone, Copy)]
struct Below<'b> {
    /// The index of the field that contains it.
    parent: Option<usize>,
    name: &'b str,
    /// `[]` for the items of a list.
    suffix: &'static str,
    object: &'b Object<'b>,
    map: Option<&'b Map>,
}

impl Below<'_> {
    fn path(&self, visited: &[Self]) -> String {
        let own = format!("{}{}", self.name, self.suffix);
        match self
            .parent
            .and_then(|index| visited.get(index))
            .filter(|parent| parent.parent.is_some())
        {
            Some(parent) => format!("{}.{own}", parent.path(visited)),
            None => own,
        }
    }
}

/// The object type of a field, or of the items of a list field.
pub(super) fn objects_of(ty: Type<'_>) -> Option<(&Object<'_>, &'static str)> {
    match ty.resolve() {
        Type::Object(object) => Some((object, "")),
        Type::List(list) => objects_of(list.items).map(|(object, _)| (object, "[]")),
        Type::Constrained(constrained) => objects_of(constrained.base),
        _ => None,
    }
}
