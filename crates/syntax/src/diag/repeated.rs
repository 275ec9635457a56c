//! Findings with one cause, which share their details.

use super::Diagnostic;
use crate::sorted::SortedMap;
use crate::source::Span;

/// The first finding of each cause. To copy it takes a fraction of the time of a new one, which
/// matters where thousands of objects refer to one absent object.
#[derive(Debug)]
pub struct Repeated<K> {
    first: SortedMap<K, Diagnostic>,
}

impl<K> Default for Repeated<K> {
    fn default() -> Self {
        Self { first: SortedMap::new() }
    }
}

impl<K: Ord> Repeated<K> {
    /// The finding of this cause at `span`. All parts except the location must follow from `cause`:
    /// only the first finding is made with `make`, except in debug builds, which compare each copy
    /// with a new one.
    pub fn at(&mut self, cause: K, span: Span, make: impl Fn() -> Diagnostic) -> Diagnostic {
        let make = || {
            let mut finding = make();
            finding.shorten(false);
            finding
        };
        let finding = self.first.entry(cause).or_insert_with(make).moved_to(span);
        debug_assert_eq!(format!("{finding:?}"), format!("{:?}", make()), "as if it was new");
        finding
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diag::{Rule, Severity, Sink, message};
    use crate::source::Workspace;

    static RULE: Rule = Rule::new("a-rule", Severity::Warning);

    #[test]
    fn findings_of_one_cause_share_their_details_even_if_these_are_truncated() {
        let file = Workspace::new().add("a.yaml", "");
        let (mut repeated, mut sink) = (Repeated::default(), Sink::new());
        for at in 0..4 {
            let (span, cause) = (Span::new(file, at, at + 1), at % 2);
            let text = message!("`{}`{cause}", "x".repeat(1000));
            let make = || Diagnostic::new(&RULE, span, &text);
            sink.report(repeated.at(cause, span, make));
        }
        let findings: Vec<_> = sink.iter().collect();
        let [a, b, c, d] = &findings[..] else { panic!("four findings") };
        assert!(Arc::ptr_eq(&a.details, &c.details) && Arc::ptr_eq(&b.details, &d.details));
        assert!(
            a.details.message.as_prose().ends_with('0')
                && b.details.message.as_prose().ends_with('1')
        );
        assert_eq!(c.primary.span, Span::new(file, 2, 3));
    }
}
