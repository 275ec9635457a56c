//! The values that the nodes of a pool repeat, and those of the request that they share.

use super::settings::NodepoolSettings;
use crate::lower::{Instance, Setup};
use crate::sorted::SortedMap;
use crate::tree::{Node, items};

/// The values of labels and of the defaults of their pools, for each node and for each label, and the
/// request of the Project, which dynamic labels read.
pub(super) fn copied(instance: &Instance, setup: &Setup) -> usize {
    let Some(spec) = instance.root.get("spec") else { return 0 };
    let settings = setup.settings::<NodepoolSettings>();
    let request = settings.and_then(|settings| settings.request.as_ref());
    let request = request.map_or(0, |request| request.node.weight());
    let mut total = 0_usize;
    // A node without a pool has the label of any of them.
    let mut of_label: SortedMap<&str, usize> = SortedMap::new();
    for pool in items(spec, "pools") {
        let defaults = ["defaultResources", "nodeAttributes"].map(|field| pool.get(field));
        let defaults: usize = defaults.into_iter().flatten().map(Node::weight).sum();
        let shared = defaults.saturating_add(request);
        for label in items(pool, "labels") {
            total = total.saturating_add(shared);
            if let Some(name) = label.str_at(&["name"]) {
                let most = of_label.entry(name).or_default();
                *most = (*most).max(shared.saturating_add(label.weight()));
            }
        }
    }
    for node in items(spec, "nodes") {
        let label = node.str_at(&["label"]).and_then(|label| of_label.get(label));
        total = total.saturating_add(label.copied().unwrap_or(0));
    }
    total
}
