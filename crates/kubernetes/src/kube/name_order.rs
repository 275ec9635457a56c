//! The order of objects by namespace and name.

use super::Object;
use crate::schema::prefix;

/// Sorts positions of objects by their namespaces and names; equal ones by position.
///
/// The names of many objects of a run start alike and differ in a few bytes: numbers with these bytes are compared in
/// place of the names.
pub fn sort_by_name<'o>(positions: &mut [u32], object: impl Fn(u32) -> Option<&'o Object>) {
    let compare = |one: u32, other: u32| {
        let names = object(one).zip(object(other)).map(|(one, other)| one.compare_names(other));
        names.map_or_else(|| one.cmp(&other), |order| order.then(one.cmp(&other)))
    };
    if positions.is_sorted_by(|one, other| compare(*one, *other).is_lt()) {
        return;
    }
    let Some(shared) = shared_start(positions.iter().filter_map(|position| object(*position)))
    else {
        positions.sort_unstable_by(|one, other| compare(*one, *other));
        return;
    };
    let number =
        |position| object(position).and_then(|named| named.name.get(shared..)).map_or(0, prefix);
    let mut numbered: Vec<_> =
        positions.iter().map(|position| (number(*position), *position)).collect();
    numbered
        .sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| compare(one.1, other.1)));
    for (position, (_, sorted)) in positions.iter_mut().zip(numbered) {
        *position = sorted;
    }
}

/// The length of the text that all names start with, if all objects are in one namespace.
fn shared_start<'o>(mut objects: impl Iterator<Item = &'o Object>) -> Option<usize> {
    let first = objects.next()?;
    let mut shared = first.name.len();
    for object in objects {
        if object.namespace != first.namespace {
            return None;
        }
        let bytes = first.name.bytes().zip(object.name.bytes()).take(shared);
        shared = bytes.take_while(|(one, other)| one == other).count();
    }
    while !first.name.is_char_boundary(shared) {
        shared -= 1;
    }
    Some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    fn sorted(names: &[(&str, &str)]) -> Vec<u32> {
        let span = Workspace::new().start();
        let object = |(namespace, name): &(&str, &str)| Object {
            gvk: GroupVersionKind::new("v1", "Any").into(),
            name: (*name).into(),
            namespace: (*namespace).into(),
            root: Node::map(Origin::source(span)),
            document: span,
        };
        let objects: Vec<_> = names.iter().map(object).collect();
        let mut positions: Vec<u32> = (0_u32..).zip(names).map(|it| it.0).collect();
        sort_by_name(&mut positions, |position| objects.get(position as usize));
        positions
    }

    /// The positions that a sort of the pairs gives.
    fn expected(names: &[(&str, &str)]) -> Vec<u32> {
        let mut pairs: Vec<_> = names.iter().zip(0_u32..).collect();
        pairs.sort();
        pairs.into_iter().map(|it| it.1).collect()
    }

    #[test]
    fn names_with_one_start_are_sorted_as_whole_names() {
        let lists: &[&[(&str, &str)]] = &[
            &[],
            &[("a", "x")],
            &[("a", "claim-10"), ("a", "claim-9"), ("a", "claim-1"), ("a", "claim-")],
            &[("a", "claim-123456789"), ("a", "claim-123456780"), ("a", "claim-12345678")],
            &[("a", "claim"), ("a", "claim\0"), ("a", "claim"), ("a", "clai")],
            // `é` and `è` differ in their second byte.
            &[("a", "caf\u{e9}"), ("a", "caf\u{e8}"), ("a", "caf"), ("a", "caf\u{e9}s")],
            &[("b", "claim-1"), ("a", "claim-3"), ("a", "claim-2"), ("", "claim-4")],
            &[("a", ""), ("a", "b"), ("a", "")],
        ];
        for names in lists {
            assert_eq!(sorted(names), expected(names), "{names:?}");
        }
    }
}
