//! Duplicate items of a list.

use crate::sorted::SortedMap;

/// The number of items up to which all pairs are compared, which needs no memory.
const FEW: usize = 16;

/// Calls `found` with each item whose key occurs earlier, and with that earlier item.
pub(super) fn repeated<K: Ord, T: Copy>(
    items: impl Iterator<Item = (K, T)> + Clone,
    mut found: impl FnMut(K, T, T),
) {
    if items.clone().nth(FEW).is_none() {
        for (at, (key, item)) in items.clone().enumerate() {
            let mut earlier = items.clone().take(at);
            if let Some((_, first)) = earlier.find(|(other, _)| *other == key) {
                found(key, item, first);
            }
        }
        return;
    }
    let mut seen = SortedMap::new();
    for (key, item) in items {
        match seen.get(&key) {
            Some(first) => found(key, item, *first),
            None => {
                seen.insert(key, item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repetitions(keys: &[u32]) -> Vec<(u32, usize, usize)> {
        let mut all = Vec::new();
        let items = keys.iter().enumerate().map(|(at, key)| (*key, at));
        repeated(items, |key, at, first| all.push((key, at, first)));
        all
    }

    #[test]
    fn short_and_long_lists_have_the_same_results() {
        assert_eq!(repetitions(&[1, 2, 1, 3, 1]), [(1, 2, 0), (1, 4, 0)]);
        let long: Vec<u32> = (0..40).chain([7, 8]).collect();
        assert_eq!(repetitions(&long), [(7, 40, 7), (8, 41, 8)]);
        assert_eq!(repetitions(&[]), []);
    }
}
