//! Further occurrences of a finding that has one cause.

use crate::source::Span;

/// The maximum number of other locations that a finding keeps. The first one is its own.
const MAX_PLACES: usize = 19;

/// Findings that have the same rule and the same cause as the one that represents them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Others {
    count: usize,
    places: Vec<Span>,
}

impl Others {
    /// The number of findings.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The locations of the first ones.
    #[must_use]
    pub fn places(&self) -> &[Span] {
        &self.places
    }

    /// Adds a finding, with the others that it represents itself.
    pub fn add(&mut self, place: Span, others: &Self) {
        self.count += 1 + others.count;
        let left = MAX_PLACES.saturating_sub(self.places.len());
        self.places.extend(std::iter::once(&place).chain(&others.places).take(left));
    }
}
