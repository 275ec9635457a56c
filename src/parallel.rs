//! Work spread over all cores, with the results in the order of the input.

use rayon::prelude::*;

/// Below this many items the threads cost more than they save.
const WORTH_IT: usize = 64;

/// `work` done on every item; the results are in the order of the items, on any number of threads.
pub(crate) fn ordered_map<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if items.len() < WORTH_IT {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}
