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
