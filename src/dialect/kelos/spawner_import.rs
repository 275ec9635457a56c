//! Converts a `TaskSpawner` of kelos to a definition.

use super::import::{Fields, task_fields};
use crate::diag::message;
use crate::lower::ImportCx;
use crate::tree::Node;

/// Converts the `spec` to that of a definition.
pub(super) fn task_spawner(spec: Node, is_old: bool, cx: &mut ImportCx<'_>) -> Node {
    let mut fields = Fields::of(spec);
    let mut spawner = Node::map(fields.origin);
    spawner.set_some("when", fields.take("when"));
    if let Some(template) = fields.take("taskTemplate") {
        let mut fields = Fields::of(template);
        let mut task = Node::map(fields.origin);
        for key in ["promptTemplate", "nameTemplate", "metadata", "contextSources"] {
            task.set_some(key, fields.take(key));
        }
        task_fields(&mut fields, &mut task, is_old, cx);
        fields.rest_into(&mut task);
        spawner.set("taskTemplate", task);
    }
    if is_old && let Some(interval) = fields.take("pollInterval") {
        poll_interval(&mut spawner, &interval, cx);
    }
    fields.rest_into(&mut spawner);
    spawner
}

/// Moves the interval to the sources that poll and have none: since v1alpha2 each has its own.
fn poll_interval(spawner: &mut Node, interval: &Node, cx: &mut ImportCx<'_>) {
    let polled = ["githubIssues", "githubPullRequests", "jira"];
    let mut is_used = false;
    for source in polled {
        let Some(source) = spawner.get_mut("when").and_then(|it| it.get_mut(source)) else {
            continue;
        };
        let is_empty = |node: &Node| node.is_null() || node.as_str() == Some("");
        if source.get("pollInterval").is_none_or(is_empty) {
            source.set("pollInterval", interval.clone());
            is_used = true;
        }
    }
    if !is_used {
        let message = message!("`pollInterval` of the spawner is not used by its source");
        let reason = "only `githubIssues`, `githubPullRequests` and `jira` poll, each with its own interval if it has one";
        cx.unused(interval.span(), message, reason, "remove it");
    }
}
