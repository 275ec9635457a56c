//! The effective requests and limits of a label: its own and those of its pool.
//!
//! A request is the label's own, else the pool's default. A limit is the label's own limit, else
//! the pool's default limit, else the request. Zero means none, and hides a default.

use crate::scalar::Quantity;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node, Origin, Value};

/// The quantity in a node of a tree.
pub(super) fn amount(node: &Node) -> Option<Quantity> {
    match node.as_str() {
        Some(text) => Quantity::parse(text).ok(),
        None => Quantity::parse(&node.to_json().to_string()).ok(),
    }
}

/// The sources of the entries of `requests` and `limits`.
struct Sides<'n> {
    label: Option<&'n Node>,
    default: Option<&'n Node>,
}

impl<'n> Sides<'n> {
    /// The entries of a list by name. Those of the label take precedence.
    fn entries(&self, list: &str) -> SortedMap<&'n str, &'n Entry> {
        let sides = [self.default, self.label].into_iter().flatten();
        let entries = sides.flat_map(|side| side.get(list).map_or(&[][..], Node::entries));
        entries.map(|entry| (entry.key.as_str(), entry)).collect()
    }

    /// The names of all resources, in the order of their first occurrence.
    fn names(&self) -> Vec<&'n str> {
        let mut seen = SortedSet::new();
        let sides = [self.label, self.default].into_iter().flatten();
        let lists = sides.flat_map(|side| ["requests", "limits"].map(|list| side.get(list)));
        let entries = lists.flatten().flat_map(Node::entries);
        entries.map(|entry| entry.key.as_str()).filter(|key| seen.insert(*key)).collect()
    }
}

/// `resources` of the container: what `label` sets, completed by the defaults of the pool.
pub(super) fn resolve(
    label: Option<&Node>,
    default: Option<&Node>,
    managed: Origin,
) -> Option<Node> {
    let sides = Sides { label, default };
    let (mut requests, mut limits) = (Vec::new(), Vec::new());
    let (given_requests, given_limits) = (sides.entries("requests"), sides.entries("limits"));
    for name in sides.names() {
        let given = given_requests.get(name).copied();
        let limit = given_limits.get(name).copied().or(given);
        // A Pod gets exactly the limit of a device, so its request must equal the limit.
        let request = given.or(if is_device(name) { limit } else { None });
        requests.extend(request.filter(|request| !is_zero(request)).cloned());
        limits.extend(limit.filter(|limit| !is_zero(limit)).cloned());
    }
    let mut resources = Node::map(managed);
    for (key, entries) in [("requests", requests), ("limits", limits)] {
        if !entries.is_empty() {
            resources.set(key, Node::new(Value::Map(entries.into_iter().collect()), managed));
        }
    }
    let own_claims = label.and_then(|it| it.get("claims"));
    resources.set_some("claims", own_claims.or_else(|| default?.get("claims")).cloned());
    (!resources.entries().is_empty()).then_some(resources)
}

/// Whether the resource is provided by a device plugin: its domain is not one of Kubernetes.
fn is_device(name: &str) -> bool {
    name.split_once('/')
        .is_some_and(|(domain, _)| domain != "kubernetes.io" && !domain.ends_with(".kubernetes.io"))
}

fn is_zero(entry: &Entry) -> bool {
    amount(&entry.value).is_some_and(|amount| amount.billionths() == 0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::source::{Span, Workspace};

    fn resolved(default: Json, label: Json) -> Json {
        let origin = Origin::source(Span::new(Workspace::new().add("x.yaml", ""), 0, 0));
        let (default, label) = (Node::from_json(default, origin), Node::from_json(label, origin));
        resolve(Some(&label), Some(&default), origin).map_or(Json::Null, |it| it.to_json())
    }

    /// Rows of the table of upstream's own resolution, in our fields.
    #[test]
    fn the_first_of_four_wins() {
        let defaults = json!({"requests": {"cpu": 2, "memory": "1Gi"}});
        assert_eq!(
            resolved(defaults.clone(), json!({})),
            json!({"requests": {"cpu": 2, "memory": "1Gi"}, "limits": {"cpu": 2, "memory": "1Gi"}})
        );
        assert_eq!(
            resolved(defaults.clone(), json!({"requests": {"cpu": 4}})),
            json!({"requests": {"cpu": 4, "memory": "1Gi"}, "limits": {"cpu": 4, "memory": "1Gi"}})
        );
        let both = json!({"requests": {"cpu": 2}, "limits": {"cpu": 8}});
        assert_eq!(
            resolved(both.clone(), json!({"limits": {"cpu": 4}})),
            json!({"requests": {"cpu": 2}, "limits": {"cpu": 4}})
        );
        assert_eq!(
            resolved(both.clone(), json!({"requests": {"cpu": 0}})),
            json!({"limits": {"cpu": 8}})
        );
        assert_eq!(resolved(both, json!({"limits": {"cpu": 0}})), json!({"requests": {"cpu": 2}}));
        assert_eq!(
            resolved(json!({}), json!({"limits": {"cpu": 4}})),
            json!({"limits": {"cpu": 4}})
        );
        assert_eq!(
            resolved(json!({"requests": {"cpu": 2}}), json!({"requests": {"cpu": 0}})),
            Json::Null
        );
    }

    #[test]
    fn a_device_has_the_same_request_and_limit() {
        let both = json!({"requests": {"nvidia.com/gpu": 1}, "limits": {"nvidia.com/gpu": 1}});
        assert_eq!(resolved(json!({}), json!({"requests": {"nvidia.com/gpu": 1}})), both);
        assert_eq!(resolved(json!({}), json!({"limits": {"nvidia.com/gpu": 1}})), both);
    }
}
