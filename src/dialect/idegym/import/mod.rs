//! Import of start requests, as the orchestrator's API accepts them.

mod configuration;
mod lax;
mod models;
mod quantity;
mod request;
mod spelling;

use super::server::Mode;
use crate::lower::{Import, ImportCx};
use crate::tree::Node;
use request::PrepareRequest;

/// Import of idegym requests.
pub(super) const IMPORT: Import = Import {
    what: "a request to idegym or the configuration of its orchestrator",
    recognizes,
    definitions,
    is_pyyaml: false,
};

fn recognizes(root: &Node) -> bool {
    let is_request =
        |node: &Node| ["client_id", "image_tag"].iter().any(|key| node.get(key).is_some());
    let is_kubernetes = root.get("apiVersion").is_some() || root.get("kind").is_some();
    let batch = root.get("requests").map_or(&[][..], Node::items);
    !is_kubernetes
        && (is_request(root) || batch.iter().any(is_request) || configuration::recognizes(root))
}

fn definitions(root: Node, cx: &mut ImportCx<'_>) -> Vec<Node> {
    if configuration::recognizes(&root) {
        return configuration::project(&root, cx).into_iter().collect();
    }
    if root.get("requests").is_none() {
        return request::convert(root, Mode::Start, cx.sink).into_iter().collect();
    }
    let batch = request::read::<PrepareRequest>(root, cx.sink);
    let servers = batch.into_iter().flat_map(|batch| batch.requests.items);
    servers
        .filter_map(|server| request::convert(server.node, Mode::PrepareSnapshot, cx.sink))
        .collect()
}
