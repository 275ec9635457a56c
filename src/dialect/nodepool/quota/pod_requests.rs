//! The requests of a Pod with a custom spec.

use lean_string::LeanStr;

use super::Amount;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, items};

/// The requests of a PodSpec by resource. The request of a container defaults to its limit;
/// containers that run at the same time are added, and the largest init container counts if it is
/// more.
pub(in crate::dialect::nodepool) fn pod_requests(spec: &Node) -> Vec<(LeanStr, Amount)> {
    let mut counts: SortedMap<&str, Count> = SortedMap::new();
    for container in items(spec, "initContainers") {
        let is_sidecar = container.str_at(&["restartPolicy"]) == Some("Always");
        for (name, amount) in requests_of(container) {
            counts.entry(name).or_default().init_container(amount, is_sidecar);
        }
    }
    for container in items(spec, "containers") {
        for (name, amount) in requests_of(container) {
            let count = counts.entry(name).or_default();
            count.regular = add_amounts(count.regular, Some(amount));
        }
    }
    let whole: SortedMap<_, _> = requests_of(spec).collect();
    let amount_of =
        |name: &str| whole.get(name).copied().or_else(|| counts.get(name).and_then(Count::total));
    resource_names(spec)
        .into_iter()
        .filter_map(|name| Some((name.clone(), amount_of(name)?)))
        .collect()
}

/// The names of all resources: first those of requests, then those of limits.
fn resource_names(spec: &Node) -> Vec<&LeanStr> {
    let mut seen = SortedSet::new();
    let containers = items(spec, "initContainers").iter().chain(items(spec, "containers"));
    let holders = containers.chain([spec]);
    let maps = ["requests", "limits"]
        .into_iter()
        .flat_map(|list| holders.clone().filter_map(move |holder| holder.at(&["resources", list])));
    let keys = maps.flat_map(Node::entries).map(|entry| entry.key.text());
    keys.filter(|key| seen.insert(key.as_str())).collect()
}

/// The requests of a container or Pod, where a limit without a request counts as one.
fn requests_of(holder: &Node) -> impl Iterator<Item = (&str, Amount)> {
    let mut nodes = SortedMap::new();
    for list in ["requests", "limits"] {
        for entry in holder.at(&["resources", list]).map_or(&[][..], Node::entries) {
            nodes.entry(entry.key.as_str()).or_insert(&entry.value);
        }
    }
    nodes.into_iter().filter_map(|(name, node)| Some((name, Amount::of(node)?)))
}

/// The requests of one resource.
#[derive(Default)]
struct Count {
    /// The sidecars, which keep running next to the other containers.
    running: Option<Amount>,
    /// The largest sum while init containers run.
    largest: Option<Amount>,
    /// The other containers.
    regular: Option<Amount>,
}

impl Count {
    fn init_container(&mut self, amount: Amount, is_sidecar: bool) {
        let together = add_amounts(self.running, Some(amount));
        if is_sidecar {
            self.running = together;
        }
        self.largest = larger_amount(self.largest, together);
    }

    fn total(&self) -> Option<Amount> {
        larger_amount(self.largest, add_amounts(self.running, self.regular))
    }
}

fn add_amounts(a: Option<Amount>, b: Option<Amount>) -> Option<Amount> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(Amount { quantity: a.quantity.plus(b.billionths()), place: a.place })
        }
        (a, b) => a.or(b),
    }
}

fn larger_amount(a: Option<Amount>, b: Option<Amount>) -> Option<Amount> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.quantity > a.quantity { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    #[test]
    fn init_containers_count_by_the_largest() {
        let origin = Origin::source(Span::new(Workspace::new().add("x.yaml", ""), 0, 0));
        let spec = json!({
            "initContainers": [
                {"resources": {"requests": {"cpu": 4, "memory": "64Mi"}}},
                {"restartPolicy": "Always", "resources": {"requests": {"cpu": "500m"}}},
            ],
            "containers": [
                {"resources": {"requests": {"cpu": 1}, "limits": {"memory": "1Gi"}}},
                {"resources": {"requests": {"memory": "512Mi"}}},
            ],
        });
        let requests = pod_requests(&Node::from_json(spec, origin));
        let shown: Vec<_> =
            requests.iter().map(|(name, it)| format!("{name}={}", it.quantity)).collect();
        assert_eq!(shown, ["cpu=4", "memory=1536Mi"]);
    }
}
