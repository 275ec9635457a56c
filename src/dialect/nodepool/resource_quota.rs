//! A ResourceQuota for the Namespace of a node, with which the API server enforces the launcher's
//! count.

use super::model::LabelModel;
use super::node_label::NodeType;
use super::quota::{CORES, RAM};
use crate::tree::Node;

/// `hard` of the ResourceQuota; `None` if the label has no resources that the API server can count.
///
/// The API server rejects a Pod without a request for a resource with a quota, so a resource only
/// counts if each container has a request for it.
pub(super) fn hard(label: &LabelModel) -> Option<Node> {
    let mut hard = Node::map(label.managed());
    if label.node_type() == NodeType::Pod {
        hard.set("pods", Node::int(1, label.managed()));
    }
    for (key, amount) in label.needs.iter() {
        let resource = match key {
            CORES => "cpu",
            RAM => "memory",
            "ephemeral-storage" => key,
            device if device.contains('/') => device,
            _ => continue,
        };
        if label.label.spec.as_ref().is_none_or(|it| each_container_requests(&it.node, resource)) {
            let origin = crate::tree::Origin::source(amount.place);
            let text = Node::string(amount.quantity.to_string(), origin);
            hard.set(format!("requests.{resource}"), text);
        }
    }
    (!hard.entries().is_empty()).then_some(hard)
}

fn each_container_requests(spec: &Node, resource: &str) -> bool {
    let lists = ["initContainers", "containers"].into_iter();
    let containers = lists.flat_map(|list| spec.get(list).map_or(&[][..], Node::items));
    let has = |container: &Node, list| container.at(&["resources", list, resource]).is_some();
    containers.into_iter().all(|it| has(it, "requests") || has(it, "limits"))
}
