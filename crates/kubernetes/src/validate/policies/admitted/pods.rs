//! Defaults of Pods that Pod templates do not have.

use serde_json::json;

use super::Conversion;
use crate::sorted::SortedSet;
use crate::tree::Node;

/// Sets the defaults of a Pod.
pub(super) fn defaults(conversion: Conversion, root: &mut Node) {
    let Some(spec) = root.get_mut("spec") else { return };
    conversion.fill(spec, "enableServiceLinks", json!(true));
    let is_on_host = spec.get("hostNetwork").and_then(Node::as_bool) == Some(true);
    for list in ["containers", "initContainers"] {
        for container in items_mut(spec, list) {
            fill_requests(conversion, container);
            if is_on_host {
                for port in items_mut(container, "ports") {
                    if let Some(number) = port.get("containerPort").cloned()
                        && port.get("hostPort").is_none()
                    {
                        port.set("hostPort", number);
                    }
                }
            }
        }
    }
}

/// The items of a list in a field, mutable.
pub(super) fn items_mut<'n>(node: &'n mut Node, field: &str) -> impl Iterator<Item = &'n mut Node> {
    let list = node.get_mut(field);
    list.and_then(|value| match &mut value.value {
        crate::tree::Value::List(items) => Some(items.iter_mut()),
        _ => None,
    })
    .into_iter()
    .flatten()
}

/// A limit without a request is the request as well.
fn fill_requests(conversion: Conversion, container: &mut Node) {
    let Some(limits) = container.at(&["resources", "limits"]).cloned() else { return };
    if limits.entries().is_empty() {
        return;
    }
    let resources = container.get_mut("resources");
    let Some(resources) = resources else { return };
    conversion.fill(resources, "requests", json!({}));
    let requests = resources.get_mut("requests");
    let Some(requests) = requests else { return };
    let written = requests.entries().iter().filter(|entry| !entry.value.is_null());
    let own: SortedSet<_> = written.map(|entry| entry.key.text().clone()).collect();
    let missing = limits.entries().iter().filter(|entry| !own.contains(entry.key.text()));
    requests.set_all(missing.map(|entry| (entry.key.text().clone(), entry.value.clone())));
}

/// The quality of service class of a Pod.
pub(super) fn quality(root: &Node) -> &'static str {
    let lists = ["containers", "initContainers"].iter();
    let containers = lists.filter_map(|list| root.at(&["spec", list])).flat_map(Node::items);
    let (mut has_any, mut is_guaranteed) = (false, true);
    for container in containers {
        for name in ["cpu", "memory"] {
            let amount = |field| container.at(&["resources", field, name]).and_then(Node::as_str);
            let is_set = |amount: Option<&str>| amount.is_some_and(|text| text != "0");
            let (request, limit) = (amount("requests"), amount("limits"));
            has_any |= is_set(request) || is_set(limit);
            is_guaranteed &= is_set(limit) && request == limit;
        }
    }
    match (has_any, is_guaranteed) {
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
        (false, _) => "BestEffort",
    }
}
