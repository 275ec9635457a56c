//! Folds nodes that have the same neighbors into one node with a count.

use std::cmp::Ordering;

use super::{Hub, Item, Link, Parts, SELECTS};
use crate::sorted::{CompactSort as _, SortedMap};

/// The maximum number of equal nodes that are shown individually.
const SHOWN: usize = 3;
/// The maximum number of nodes in a readable picture. In a larger graph, all nodes of the same
/// kind, namespace and state are folded.
const READABLE: usize = 150;

/// Returns the same graph with fewer nodes, and links in place of hubs.
pub(super) fn fold(mut parts: Parts) -> (Vec<Item>, Vec<Link>) {
    // Folding nodes can make the nodes that they refer to equal, such as pools once their claims
    // are folded, so fold until nothing changes.
    loop {
        let before = parts.items.len();
        let neighbors = neighbors_of(&parts);
        parts = merge_equal(&parts, SHOWN, |position| neighbors.get(position));
        if parts.items.len() == before {
            break;
        }
    }
    if parts.items.len() > READABLE {
        parts = merge_equal(&parts, 1, |_| ());
    }
    sort_nodes(parts)
}

/// Sorts the nodes by namespace, kind and name.
fn sort_nodes(Parts { mut items, mut links, hubs }: Parts) -> (Vec<Item>, Vec<Link>) {
    for Hub { from, to } in hubs {
        let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
        links.extend(pairs.map(|(from, to)| Link { from, to, label: SELECTS }));
    }
    let mut order: Vec<_> = (0..items.len()).zip(items.drain(..)).collect();
    order.compact_sort_by(|(_, a), (_, b)| {
        let group = (&a.namespace, &a.kind).cmp(&(&b.namespace, &b.kind));
        group.then_with(|| compare_names(&a.name, &b.name))
    });
    let mut target = vec![0; order.len()];
    for (new, (old, item)) in order.into_iter().enumerate() {
        set_slot(&mut target, old, new);
        items.push(item);
    }
    (items, move_links(&links, &target))
}

