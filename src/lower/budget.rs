//! The limits on the objects that the definitions of a run compile to, and on their values.

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
    /// The values of all objects, without the first of each definition.
    values: usize,
    /// Whether the run has more findings than it reports.
    has_too_many_findings: bool,
}

impl Made {
    /// Before the first definition.
    pub(super) fn after(sink: &Sink) -> Self {
        let (findings, has_too_many_findings) = (sink.total(), sink.is_over());
        Self { findings, more: 0, values: 0, has_too_many_findings }
    }

    /// Counts the objects of a definition, and their values. The first definition above a limit has
    /// a finding.
    #[must_use]
    pub(super) fn and(
        self,
        document: Span,
        (objects, values): (usize, usize),
        sink: &mut Sink,
    ) -> Self {
        let more = self.more.saturating_add(objects.saturating_sub(1));
        let values = values.saturating_sub(limits::RUN_OBJECT_VALUES_EACH);
        let after = Self { more, values: self.values.saturating_add(values), ..self };
        if !self.has_too_many_objects() && after.has_too_many_objects() {
            sink.report(too_large(document, after));
        }
        Self { more: after.more, values: after.values, ..Self::after(sink) }
    }

    /// Whether further definitions are not compiled, because an error about a limit was reported.
    pub(super) const fn is_over(self) -> bool {
        self.has_too_many_findings || self.has_too_many_objects()
    }

    const fn has_too_many_objects(self) -> bool {
        self.more > limits::RUN_OBJECTS.count() || self.values > limits::RUN_OBJECT_VALUES.count()
    }
}

fn too_large(document: Span, made: Made) -> Diagnostic {
    let finding = if made.more > limits::RUN_OBJECTS.count() {
        let most = limits::thousands(limits::RUN_OBJECTS.count());
        let message = format!(
            "definitions compile to more than {most} objects, in addition to one for each definition"
        );
        Diagnostic::new(&DEFINITIONS_TOO_LARGE, document.start_point(), message)
    } else {
        let most = limits::thousands(limits::RUN_OBJECT_VALUES.count());
        let each = limits::RUN_OBJECT_VALUES_EACH;
        let message = format!(
            "definitions compile to objects with more than {most} values, in addition to {each} \
             for each definition"
        );
        Diagnostic::new(&DEFINITIONS_TOO_LARGE, document.start_point(), message)
            .note("64 bytes of text count as a value")
    };
    finding.at("first definition above the limit").help("compile fewer definitions at a time")
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
            let made = objects.iter().fold(before, |made, it| made.and(place, (*it, 1), &mut sink));
            assert_eq!((sink.len(), made.is_over()), (findings, findings > 0), "{objects:?}");
        }
    }

    #[test]
    fn the_limit_of_values_is_exact() {
        let (most, each) = (limits::RUN_OBJECT_VALUES.count(), limits::RUN_OBJECT_VALUES_EACH);
        let place = Workspace::new().start();
        // Of each definition, the first values do not count.
        for (values, findings) in [
            (vec![most + each, each, 1], 0),
            (vec![most + each + 1, 1], 1),
            (vec![each + 1, most + each], 1),
            (vec![1, each, most + each], 0),
        ] {
            let mut sink = Sink::new();
            let before = Made::after(&sink);
            let made = values.iter().fold(before, |made, it| made.and(place, (1, *it), &mut sink));
            assert_eq!((sink.len(), made.is_over()), (findings, findings > 0), "{values:?}");
        }
    }
}
