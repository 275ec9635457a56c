//! Findings of earlier stages at the place of a value.

use std::collections::BTreeSet;

use crate::diag::{About, Sink};
use crate::source::Span;

/// The places of earlier findings. Where the reader of the text has found a fault (a missing space after
/// a dash, an expression without quotes), the type that the same scalar has because of that is the same
/// mistake.
#[derive(Debug)]
pub(crate) struct Earlier {
    places: BTreeSet<Span>,
}

impl Earlier {
    /// The places of what `sink` holds.
    pub(crate) fn by(sink: &Sink) -> Self {
        Self { places: sink.iter().map(|finding| finding.primary.span).collect() }
    }

    /// Links the findings of a schema to those that were there before at the same place.
    pub(crate) fn link(&self, findings: &mut Sink) {
        if self.places.is_empty() {
            return;
        }
        for finding in findings.iter_mut() {
            if matches!(finding.about, About::WrongType | About::UnknownField(_)) {
                let span = finding.primary.span;
                let within = span.start_point()..=span.end_point();
                finding.same_mistake.extend(self.places.range(within));
            }
        }
    }
}
