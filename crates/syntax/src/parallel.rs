//! Parallel maps whose results are in input order.

use std::iter::Flatten;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::vec;

/// The number of items below which threads cost more than they save, so that a small input starts
/// none.
const WORTH_IT: usize = 64;

/// The number of bytes of an input that is worth threads even with fewer items.
const LARGE: usize = 1 << 18;

/// Applies `work` to every item; the results are in the order of the items, with any number of
/// threads.
pub fn ordered_map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    ordered_map_over(items.len(), items, work)
}

/// The maximum number of results that are buffered.
const BLOCK: usize = 256;

/// The size of the first block of [`ordered_each_after`], which is worth threads. Later ones are twice
/// as large as the one before, so that a state that ends the work takes effect early.
const FIRST_BLOCK: usize = 64;

/// Applies `work` to every item, and passes the results to `take` in the order of the items, with
/// any number of threads. Items are processed in blocks, so that not all of them and their
/// intermediate data are in memory at once.
pub fn ordered_each<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
    take: impl FnMut(R),
) {
    ordered_each_of(0, items, work, take);
}

/// Like [`ordered_each`], for few items that can be large: `bytes` is the size of the input that they
/// are made of.
pub fn ordered_each_of<T: Send, R: Send>(
    bytes: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
    take: impl FnMut(R),
) {
    ordered_each_after((), bytes, items, |(), item| work(item), take);
}

/// Like [`ordered_each`], but `take` also returns a state. The work on each block gets the state
/// after the previous blocks. `bytes` is the size of the input that the items are made of: a few
/// of them can be large.
pub fn ordered_each_after<T: Send, R: Send, S: Copy + Send + Sync>(
    mut state: S,
    bytes: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(S, T) -> R + Send + Sync,
    mut take: impl FnMut(R) -> S,
) {
    let mut items = items.into_iter();
    let mut size = FIRST_BLOCK;
    let mut is_worth_it = bytes >= LARGE;
    loop {
        let block: Vec<T> = items.by_ref().take(size).collect();
        let is_last = block.len() < size;
        size = (2 * size).min(BLOCK);
        // Later blocks use the threads of the first one.
        is_worth_it |= block.len() >= WORTH_IT;
        for result in map_items(is_worth_it, block, |item| work(state, item)) {
            state = take(result);
        }
        if is_last {
            break;
        }
    }
}

/// A list for [`ordered_each`]: it grows without moving its items, and releases the memory of
/// consumed ones at once.
#[derive(Debug)]
pub struct Blocks<T>(Vec<Vec<T>>);

impl<T> Blocks<T> {
    /// Adds an item.
    pub fn push(&mut self, item: T) {
        match self.0.last_mut().filter(|block| block.len() < BLOCK) {
            Some(block) => block.push(item),
            None => self.0.push(vec![item]),
        }
    }

    /// All items, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// All items, in order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().flatten()
    }

    /// The number of items.
    #[expect(clippy::len_without_is_empty, reason = "no caller needs it")]
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> IntoIterator for Blocks<T> {
    type Item = T;
    type IntoIter = Flatten<vec::IntoIter<Vec<T>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

/// Like [`ordered_map`], for few items, each of which is compared with `size` others.
pub fn ordered_map_over<T: Send, R: Send>(
    size: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    map_items(size >= WORTH_IT, items, work)
}

/// Like [`ordered_map`], for few items that can be large: `bytes` is the size of the input that they
/// are made of.
pub fn ordered_map_of<T: Send, R: Send>(
    bytes: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    map_items(bytes >= LARGE || items.len() >= WORTH_IT, items, work)
}

/// Does two things at once, if the number of items that they are about is worth threads.
pub fn both(size: usize, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    if size >= WORTH_IT {
        join_work(Box::new(first), Box::new(second));
    } else {
        first();
        second();
    }
}

/// The results in the order of the items, of several threads or of one.
fn map_items<T: Send, R: Send>(
    is_parallel: bool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if !is_parallel {
        return items.into_iter().map(work).collect();
    }
    let slots: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    for_each_index(slots.len(), &|at| {
        if let Some(Ok(mut slot)) = slots.get(at).map(Mutex::lock)
            && let Some(item) = slot.0.take()
        {
            slot.1 = Some(work(item));
        }
    });
    slots.into_iter().filter_map(|slot| slot.into_inner().ok()?.1).collect()
}

/// The number of parts for each thread.
const PARTS: usize = 8;

/// Calls a function with each index, in several threads: each takes the next part when it has done one, as some
/// items take much longer than others. Neighbors are mostly of one thread, because they share lines of its cache.
///
/// rayon is only called here and in `join_work`: its code is compiled again for each type that it gets.
fn for_each_index(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let threads = rayon_core::current_num_threads();
    let size = (count / (threads * PARTS)).max(1);
    let next = AtomicUsize::new(0);
    let work_off = || {
        loop {
            let start = next.fetch_add(size, Relaxed);
            if start >= count {
                break;
            }
            (start..count.min(start + size)).for_each(work);
        }
    };
    rayon_core::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(|_| work_off());
        }
        work_off();
    });
}

fn join_work(first: Box<dyn FnOnce() + Send + '_>, second: Box<dyn FnOnce() + Send + '_>) {
    rayon_core::join(first, second);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_input_starts_no_threads() {
        let inputs = [
            (0, WORTH_IT - 1, false),
            (0, WORTH_IT, true),
            (0, WORTH_IT + 1, true),
            (LARGE - 1, 2, false),
            (LARGE, 2, true),
        ];
        for (bytes, count, expected) in inputs {
            let is_in_thread = |(), _| rayon_core::current_thread_index().is_some();
            let mut has_threads = false;
            ordered_each_after((), bytes, 0..count, is_in_thread, |is_thread| {
                has_threads |= is_thread;
            });
            assert_eq!(has_threads, expected, "{bytes} bytes, {count} items");
        }
    }

    #[test]
    fn both_are_done() {
        for (size, expected) in [(WORTH_IT - 1, false), (WORTH_IT, true)] {
            let is_in_thread = || rayon_core::current_thread_index().is_some();
            let (mut first, mut second) = (None, None);
            both(size, || first = Some(is_in_thread()), || second = Some(is_in_thread()));
            assert_eq!((first, second), (Some(expected), Some(expected)), "{size} items");
        }
    }

    #[test]
    fn work_gets_the_state_after_the_blocks_before_it() {
        let mut sum = 0;
        let mut states = Vec::new();
        let count = 2 * BLOCK + 1;
        ordered_each_after(
            0,
            0,
            0..count,
            |state, _| state,
            |state| {
                states.push(state);
                sum += 1;
                sum
            },
        );
        let before = [(0, 64), (64, 128), (192, 256), (448, count - 448)];
        let expected: Vec<_> = before.into_iter().flat_map(|(at, size)| vec![at; size]).collect();
        assert_eq!(states, expected);
    }

    #[test]
    fn blocks_are_one_list() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut blocks = Blocks::default();
            (0..count).for_each(|item| blocks.push(item));
            assert_eq!(blocks.len(), count);
            assert!(blocks.0.iter().flatten().copied().eq(0..count));
            let mut taken = Vec::new();
            ordered_each(blocks, |item| item, |item| taken.push(item));
            assert!(taken.into_iter().eq(0..count));
        }
    }
}
