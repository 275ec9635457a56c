//! Jobs with too many indexes to track: `WarningsForJobSpec` of Kubernetes' `pkg/api/job`.

use super::JOB_INDEXES_TOO_MANY;
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

/// The number of completions above which a parallelism above `PARALLEL` causes a warning.
const COMPLETIONS: i64 = 100_000;
const PARALLEL: i64 = 10_000;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let number = |field| spec.get(field).and_then(Node::as_i64).unwrap_or(0);
    let Some(completions) = spec.get("completions") else { return };
    let is_indexed = spec.str_at(&["completionMode"]) == Some("Indexed");
    let (total, parallel) = (number("completions"), number("parallelism"));
    if is_indexed && total > COMPLETIONS && parallel > PARALLEL {
        let text = (
            message!("Job has {total} indexes and runs {parallel} at once"),
            "too many to track",
            "split it into several Jobs, or set `parallelism` to at most 10000",
        );
        judge.fault(&JOB_INDEXES_TOO_MANY, completions, text);
    }
}
