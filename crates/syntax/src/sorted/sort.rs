//! Stable sorting with little code for each type of items.

use std::cmp::Ordering;

/// Sorts lists as `sort_by` does, with a twentieth of the code for each type and key.
///
/// For lists that are short, or sorted once: it compares through a pointer, and moves each item on its own.
pub trait CompactSort<T> {
    /// Sorts the items by a comparison; equal ones keep their order.
    fn compact_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Moves the items: the first one becomes the one whose index is first in `order`. It has each index once.
    fn arrange(&mut self, order: Vec<usize>);

    /// Sorts the items by a key; those with equal keys keep their order.
    fn compact_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.compact_sort_by(|left, right| key(left).cmp(&key(right)));
    }
}

impl<T> CompactSort<T> for [T] {
    #[expect(clippy::indexing_slicing, reason = "both are indexes of items")]
    fn compact_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order =
            sorted_indexes(self.len(), &mut |left, right| compare(&self[left], &self[right]));
        self.arrange(order);
    }

    fn arrange(&mut self, order: Vec<usize>) {
        arrange(order, &mut |left, right| self.swap(left, right));
    }
}

/// The indexes of the items in their new order.
fn sorted_indexes(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    if len < 2 {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|left, right| compare(*left, *right));
    order
}

/// Moves each item to its new index, with one exchange each.
#[expect(clippy::indexing_slicing, reason = "all are indexes of items")]
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}
