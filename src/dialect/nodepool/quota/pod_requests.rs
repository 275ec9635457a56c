//! The requests of a Pod with a custom spec.

use lean_string::LeanStr;

use super::Amount;
use crate::tree::Node;

/// The requests of a PodSpec by resource. The request of a container defaults to its limit;
/// containers that run at the same time are added, and the largest init container counts if it is
/// more.
pub(in crate::dialect::nodepool) fn pod_requests(spec: &Node) -> Vec<(LeanStr, Amount)> {
    let items = |list: &str| spec.get(list).map_or(&[][..], Node::items);
    let all = || items("initContainers").iter().chain(items("containers")).chain([spec]);
    let mut names: Vec<LeanStr> = Vec::new();
    for list in ["requests", "limits"] {
        for holder in all() {
            for entry in holder.at(&["resources", list]).map_or(&[][..], Node::entries) {
                if !names.contains(&entry.key) {
                    names.push(entry.key.clone());
                }
            }
        }
    }
    let mut requests = Vec::new();
    for name in names {
        if let Some(amount) = request_of(spec, &name) {
            requests.push((name, amount));
        }
    }
    requests
}

fn request_of(spec: &Node, name: &str) -> Option<Amount> {
    let of = |holder: &Node| {
        let own = |list| holder.at(&["resources", list])?.get(name);
        Amount::of(own("requests").or_else(|| own("limits"))?)
    };
    if let Some(whole) = of(spec) {
        return Some(whole);
    }
    let items = |list: &str| spec.get(list).map_or(&[][..], Node::items);
    // Sidecars keep running next to the other containers.
    let mut running: Option<Amount> = None;
    let mut largest: Option<Amount> = None;
    for container in items("initContainers") {
        let together = sum(running, of(container));
        if container.str_at(&["restartPolicy"]) == Some("Always") {
            running = together;
        }
        largest = larger(largest, together);
    }
    let regular = items("containers").iter().fold(running, |total, it| sum(total, of(it)));
    larger(largest, regular)
}

fn sum(a: Option<Amount>, b: Option<Amount>) -> Option<Amount> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(Amount { quantity: a.quantity.plus(b.billionths()), place: a.place })
        }
        (a, b) => a.or(b),
    }
}

fn larger(a: Option<Amount>, b: Option<Amount>) -> Option<Amount> {
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
