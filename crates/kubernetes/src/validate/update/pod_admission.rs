//! What admission plugins of the API server set in an update of a Pod whose request lacks it.

use crate::tree::{Node, Value};
use crate::validate::policies::{TOLERATED, tolerates};

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
