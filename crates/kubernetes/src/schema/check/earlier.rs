//! Findings of earlier stages at the span of a value.

use crate::diag::{About, Sink};
use crate::sorted::SortedSet;
use crate::source::Span;

/// The spans of earlier findings. If the YAML reader has reported a scalar (a missing space after a
/// dash, an expression without quotes), its wrong type is the same mistake.
#[derive(Debug)]
pub struct Earlier {
    places: SortedSet<Span>,
}

impl Earlier {
    /// Collects the spans of the findings in `sink`.
    pub fn by(sink: &Sink) -> Self {
        Self { places: sink.iter().map(|finding| finding.primary.span).collect() }
    }

    /// Links the findings of a schema check to earlier ones with the same span.
    pub fn link(&self, findings: &mut Sink) {
        if self.places.is_empty() {
            return;
        }
        for finding in findings.iter_mut() {
            if matches!(finding.details().about, About::WrongType | About::UnknownField(_)) {
                let span = finding.primary.span;
                let within = span.start_point()..=span.end_point();
                finding.details_mut().same_mistake.extend(self.places.range(within));
            }
        }
    }
}
