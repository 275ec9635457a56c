//! The requests and limits of containers as admission sees them: with the defaults of the API
//! server and of `LimitRange` objects.

use super::limit_range::{DefaultAmount, Ranges};
use crate::kube::{Container, PodSpec};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Map, Node};
use crate::validate::need::Need;
use crate::validate::rules::amount;

/// Quantities by resource, in thousandths.
pub(super) type Amounts<'n> = SortedMap<&'n str, i128>;

/// A container with its quantities.
pub(super) struct Resources<'n> {
    pub(super) container: Container<'n>,
    pub(super) requests: Amounts<'n>,
    pub(super) limits: Amounts<'n>,
    /// The resources whose defaults depend on the order of several `LimitRange` objects.
    pub(super) unknown: SortedSet<&'n str>,
    /// The quantities as written.
    written_limits: &'n Map,
    written_requests: &'n Map,
}

impl<'n> Resources<'n> {
    fn read(container: Container<'n>) -> Self {
        let of = |field: &str| amounts(container.node.at(&["resources", field]));
        let (mut requests, limits) = (of("requests"), of("limits"));
        for (name, limit) in &limits {
            requests.entry(name).or_insert(*limit);
        }
        let [written_limits, written_requests] =
            ["limits", "requests"].map(|field| Map::of(container.node.at(&["resources", field])));
        let unknown = SortedSet::new();
        Self { container, requests, limits, unknown, written_limits, written_requests }
    }

    fn fill(&mut self, ranges: &Ranges<'n>) {
        for (own, defaults) in [
            (&mut self.limits, &ranges.default_limits),
            (&mut self.requests, &ranges.default_requests),
        ] {
            for (name, DefaultAmount { amount, is_unknown }) in defaults {
                if own.contains_key(name) {
                    continue;
                }
                if *is_unknown {
                    self.unknown.insert(*name);
                }
                own.extend(amount.map(|amount| (*name, amount)));
            }
        }
    }

    /// The quantities of `limits` or `requests`.
    pub(super) fn of(&self, field: &str) -> &Amounts<'n> {
        if field == "limits" { &self.limits } else { &self.requests }
    }

    /// The quantity as written in the container, if it is.
    pub(super) fn written(&self, field: &str, name: &str) -> Option<&'n Node> {
        let written = if field == "limits" { self.written_limits } else { self.written_requests };
        written.get(name).filter(|it| !it.is_null())
    }

    /// What a finding about a resource that is not written points at.
    pub(super) fn place(&self) -> &'n Node {
        let node = self.container.node;
        node.get("resources").or_else(|| node.get("name")).unwrap_or(node)
    }

    /// Whether it runs alongside the regular containers.
    pub(super) fn is_sidecar(&self) -> bool {
        self.container.node.str_at(&["restartPolicy"]) == Some("Always")
    }
}

/// The init and regular containers of a Pod.
pub(super) fn containers<'n>(pod: &PodSpec<'n>, ranges: &Ranges<'n>) -> Vec<Resources<'n>> {
    let all = pod.containers().filter(|container| container.list != "ephemeralContainers");
    let filled = all.map(|container| {
        let mut resources = Resources::read(container);
        resources.fill(ranges);
        resources
    });
    filled.collect()
}

/// Reads the quantities of a map; invalid ones are reported elsewhere.
pub(super) fn amounts(map: Option<&Node>) -> Amounts<'_> {
    let entries = map.map_or(&[][..], Node::entries).iter();
    entries.filter_map(|entry| Some((entry.key.as_str(), amount(&entry.value)?))).collect()
}

/// The requests or limits of a whole Pod.
pub(super) fn total<'n>(
    pod: &PodSpec<'n>,
    containers: &[Resources<'n>],
    field: &'static str,
) -> Amounts<'n> {
    let mut needs: SortedMap<&'n str, Need> = SortedMap::new();
    for resources in containers {
        let is_regular = resources.container.list == "containers";
        for (name, amount) in resources.of(field) {
            let need = needs.entry(*name).or_default();
            if is_regular {
                need.add_regular(*amount);
            } else {
                need.add_init(*amount, resources.is_sidecar());
            }
        }
    }
    let mut sum: Amounts<'n> = needs.iter().map(|(name, need)| (*name, need.total())).collect();
    let whole = pod.spec.get("resources");
    let whole_of = |field: &str| amounts(whole.and_then(|it| it.get(field)));
    for (name, value) in whole_of(field) {
        if matches!(name, "cpu" | "memory") {
            sum.insert(name, value);
        }
    }
    if field == "requests" {
        for (name, limit) in whole_of("limits") {
            if matches!(name, "cpu" | "memory") {
                sum.entry(name).or_insert(limit);
            }
        }
    }
    sum
}

pub(super) fn add<'n>(sum: &mut Amounts<'n>, more: &Amounts<'n>) {
    for (name, value) in more {
        let entry = sum.entry(name).or_default();
        *entry = entry.saturating_add(*value);
    }
}

/// A quantity as authors write it: `500m`, `2`, `3Gi`.
pub(super) fn shown(thousandths: i128) -> String {
    if thousandths % 1000 != 0 {
        return format!("{thousandths}m");
    }
    let whole = thousandths / 1000;
    for (suffix, size) in [("Gi", 1_i128 << 30), ("Mi", 1 << 20)] {
        if whole >= size && whole % size == 0 {
            return format!("{}{suffix}", whole / size);
        }
    }
    whole.to_string()
}
