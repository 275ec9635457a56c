//! A ResourceQuota for the Namespace of a node, with which the API server enforces the launcher's
//! count.

use super::model::LabelModel;
use super::quota::{CORES, RAM};
use crate::sorted::SortedSet;
use crate::tree::{Node, Origin, items};

/// `hard` of the ResourceQuota; `None` if the label has no resources that the API server can count.
///
/// The API server rejects a Pod without a request for a resource with a quota, so a resource only
/// counts if each container has a request for it.
pub(super) fn hard_limits(label: &LabelModel) -> Option<Node> {
    let mut hard = Node::map(label.managed());
    if label.node_type().is_pod() {
        hard.set("pods", Node::int(1, label.managed()));
    }
    let containers = label.label.spec.as_ref().map(|spec| container_requests(&spec.node));
    hard.set_all(label.needs.iter().filter_map(|(key, amount)| {
        let resource = match key {
            CORES => "cpu",
            RAM => "memory",
            "ephemeral-storage" => key,
            device if device.contains('/') => device,
            _ => return None,
        };
        if containers.iter().flatten().any(|it| !it.contains(resource)) {
            return None;
        }
        let text = Node::string(amount.quantity.to_string(), Origin::source(amount.place));
        Some((format!("requests.{resource}"), text))
    }));
    (!hard.entries().is_empty()).then_some(hard)
}

/// The resources that each container requests, or limits, which is a request as well.
fn container_requests(spec: &Node) -> Vec<SortedSet<&str>> {
    let lists = ["initContainers", "containers"].into_iter();
    lists.flat_map(|list| items(spec, list)).map(requested_by).collect()
}

fn requested_by(container: &Node) -> SortedSet<&str> {
    let maps = ["requests", "limits"].map(|list| container.at(&["resources", list]));
    let amounts = maps.into_iter().flatten().flat_map(Node::entries);
    amounts.filter(|entry| !entry.value.is_null()).map(|entry| entry.key.as_str()).collect()
}
