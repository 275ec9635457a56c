//! What admission plugins of the API server set in an update of a Pod whose request lacks it.

use crate::tree::{Node, Value};

/// The taints that a Pod tolerates for a while, whatever it has (`DefaultTolerationSeconds`).
const TOLERATED: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/// Keeps the priority of the stored Pod (`plugin/pkg/admission/priority`), and adds the tolerations of each Pod
/// (`plugin/pkg/admission/defaulttolerationseconds`) as far as the stored one has them: the plugin can be disabled.
pub(super) fn settle_pod(stored: &Node, merged: &mut Node) {
    let Some(spec) = merged.get_mut("spec") else { return };
    for field in ["priority", "preemptionPolicy"] {
        let known =
            stored.at(&["spec", field]).filter(|_| spec.get(field).is_none_or(Node::is_null));
        spec.set_some(field, known.cloned());
    }
    let known = stored.items_at(&["spec", "tolerations"]);
    for taint in TOLERATED {
        let is_of_taint = |item: &&Node| item.str_at(&["key"]) == Some(taint);
        let Some(known) = known.iter().find(is_of_taint).filter(|_| !tolerates(spec, taint)) else {
            continue;
        };
        let origin = spec.origin();
        match spec.get_mut("tolerations").map(|list| &mut list.value) {
            Some(Value::List(items)) => items.push(known.clone()),
            _ => spec.set("tolerations", Node::list([known.clone()], origin)),
        }
    }
}

/// Whether a Pod tolerates a taint with the effect `NoExecute`.
fn tolerates(spec: &Node, taint: &str) -> bool {
    let is_empty_or = |item: &Node, field, text| {
        item.str_at(&[field]).is_none_or(|known| known.is_empty() || known == text)
    };
    let tolerations = spec.get("tolerations").map_or(&[][..], Node::items);
    tolerations
        .iter()
        .any(|item| is_empty_or(item, "key", taint) && is_empty_or(item, "effect", "NoExecute"))
}
