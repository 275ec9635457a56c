//! `Fuel`: the work that a run may take, and each document of it.
//!
//! Doors bound what a run reads: bytes, levels, values, objects. Some work is the product of two such numbers,
//! such as the comparison of each object with each policy, and a few lines can describe more values than fit into
//! memory. Code that does such work spends fuel.
//!
//! A document spends its own fuel, on one thread, so that it runs out at the same step in each run. A run sums up
//! what its documents have spent. Whether the sum is too large does not depend on the order, but what was done
//! until then does: a stage in which the run is out of fuel drops its results.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The steps of a run, and the further ones for each byte that it reads. A step takes about as long as a visit of
/// one value, 10 ns.
const OF_RUN: u64 = 500_000_000;
const OF_BYTE: u64 = 20;
/// The further steps for each value of an object that was made instead of being read: those for its text.
const OF_MADE_VALUE: u64 = 20 * OF_BYTE;
/// The steps of a document at each stage.
const OF_DOCUMENT: u64 = 50_000_000;
/// The steps for advice of one kind, without which a finding is complete.
const OF_ADVICE: u64 = 20_000_000;
/// The steps of a value that is made: memory is allocated for it, and it is visited later.
const OF_VALUE: usize = 20;

/// The steps that remain for some work.
#[derive(Debug)]
pub struct Fuel<'r> {
    most: u64,
    spent: AtomicU64,
    run: Option<&'r Fuel<'r>>,
}

impl Fuel<'_> {
    /// The fuel of a run that reads this number of bytes.
    pub fn of_run(bytes: usize) -> Self {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        Self::of(OF_RUN.saturating_add(OF_BYTE.saturating_mul(bytes)))
    }

    /// The fuel for what is made from objects with this number of values, of which most can be made
    /// themselves: a short text that describes many objects has as much as the objects.
    #[must_use]
    pub fn for_objects(&self, values: usize) -> Self {
        let values = u64::try_from(values).unwrap_or(u64::MAX);
        Self::of(self.most.saturating_add(OF_MADE_VALUE.saturating_mul(values)))
    }

    /// Fuel for this number of steps.
    pub const fn of(most: u64) -> Self {
        Self { most, spent: AtomicU64::new(0), run: None }
    }

    /// The fuel for what makes findings better, such as the search for a similar name.
    pub const fn of_advice() -> Self {
        Self::of(OF_ADVICE)
    }

    /// Fuel to make this number of values.
    pub const fn for_values(count: usize) -> Self {
        Self::of((count * OF_VALUE) as u64)
    }

    /// The fuel of one document. What it spends is added to that of the run in the end.
    pub const fn document(&self) -> Fuel<'_> {
        Fuel { most: OF_DOCUMENT, spent: AtomicU64::new(0), run: Some(self) }
    }

    /// Spends a number of steps, and returns whether there were as many.
    pub fn spend(&self, steps: usize) -> bool {
        self.take(u64::try_from(steps).unwrap_or(u64::MAX))
    }

    /// Spends the steps of values that are made.
    pub fn make(&self, values: usize) -> bool {
        self.spend(values.saturating_mul(OF_VALUE))
    }

    /// The number of steps that are left.
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent())
    }

    /// Whether more was spent than there was.
    pub fn is_out(&self) -> bool {
        self.spent.load(Relaxed) > self.most
    }

    /// The number of steps.
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// The number of steps that were spent.
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    fn take(&self, steps: u64) -> bool {
        // The sum of many amounts must not overflow.
        let steps = steps.min(1 << 48);
        self.spent.fetch_add(steps, Relaxed).saturating_add(steps) <= self.most
    }
}

impl Drop for Fuel<'_> {
    fn drop(&mut self) {
        if let Some(run) = self.run {
            run.take(*self.spent.get_mut());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_spent_as_there_is() {
        for (steps, goes_on) in [(9, true), (10, true), (11, false), (usize::MAX, false)] {
            let fuel = Fuel::of(10);
            assert_eq!((fuel.spend(steps), fuel.is_out()), (goes_on, !goes_on), "{steps}");
            assert_eq!(fuel.spend(0), goes_on, "{steps}");
        }
        assert!(!Fuel::of(u64::from(u32::MAX)).make(usize::MAX));
    }

    #[test]
    fn documents_spend_the_fuel_of_their_run() {
        let run = Fuel::of(2 * OF_DOCUMENT);
        for (count, is_out) in [(1, false), (2, false), (3, true)] {
            let document = run.document();
            assert!(document.spend(usize::try_from(OF_DOCUMENT).unwrap()), "{count}");
            assert!(!document.is_out(), "{count}");
            drop(document);
            assert_eq!(run.is_out(), is_out, "{count}");
        }
    }

    #[test]
    fn objects_that_were_made_give_as_much_as_their_text() {
        let written = Fuel::of_run(2_000);
        let made = Fuel::of_run(0).for_objects(100);
        assert_eq!(written.most(), made.most());
    }

    #[test]
    fn a_run_has_more_for_a_larger_input() {
        assert_eq!(Fuel::of_run(0).most(), 500_000_000);
        assert_eq!(Fuel::of_run(10).most(), 500_000_200);
        assert_eq!(Fuel::of_run(usize::MAX).most(), u64::MAX);
    }
}
