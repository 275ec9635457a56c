//! The comparisons of objects with the `LimitRange` objects and `ResourceQuota` objects of their namespaces, which
//! are limited: their number is a product.

use super::{limit_range, quota};
use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::limits::{RUN_ADMISSION, Used, thousands};
use crate::source::Span;

declare_rules! {
    ADMISSION_TOO_COMPLEX = "admission-too-complex", Error;
}

/// The comparisons so far.
pub(super) struct Work(Used);

impl Default for Work {
    fn default() -> Self {
        Self(Used::of(&RUN_ADMISSION))
    }
}

impl Work {
    /// Counts the comparisons of a number of containers and their object with a number of values.
    /// Returns whether they are within the limit.
    pub(super) fn compare(&self, containers: usize, values: usize) -> bool {
        let count = containers.saturating_add(1).saturating_mul(values);
        self.0.add(u64::try_from(count).unwrap_or(u64::MAX));
        !self.0.is_over()
    }

    /// Replaces the findings of the comparisons by an error, if there are too many. Returns whether
    /// it did.
    pub(super) fn report(&self, at: Option<Span>, sink: &mut Sink) -> bool {
        let Some(at) = at.filter(|_| self.0.is_over()) else { return false };
        let replaced = [limit_range::RULES, quota::RULES];
        sink.retain(|it| !replaced.iter().any(|rules| rules.contains(&it.rule)));
        let most = thousands(RUN_ADMISSION.count());
        let message = format!(
            "the objects of the input require more than {most} comparisons with their LimitRanges \
             and ResourceQuotas"
        );
        sink.report(
            Diagnostic::new(&ADMISSION_TOO_COMPLEX, at, message)
                .at("the first of them")
                .note("no object is compared with a LimitRange or a ResourceQuota")
                .help("check fewer files at a time"),
        );
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn the_comparisons_of_a_run_are_limited() {
        let at = Workspace::new().start();
        for (more, is_over) in [(0, false), (1, true)] {
            let work = Work::default();
            assert!(work.compare(1, RUN_ADMISSION.count() / 2));
            assert_eq!(work.compare(0, more), !is_over);
            let mut sink = Sink::new();
            sink.report(Diagnostic::new(quota::RULES[0], at, "exceeded"));
            assert_eq!(work.report(Some(at), &mut sink), is_over);
            let rules: Vec<_> = sink.iter().map(|it| it.rule.name).collect();
            assert_eq!(rules, [if is_over { "admission-too-complex" } else { "quota-exceeded" }]);
        }
    }
}
