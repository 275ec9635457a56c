//! What was said of a value before its schema is asked.

use std::collections::BTreeSet;

use super::rules::{UNKNOWN_FIELD, WRONG_TYPE};
use crate::diag::Sink;
use crate::source::Span;

/// The places of findings that there are already. Where the reader of the text has found a fault (a
/// blank is missing behind a dash, an expression has no quotes), the same scalar is not reported once
/// more for the type that it has because of that.
#[derive(Debug)]
pub(crate) struct Told {
    places: BTreeSet<Span>,
}

impl Told {
    /// What `sink` holds.
    pub(crate) fn by(sink: &Sink) -> Self {
        Self { places: sink.iter().map(|finding| finding.primary.span).collect() }
    }

    /// Drops the findings that follow from one that was there before.
    pub(crate) fn drop_consequences(&self, findings: &mut Sink) {
        findings.retain(|finding| {
            let span = finding.primary.span;
            let within = span.start_point()..=span.end_point();
            let is_consequence = [&WRONG_TYPE, &UNKNOWN_FIELD].contains(&finding.rule);
            !is_consequence || self.places.range(within).next().is_none()
        });
    }
}
