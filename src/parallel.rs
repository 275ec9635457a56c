//! Work spread over all cores, with the results in the order of the input.

use rayon::prelude::*;

/// Below this many items the threads cost more than they save. A small input starts none.
const WORTH_IT: usize = 64;

/// `work` done on every item; the results are in the order of the items, on any number of threads.
pub(crate) fn ordered_map<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    ordered_map_over(items.len(), items, work)
}

/// How many results wait at most until they are taken.
const BLOCK: usize = 1024;

/// `work` done on every item; `take` gets the results in the order of the items, on any number of
/// threads. The items are done in blocks, so that neither they nor what `work` needed are all there at
/// once.
pub(crate) fn ordered_each<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
    mut take: impl FnMut(R),
) {
    let mut items = items.into_iter();
    loop {
        let block: Vec<T> = items.by_ref().take(BLOCK).collect();
        let is_last = block.len() < BLOCK;
        ordered_map(block, &work).into_iter().for_each(&mut take);
        if is_last {
            break;
        }
    }
}

/// As [`ordered_map`], for few items each of which looks at `size` others.
pub(crate) fn ordered_map_over<T: Send, R: Send>(
    size: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if size < WORTH_IT {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}
