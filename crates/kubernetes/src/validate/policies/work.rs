//! The cost of all policies of a run, which is limited.

use super::{POLICY_DENIED, POLICY_NOT_DECIDED, POLICY_WARNING};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::limits::{RUN_POLICY_COST, RUN_POLICY_COST_OF_BYTE, Used, thousands};
use crate::source::Span;
use crate::tree::Node;

/// The cost of an evaluation, in addition to that of its expressions, which can be free.
pub(super) const EVALUATION: u64 = 8;
/// The cost of a value that a plugin or a default adds to an object.
const ADDED: u64 = 16;
/// The number of values that plugins and defaults may add to one object.
const MOST_ADDED: usize = 1_000_000;
/// The cost of each validation, in addition to that.
const VALIDATION: u64 = 4;
/// The cost of the comparison of a request with the constraints of a policy or a binding.
const COMPARISON: u64 = 2;
/// The number of values that cost as much as a unit to compare.
const VALUES: u64 = 4;

/// The cost of the comparison of a request with constraints.
pub(super) fn comparison(constraints: Option<&Node>) -> u64 {
    COMPARISON + of_values(constraints.map_or(0, Node::count))
}

/// The cost of copies of this number of values into an object.
pub(super) fn of_copies(values: usize) -> u64 {
    u64::try_from(values).unwrap_or(u64::MAX)
}

/// The cost of an evaluation of this number of validations, in addition to that of their expressions.
pub(super) fn of_evaluation(validations: usize) -> u64 {
    let others = u64::try_from(validations.saturating_sub(1)).unwrap_or(u64::MAX);
    EVALUATION.saturating_add(VALIDATION.saturating_mul(others))
}

/// The cost of the comparison with this number of values.
pub(super) fn of_values(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX) / VALUES
}

/// The cost of the evaluations so far, in the units of the API server.
#[derive(Debug)]
pub(super) struct Work(Used);

impl Work {
    /// The work on objects of this size, in bytes.
    pub(super) fn on(bytes: u64) -> Self {
        Self(Used::within(RUN_POLICY_COST.growing(RUN_POLICY_COST_OF_BYTE, bytes)))
    }

    pub(super) fn spend(&self, cost: u64) {
        self.0.add(cost);
    }

    /// The number of values that can be added to an object within the limit.
    pub(super) fn most_added(&self) -> usize {
        usize::try_from(self.0.left() / ADDED).unwrap_or(usize::MAX).min(MOST_ADDED)
    }

    /// Adds the cost of values that are added to an object; `None` if there are too many.
    pub(super) fn add_values(&self, count: Option<usize>) {
        let possible = count.filter(|it| *it <= MOST_ADDED);
        self.spend(possible.map_or(u64::MAX, |it| of_copies(it).saturating_mul(ADDED)));
    }

    /// Whether the limit is exceeded.
    pub(super) fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Replaces the decisions of all policies by an error at the first policy, if they cost too much.
    pub(super) fn report(&self, at: Option<Span>, sink: &mut Sink) {
        let Some(at) = at.filter(|_| self.is_over()) else { return };
        let of_policies = [&POLICY_DENIED, &POLICY_WARNING, &POLICY_NOT_DECIDED];
        sink.retain(|it| !of_policies.contains(&it.rule));
        let most = thousands(usize::try_from(self.0.most).unwrap_or(usize::MAX));
        let message = format!("the admission policies cost more than {most} units for all objects");
        let mut finding = Diagnostic::new(&POLICY_NOT_DECIDED, at, message)
            .at("the first policy")
            .note("the decisions of all policies are left out")
            .help("check fewer files at a time, or use simpler expressions");
        finding.severity = Severity::Error;
        sink.report(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn the_values_that_are_added_are_limited() {
        let work = Work::on(0);
        assert_eq!(work.most_added(), usize::try_from(work.0.most / ADDED).unwrap());
        for (count, is_over) in [(0, false), (work.most_added(), false), (1, true)] {
            work.add_values(Some(count));
            assert_eq!(work.is_over(), is_over, "{count}");
        }
        for count in [Some(MOST_ADDED + 1), None] {
            let work = Work::on(1 << 40);
            assert_eq!(work.most_added(), MOST_ADDED);
            work.add_values(count);
            assert!(work.is_over(), "{count:?}");
        }
    }

    #[test]
    fn the_cost_of_a_run_is_limited() {
        let at = Workspace::new().start();
        for (bytes, cost, is_over) in
            [(0, 0, false), (0, 1, true), (1_000, 6_000, false), (1_000, 6_001, true)]
        {
            let work = Work::on(bytes);
            work.spend(u64::from(RUN_POLICY_COST.most));
            work.spend(cost);
            let mut sink = Sink::new();
            sink.report(Diagnostic::new(&POLICY_DENIED, at, "denied"));
            work.report(Some(at), &mut sink);
            let rules: Vec<_> = sink.iter().map(|it| (it.rule.name, it.severity)).collect();
            let rule = if is_over { "policy-not-decided" } else { "policy-denied" };
            assert_eq!(rules, [(rule, Severity::Error)]);
        }
    }
}
