//! A ResourceQuota for the Namespace of a node, with which the API server enforces the launcher's
//! count.

use super::model::LabelModel;
use super::quota::{CORES, RAM};
use crate::sorted::SortedSet;
use crate::tree::{Node, Origin};

/// `hard` of the ResourceQuota; `None` if the label has no resources that the API server can count.
///
/// The API server rejects a Pod without a request for a resource with a quota, so a resource only
/// counts if each container has a request for it.
pub(super) fn hard(label: &LabelModel) -> Option<Node> {
    let mut hard = Node::map(label.managed());
    if label.node_type().is_pod() {
        hard.set("pods", Node::int(1, label.managed()));
    }
    let containers = label.label.spec.as_ref().map(|it| requested(&it.node));
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
fn requested(spec: &Node) -> Vec<SortedSet<&str>> {
    let lists = ["initContainers", "containers"].into_iter();
    let containers = lists.flat_map(|list| spec.get(list).map_or(&[][..], Node::items));
    containers.map(requested_by).collect()
}

fn requested_by(container: &Node) -> SortedSet<&str> {
    let amounts = ["requests", "limits"].map(|list| container.at(&["resources", list]));
    let amounts = amounts.into_iter().flatten().flat_map(Node::entries);
    amounts.filter(|it| !it.value.is_null()).map(|it| it.key.as_str()).collect()
}
