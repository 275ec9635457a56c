//! Limits the work of validation against the schemas of CustomResourceDefinitions: a schema of a
//! few kilobytes can have a thousand alternatives, and an object a thousand items, each of which is
//! compared with all alternatives.
//!
//! A step is the comparison of a value with one keyword, property or listed value.

use std::cell::Cell;

thread_local! {
    /// The steps of the current check so far, and their limit.
    static SPENT: Cell<u64> = const { Cell::new(0) };
    static ALLOWED: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Runs a check with a limit of steps, and returns the result and the steps. Above the limit, the
/// rest is accepted.
pub fn metered<T>(allowed: u64, check: impl FnOnce() -> T) -> (T, u64) {
    SPENT.set(0);
    ALLOWED.set(allowed);
    let result = check();
    ALLOWED.set(u64::MAX);
    (result, SPENT.get())
}

/// Counts steps, and returns whether the check may continue.
pub(super) fn spend(steps: usize) -> bool {
    let spent = SPENT.get().saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
    SPENT.set(spent);
    spent <= ALLOWED.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_takes_as_many_steps_as_its_limit() {
        for (steps, goes_on) in [(9, true), (10, true), (11, false)] {
            assert_eq!(metered(10, || spend(steps)), (goes_on, steps as u64));
            assert_eq!(metered(10, || (1..=steps).all(|_| spend(1))), (goes_on, steps as u64));
        }
        assert!(spend(usize::MAX), "without a limit");
    }
}
