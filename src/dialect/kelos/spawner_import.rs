//! Converts a `TaskSpawner` of kelos to a definition.

use super::import::{Fields, refuse, task_fields};
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

/// Moves the interval to the source: since v1alpha2 each polled source has its own.
fn poll_interval(spawner: &mut Node, interval: &Node, cx: &mut ImportCx<'_>) {
    let Some(when) = spawner.get_mut("when") else { return };
    let polled = ["githubIssues", "githubPullRequests", "jira"];
    let mut found = false;
    for source in polled {
        let Some(source) = when.get_mut(source) else { continue };
        found = true;
        if source.get("pollInterval").is_none() {
            source.set("pollInterval", interval.clone());
        }
    }
    if !found {
        refuse(interval, "`pollInterval` has no effect on this source", "remove it", cx.sink);
    }
}