/// The links with `target` applied to their positions, sorted and without duplicates.
fn move_links(links: &[Link], target: &[usize]) -> Vec<Link> {
    let move_link = |Link { from, to, label }: &Link| {
        let (from, to) = (*target.get(*from)?, *target.get(*to)?);
        (from != to).then_some(Link { from, to, label })
    };
    let mut moved: Vec<_> = links.iter().filter_map(move_link).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// A hub with `target` applied to its positions.
fn move_hub(hub: &Hub, target: &[usize]) -> Hub {
    let move_all = |positions: &[usize]| {
        let moved = positions.iter().filter_map(|position| target.get(*position).copied());
        let mut moved: Vec<_> = moved.collect();
        moved.sort_unstable();
        moved.dedup();
        moved
    };
    Hub { from: move_all(&hub.from), to: move_all(&hub.to) }
}

type Neighbors = Vec<(bool, usize, &'static str)>;

/// For each node, its neighbors: whether the node refers to the neighbor, the position of the
/// neighbor, and the label of the link. A hub is a neighbor of its nodes, after all of them: nodes that
/// select the same others are in the same hubs, because no two hubs have the same nodes that select.
fn neighbors_of(Parts { items, links, hubs }: &Parts) -> Vec<Neighbors> {
    let mut all = vec![Neighbors::new(); items.len()];
    let mut add = |own: usize, neighbor| {
        if let Some(list) = all.get_mut(own) {
            list.push(neighbor);
        }
    };
    for Link { from, to, label } in links {
        add(*from, (true, *to, *label));
        add(*to, (false, *from, *label));
    }
    for (number, Hub { from, to }) in hubs.iter().enumerate() {
        let position = items.len() + number;
        for own in from {
            add(*own, (true, position, SELECTS));
        }
        for own in to {
            add(*own, (false, position, SELECTS));
        }
    }
    for list in &mut all {
        list.sort_unstable();
    }
    all
}

/// Merges nodes of the same kind, namespace, state and `class` if there are more than `shown` of
/// them.
fn merge_equal<C: Ord>(
    Parts { items, links, hubs }: &Parts,
    shown: usize,
    class: impl Fn(usize) -> C,
) -> Parts {
    let mut groups = SortedMap::<_, Vec<usize>>::new();
    for (position, item) in items.iter().enumerate() {
        let key = (&item.namespace, &item.kind, item.state, class(position));
        groups.entry(key).or_default().push(position);
    }
    let mut target = vec![0; items.len()];
    let mut kept = Vec::new();
    for members in groups.values() {
        let is_folded = members.len() > shown;
        let mut of_group: Vec<_> = members.iter().filter_map(|member| items.get(*member)).collect();
        if is_folded {
            for member in members {
                set_slot(&mut target, *member, kept.len());
            }
            of_group.compact_sort_by(|a, b| compare_names(&a.name, &b.name));
            kept.extend(sum_of(&of_group));
            continue;
        }
        for (member, item) in members.iter().zip(of_group) {
            set_slot(&mut target, *member, kept.len());
            kept.push(item.clone());
        }
    }
    Parts {
        items: kept,
        links: move_links(links, &target),
        hubs: hubs.iter().map(|hub| move_hub(hub, &target)).collect(),
    }
}

fn set_slot(target: &mut [usize], at: usize, value: usize) {
    if let Some(slot) = target.get_mut(at) {
        *slot = value;
    }
}

/// Compares names so that `run-9` precedes `run-10`. Only the equal start of two names is read: a
/// name can have megabytes.
fn compare_names(one: &str, other: &str) -> Ordering {
    name_parts(one).cmp(name_parts(other))
}

/// The parts of a name, alternately digits and other characters, each with its number of digits.
fn name_parts(name: &str) -> impl Iterator<Item = (usize, &[u8])> {
    let chunks = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    chunks.map(|part| (if part.iter().all(u8::is_ascii_digit) { part.len() } else { 0 }, part))
}

/// The node that represents all of `items`, which are sorted by name.
fn sum_of(items: &[&Item]) -> Option<Item> {
    let (first, last) = (items.first()?, items.last()?);
    let last_name = last.last.as_ref().unwrap_or(&last.name);
    let count = items.iter().map(|it| it.count).sum();
    Some(Item { last: (count > 1).then(|| last_name.clone()), count, ..(*first).clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::State;

    /// Folds a graph without hubs.
    fn fold(items: Vec<Item>, links: Vec<Link>) -> (Vec<Item>, Vec<Link>) {
        super::fold(Parts { items, links, hubs: Vec::new() })
    }

    #[test]
    fn hubs_are_folded_as_their_links_are() {
        for (services, pods) in [(2, 2), (3, 5), (6, 9), (90, 80)] {
            let mut items: Vec<_> =
                (0..services).map(|number| item("Service", &format!("s{number}"))).collect();
            items.extend((0..pods).map(|number| item("Pod", &format!("p{number}"))));
            // The last Pod is selected by one Service alone.
            let hub = Hub {
                from: (0..services).collect(),
                to: (services..services + pods - 1).collect(),
            };
            let own = Link { from: 0, to: services + pods - 1, label: SELECTS };
            let pairs = hub.from.iter().flat_map(|from| hub.to.iter().map(move |to| (*from, *to)));
            let mut links: Vec<_> =
                pairs.map(|(from, to)| Link { from, to, label: SELECTS }).collect();
            links.push(own.clone());
            let with_hub = Parts { items: items.clone(), links: vec![own], hubs: vec![hub] };
            assert_eq!(super::fold(with_hub), fold(items, links), "{services} {pods}");
        }
    }

    fn item(kind: &str, name: &str) -> Item {
        Item {
            kind: kind.into(),
            namespace: "n".into(),
            name: name.into(),
            last: None,
            count: 1,
            state: State::Sound,
        }
    }

    #[test]
    fn claims_then_their_pools_are_folded() {
        let mut items = vec![item("Template", "t")];
        let mut links = Vec::new();
        for pool in 0..5 {
            let at = items.len();
            items.push(item("Pool", &format!("p{pool}")));
            links.push(Link { from: at, to: 0, label: "template" });
            for claim in 0..10 {
                links.push(Link { from: items.len(), to: at, label: "pool" });
                items.push(item("Claim", &format!("c{pool}{claim}")));
            }
        }
        let (items, links) = fold(items, links);
        let counts: Vec<_> = items.iter().map(|item| (item.kind.as_str(), item.count)).collect();
        assert_eq!(counts.iter().map(|it| it.1).sum::<usize>(), 56);
        assert_eq!(
            counts,
            [
                ("Claim", 10),
                ("Claim", 10),
                ("Claim", 10),
                ("Claim", 10),
                ("Claim", 10),
                ("Pool", 1),
                ("Pool", 1),
                ("Pool", 1),
                ("Pool", 1),
                ("Pool", 1),
                ("Template", 1)
            ]
        );
        assert_eq!(links.len(), 10);
    }

    #[test]
    fn a_large_graph_has_one_node_per_kind() {
        let items: Vec<_> =
            (0..400).map(|number| item("Claim", &format!("c{number:03}"))).collect();
        let links: Vec<_> =
            (0..400).map(|at| Link { from: at, to: (at + 1) % 400, label: "next" }).collect();
        let (items, links) = fold(items, links);
        assert_eq!((items.len(), links.len()), (1, 0));
        assert_eq!(items[0].title(), "c000 … c399");
        assert_eq!(items[0].heading(), "400 × Claim");
    }

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = ["run-10", "run-9b", "run", "run-9", "9", "10", "run-09", "a1b2", "a1b10"];
        names.sort_unstable_by(|a, b| compare_names(a, b));
        assert_eq!(
            names,
            ["a1b2", "a1b10", "run", "run-9", "run-9b", "run-09", "run-10", "9", "10"]
        );
    }

    #[test]
    fn a_few_equal_nodes_are_not_folded() {
        let items: Vec<_> = (0..3).map(|number| item("Claim", &format!("c{number}"))).collect();
        assert_eq!(fold(items.clone(), Vec::new()).0, items);
    }
}
