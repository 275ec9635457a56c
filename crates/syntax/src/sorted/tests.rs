//! The collections compared with those of the standard library.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{CompactSort as _, SortedMap, SortedSet};

#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(u16),
    Count(u16),
    Remove(u16),
    PopFirst,
    Retain(u16),
}

fn step() -> impl Strategy<Value = Step> {
    // Some chunks are split, and others lose all entries.
    let key = 0_u16..600;
    prop_oneof![
        12 => key.clone().prop_map(Step::Insert),
        6 => key.clone().prop_map(Step::Count),
        8 => key.clone().prop_map(Step::Remove),
        1 => Just(Step::PopFirst),
        1 => (2_u16..9).prop_map(Step::Retain),
    ]
}

fn run(steps: &[Step], map: &mut SortedMap<u16, usize>, model: &mut BTreeMap<u16, usize>) {
    for (at, step) in steps.iter().enumerate() {
        match *step {
            Step::Insert(key) => assert_eq!(map.insert(key, at), model.insert(key, at)),
            Step::Count(key) => {
                *map.entry(key).and_modify(|count| *count += 1).or_default() += 1;
                *model.entry(key).and_modify(|count| *count += 1).or_default() += 1;
            }
            Step::Remove(key) => assert_eq!(map.remove(&key), model.remove(&key)),
            Step::PopFirst => assert_eq!(map.pop_first(), model.pop_first()),
            Step::Retain(divisor) => {
                map.retain(|key, _| key % divisor != 0);
                model.retain(|key, _| key % divisor != 0);
            }
        }
        assert_eq!(map.len(), model.len());
    }
}

proptest! {
    #[test]
    fn a_map_is_as_the_standard_one(
        first in prop::collection::vec(0_u16..600, 0..900),
        steps in prop::collection::vec(step(), 0..200),
        keys in prop::collection::vec(0_u16..700, 0..20),
    ) {
        let (mut map, mut model) = (SortedMap::new(), BTreeMap::new());
        let first: Vec<_> = first.into_iter().map(Step::Insert).collect();
        run(&first, &mut map, &mut model);
        run(&steps, &mut map, &mut model);
        prop_assert!(map.iter().eq(&model));
        prop_assert!(map.iter().rev().eq(model.iter().rev()));
        prop_assert!(map.values_mut().map(|value| *value).eq(model.values().copied()));
        prop_assert_eq!(map.last_key_value(), model.last_key_value());
        prop_assert_eq!(format!("{map:?}"), format!("{model:?}"));
        for key in keys {
            prop_assert_eq!(map.get(&key), model.get(&key));
            prop_assert!(map.starting_at(&key).eq(model.range(key..)));
        }
        prop_assert!(map.clone().into_iter().eq(model.clone()));
        prop_assert!(map.into_iter().rev().eq(model.into_iter().rev()));
    }

    #[test]
    fn a_map_is_read_from_both_ends(count in 0_usize..600, ends in prop::collection::vec(any::<bool>(), 0..700)) {
        let (map, model) = (numbers(count), (0..count).map(|number| (number, number)).collect::<BTreeMap<_, _>>());
        let (mut entries, mut expected) = (map.iter(), model.iter());
        for is_front in ends {
            prop_assert_eq!(entries.len(), expected.len());
            if is_front {
                prop_assert_eq!(entries.next(), expected.next());
            } else {
                prop_assert_eq!(entries.next_back(), expected.next_back());
            }
        }
    }

    #[test]
    fn lists_are_sorted_as_by_the_standard_sort(keys in prop::collection::vec(0_u8..40, 0..200)) {
        let mut items: Vec<_> = keys.into_iter().enumerate().collect();
        let mut expected = items.clone();
        items.compact_sort_by_key(|it| it.1);
        expected.sort_by_key(|it| it.1);
        prop_assert_eq!(&items, &expected);
        items.compact_sort_by(|left, right| right.cmp(left));
        expected.sort_by(|left, right| right.cmp(left));
        prop_assert_eq!(items, expected);
    }

    #[test]
    fn sets_are_as_the_standard_ones(
        left in prop::collection::vec(0_u16..300, 0..400),
        right in prop::collection::vec(0_u16..300, 0..400),
    ) {
        let (one, other): (SortedSet<_>, SortedSet<_>) = (left.iter().copied().collect(), right.iter().copied().collect());
        let (left, right): (BTreeSet<_>, BTreeSet<_>) = (left.into_iter().collect(), right.into_iter().collect());
        prop_assert!(one.iter().eq(&left));
        prop_assert!(one.difference(&other).eq(left.difference(&right)));
        prop_assert!(one.intersection(&other).eq(left.intersection(&right)));
        prop_assert_eq!(one.is_subset(&other), left.is_subset(&right));
        prop_assert_eq!(one.is_disjoint(&other), left.is_disjoint(&right));
        prop_assert_eq!(one.cmp(&other), left.cmp(&right));
        prop_assert_eq!(one == other, left == right);
    }
}

fn numbers(count: usize) -> SortedMap<usize, usize> {
    (0..count).map(|number| (number, number)).collect()
}

#[test]
fn equality_and_order_do_not_depend_on_the_chunks() {
    let ascending = numbers(500);
    let descending: SortedMap<_, _> = (0..500).rev().map(|number| (number, number)).collect();
    assert_ne!(ascending.chunks.len(), descending.chunks.len());
    assert_eq!(ascending, descending);
    assert_eq!(ascending.cmp(&descending), std::cmp::Ordering::Equal);
}

#[test]
fn no_chunk_is_empty_or_long() {
    let mut map = numbers(2_000);
    map.extend((0..2_000).rev().map(|number| (number * 7 % 5_000, number)));
    map.retain(|key, _| key % 500 > 400);
    map.extend((0..10_000).step_by(3).map(|number| (number, number)));
    assert!(map.chunks.iter().all(|chunk| (1..=128).contains(&chunk.len())));
}

#[test]
fn keys_in_order_fill_the_chunks() {
    let map = numbers(1_280);
    assert_eq!(map.chunks.iter().map(Vec::len).collect::<Vec<_>>(), [128; 10]);
}
