//! Reads of many files by several threads, because the file system takes most of their time.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// The number of files from which threads save more than they cost.
const MANY: usize = 1_000;

/// Applies `work` to every item; the results are in the order of the items. Of several failures, the
/// one of the first item is returned.
pub(crate) fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    if items.len() < MANY {
        return items.iter().map(work).collect();
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let work = |share: &[T]| share.iter().map(&work).collect::<Result<Vec<R>, E>>();
    let work = &work;
    let shares = thread::scope(|scope| {
        let shares = items.chunks(items.len().div_ceil(threads));
        let threads: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
        let results = threads.into_iter().map(ScopedJoinHandle::join);
        let results = results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect::<Result<Vec<_>, E>>()
    })?;
    Ok(shares.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, MANY - 1, MANY, MANY + 1, 5 * MANY + 3] {
            let items: Vec<usize> = (0..count).collect();
            let results = try_map(&items, |item| Ok::<_, ()>(item + 1));
            assert_eq!(results, Ok((1..=count).collect()));
        }
    }

    #[test]
    fn the_first_failure_is_returned() {
        let items: Vec<usize> = (0..3 * MANY).collect();
        let results = try_map(&items, |&item| if item % MANY == 7 { Err(item) } else { Ok(()) });
        assert_eq!(results, Err(7));
    }
}
