//! The limit on the objects that the definitions of a run compile to.

use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::limits;
use crate::source::Span;

declare_rules! {
    DEFINITIONS_TOO_LARGE = "definitions-too-large", Error;
}

/// What the definitions of a run have compiled to so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// The number of findings of the run.
    pub(super) findings: usize,
    /// The number of objects after the first of each definition.
    more: usize,
    /// Whether the run has more findings than it reports.
    has_too_many_findings: bool,
}

impl Made {
    /// Before the first definition.
    pub(super) fn after(sink: &Sink) -> Self {
        Self { findings: sink.total(), more: 0, has_too_many_findings: sink.is_over() }
    }

    /// Counts the objects of a definition. The first definition above the limit has a finding.
    #[must_use]
    pub(super) fn and(self, document: Span, objects: usize, sink: &mut Sink) -> Self {
        let was_over = self.more > limits::RUN_OBJECTS.count();
        let more = self.more.saturating_add(objects.saturating_sub(1));
        if !was_over && more > limits::RUN_OBJECTS.count() {
            sink.report(too_large(document));
        }
        Self { more, ..Self::after(sink) }
    }

    /// Whether further definitions are not compiled, because an error about a limit was reported.
    pub(super) const fn is_over(self) -> bool {
        self.has_too_many_findings || self.more > limits::RUN_OBJECTS.count()
    }
}

fn too_large(document: Span) -> Diagnostic {
    let most = limits::thousands(limits::RUN_OBJECTS.count());
    let message = format!(
        "definitions compile to more than {most} objects, in addition to one for each definition"
    );
    Diagnostic::new(&DEFINITIONS_TOO_LARGE, document.start_point(), message)
        .at("first definition above the limit")
        .help("compile fewer definitions at a time")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn the_limit_of_objects_is_exact() {
        let most = limits::RUN_OBJECTS.count();
        let place = Workspace::new().start();
        // Of each definition, the first object does not count.
        for (objects, findings) in [
            (vec![most + 1, 1], 0),
            (vec![most + 2, 1], 1),
            (vec![1, 1, 1, most], 0),
            (vec![3, most, 0], 1),
        ] {
            let mut sink = Sink::new();
            let before = Made::after(&sink);
            let made = objects.iter().fold(before, |made, it| made.and(place, *it, &mut sink));
            assert_eq!((sink.len(), made.is_over()), (findings, findings > 0), "{objects:?}");
        }
    }
}
