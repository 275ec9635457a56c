//! `PriorityClass`, after `ValidatePriorityClass` of Kubernetes' `pkg/apis/scheduling/validation`.

use super::judge::{Absence, Judge, labelled, shown, text_at};
use crate::diag::{declare_rules, message};
use crate::tree::Node;

declare_rules! {
    PRIORITY_RESERVED = "priority-reserved", Error;
}

/// The highest priority that is not reserved for the system.
const HIGHEST: i64 = 1_000_000_000;

/// The classes that every cluster has, with their values.
const OF_SYSTEM: [(&str, i64); 2] =
    [("system-node-critical", 2 * HIGHEST + 1000), ("system-cluster-critical", 2 * HIGHEST)];

/// Checks one class.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let class = &object.root;
    judge.needed(class, "preemptionPolicy", Absence::BySchema);
    let value = class.get("value").and_then(Node::as_i64);
    let prefix = text_at(class, &["metadata", "generateName"]);
    let name = if object.name.is_empty() { prefix } else { object.name.as_str() };
    if name.starts_with("system-") {
        let is_default = class.get("globalDefault").and_then(Node::as_bool) == Some(true);
        let of_system = OF_SYSTEM.iter().find(|(known, _)| name == *known).map(|(_, value)| *value);
        if of_system.is_none() || of_system != value || is_default {
            let help = match of_system {
                Some(of_system) => {
                    message!("write `value: {of_system}` and remove `globalDefault`")
                }
                None => "use a name that does not start with `system-`".into(),
            };
            let text = (message!("PriorityClass name `{}` is reserved", shown(name)), help);
            judge.refuse(
                &PRIORITY_RESERVED,
                (object.name_span(), (&judge.object.root, "metadata.name")),
                text,
            );
        }
    } else if let Some(node) =
        class.get("value").filter(|_| value.is_some_and(|value| value > HIGHEST))
    {
        let text = (
            "the priority is in the range reserved for the system",
            labelled("must be at most 1000000000", "write at most 1000000000"),
        );
        judge.refuse(&PRIORITY_RESERVED, (node.span(), (&judge.object.root, "value")), text);
    }
}
