//! The comparison of two sequences.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::pairs::greedy;
use crate::merge::fingerprint;
use crate::sorted::SortedSet;
use crate::source::{Slice as _, content_hash};
use crate::tree::Node;

/// The number of items above which a changed part is one step: the time of a minimal difference grows
/// with the square of the number of changes.
const LARGE: usize = 2_000;

/// A part that differs: items of the old sequence, and those in their place.
pub(super) struct Step {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Hashes of the items of a list, by their values.
pub(super) fn hashes(items: &[Node]) -> Vec<u64> {
    items.iter().map(|it| content_hash(&fingerprint(it))).collect()
}

/// Whether the sequences have the same items, in any order.
pub(super) fn are_same_items(old: &[u64], new: &[u64]) -> bool {
    let sorted = |items: &[u64]| {
        let mut items = items.to_vec();
        items.sort_unstable();
        items
    };
    sorted(old) == sorted(new)
}

/// The parts that differ, in order.
pub(super) fn steps(old: &[u64], new: &[u64]) -> Vec<Step> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.slice(start..), new.slice(start..));
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = pairs.take_while(|(a, b)| a == b).count();
    let old_part = start..old.len() - end;
    let new_part = start..new.len() - end;
    if old_part.len().max(new_part.len()) > LARGE {
        return vec![Step { old: old_part, new: new_part }];
    }
    let slices = (old.slice(old_part), new.slice(new_part));
    let moved = |range: Range<usize>| range.start + start..range.end + start;
    capture_diff_slices(Algorithm::Myers, slices.0, slices.1)
        .into_iter()
        .filter(|it| it.tag() != DiffTag::Equal)
        .map(|it| Step { old: moved(it.old_range()), new: moved(it.new_range()) })
        .collect()
}

/// The items that are not in a longest common order of two sequences of the same items.
pub(super) fn moved(old: &[u64], new: &[u64]) -> SortedSet<u64> {
    let mut moved = SortedSet::new();
    for Step { old: gone, new: come } in steps(old, new) {
        moved.extend(old.slice(gone).iter().copied());
        moved.extend(new.slice(come).iter().copied());
    }
    moved
}

/// The maximum number of pairs of items that are compared with each other.
const MOST_COMPARED: usize = 400;

/// Items of both sequences that are forms of one item: they share half of their fields.
pub(super) fn similar(
    old: &[Node],
    new: &[Node],
    gone: &Range<usize>,
    come: &Range<usize>,
) -> Vec<(usize, usize)> {
    if gone.len() * come.len() > MOST_COMPARED {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    let mut next = come.start;
    for before in gone.clone() {
        let found = (next..come.end).find(|after| {
            let (before, after) = (old.get(before), new.get(*after));
            let is_only = gone.len() == 1 && come.len() == 1;
            before.zip(after).is_some_and(|(a, b)| are_similar(a, b, is_only))
        });
        if let Some(after) = found {
            pairs.push((before, after));
            next = after + 1;
        }
    }
    pairs
}

/// Items of two sets that are forms of one item.
pub(super) fn alike(
    (old, gone): (&[Node], &[usize]),
    (new, come): (&[Node], &[usize]),
) -> Vec<(usize, usize)> {
    if gone.len() * come.len() > MOST_COMPARED {
        return Vec::new();
    }
    let is_only = gone.len() == 1 && come.len() == 1;
    let candidates = gone.iter().flat_map(|before| come.iter().map(move |after| (*before, *after)));
    let are_alike = |(before, after): &(usize, usize)| {
        let pair = old.get(*before).zip(new.get(*after));
        pair.is_some_and(|(a, b)| are_similar(a, b, is_only))
    };
    greedy(candidates.filter(are_alike))
}

fn are_similar(old: &Node, new: &Node, is_only_pair: bool) -> bool {
    let (Some(old), Some(new)) = (old.as_map(), new.as_map()) else { return false };
    let entries = old.entries();
    let same_keys = entries.iter().filter(|it| new.get(&it.key).is_some()).count();
    let is_same = |key: &str, value: &Node| new.get(key).is_some_and(|it| it.same_value(value));
    let same = entries.iter().filter(|it| is_same(&it.key, &it.value)).count();
    let total = entries.len() + new.entries().len();
    2 * same * 2 >= total || is_only_pair && same_keys > 0
}
