//! Folds nodes that have the same neighbors into one node with a count.

use std::cmp::Ordering;

use super::{Item, Link};
use crate::sorted::{CompactSort as _, SortedMap};

/// The maximum number of equal nodes that are shown individually.
const SHOWN: usize = 3;
/// The maximum number of nodes in a readable picture. In a larger graph, all nodes of the same
/// kind, namespace and state are folded.
const READABLE: usize = 150;

/// Returns the same graph with fewer nodes.
pub(super) fn fold(items: Vec<Item>, links: Vec<Link>) -> (Vec<Item>, Vec<Link>) {
    // Folding nodes can make the nodes that they refer to equal, such as pools once their claims
    // are folded, so fold until nothing changes.
    let (mut items, mut links) = (items, links);
    loop {
        let before = items.len();
        let neighbors = neighbors(items.len(), &links);
        (items, links) = merged(&items, &links, SHOWN, |position| neighbors.get(position));
        if items.len() == before {
            break;
        }
    }
    if items.len() > READABLE {
        (items, links) = merged(&items, &links, 1, |_| ());
    }
    sorted(items, &links)
}

/// Sorts the nodes by namespace, kind and name.
fn sorted(mut items: Vec<Item>, links: &[Link]) -> (Vec<Item>, Vec<Link>) {
    let mut order: Vec<_> = (0..items.len()).zip(items.drain(..)).collect();
    order.compact_sort_by(|(_, a), (_, b)| {
        let group = (&a.namespace, &a.kind).cmp(&(&b.namespace, &b.kind));
        group.then_with(|| compare(&a.name, &b.name))
    });
    let mut target = vec![0; order.len()];
    for (new, (old, item)) in order.into_iter().enumerate() {
        set(&mut target, old, new);
        items.push(item);
    }
    (items, moved(links, &target))
}

/// The links with `target` applied to their positions, sorted and without duplicates.
fn moved(links: &[Link], target: &[usize]) -> Vec<Link> {
    let at = |position: usize| target.get(position).copied().unwrap_or(0);
    let links = links.iter().map(|it| Link { from: at(it.from), to: at(it.to), label: it.label });
    let mut links: Vec<_> = links.filter(|it| it.from != it.to).collect();
    links.sort_unstable();
    links.dedup();
    links
}

type Neighbors = Vec<(bool, usize, &'static str)>;

/// For each node, its neighbors: whether the node refers to the neighbor, the position of the
/// neighbor, and the label of the link.
fn neighbors(count: usize, links: &[Link]) -> Vec<Neighbors> {
    let mut all = vec![Neighbors::new(); count];
    for Link { from, to, label } in links {
        for (own, other, refers) in [(from, to, true), (to, from, false)] {
            if let Some(list) = all.get_mut(*own) {
                list.push((refers, *other, label));
            }
        }
    }
    for list in &mut all {
        list.sort_unstable();
    }
    all
}

/// Merges nodes of the same kind, namespace, state and `class` if there are more than `shown` of
/// them.
fn merged<C: Ord>(
    items: &[Item],
    links: &[Link],
    shown: usize,
    class: impl Fn(usize) -> C,
) -> (Vec<Item>, Vec<Link>) {
    let mut groups = SortedMap::<_, Vec<usize>>::new();
    for (position, item) in items.iter().enumerate() {
        let key = (&item.namespace, &item.kind, item.state, class(position));
        groups.entry(key).or_default().push(position);
    }
    let mut target = vec![0; items.len()];
    let mut kept = Vec::new();
    for members in groups.values() {
        let is_folded = members.len() > shown;
        let mut of_group: Vec<_> = members.iter().filter_map(|it| items.get(*it)).collect();
        if is_folded {
            for member in members {
                set(&mut target, *member, kept.len());
            }
            of_group.compact_sort_by(|a, b| compare(&a.name, &b.name));
            kept.extend(sum(&of_group));
            continue;
        }
        for (member, item) in members.iter().zip(of_group) {
            set(&mut target, *member, kept.len());
            kept.push(item.clone());
        }
    }
    (kept, moved(links, &target))
}

fn set(target: &mut [usize], at: usize, value: usize) {
    if let Some(slot) = target.get_mut(at) {
        *slot = value;
    }
}

/// Compares names so that `run-9` precedes `run-10`. Only the equal start of two names is read: a
/// name can have megabytes.
fn compare(one: &str, other: &str) -> Ordering {
    parts(one).cmp(parts(other))
}

/// The parts of a name, alternately digits and other characters, each with its number of digits.
fn parts(name: &str) -> impl Iterator<Item = (usize, &[u8])> {
    let parts = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    parts.map(|it| (if it.iter().all(u8::is_ascii_digit) { it.len() } else { 0 }, it))
}

/// The node that represents all of `items`, which are sorted by name.
fn sum(items: &[&Item]) -> Option<Item> {
    let first = items.first()?;
    let last = items.last()?;
    let last = last.last.clone().unwrap_or_else(|| last.name.clone());
    let count = items.iter().map(|it| it.count).sum();
    Some(Item { last: (count > 1).then_some(last), count, ..(*first).clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::State;

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
        let counts: Vec<_> = items.iter().map(|it| (it.kind.as_str(), it.count)).collect();
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
        let items: Vec<_> = (0..400).map(|it| item("Claim", &format!("c{it:03}"))).collect();
        let links: Vec<_> =
            (0..400).map(|it| Link { from: it, to: (it + 1) % 400, label: "next" }).collect();
        let (items, links) = fold(items, links);
        assert_eq!((items.len(), links.len()), (1, 0));
        assert_eq!(items[0].title(), "c000 … c399");
        assert_eq!(items[0].heading(), "400 × Claim");
    }

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = ["run-10", "run-9b", "run", "run-9", "9", "10", "run-09", "a1b2", "a1b10"];
        names.sort_unstable_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            ["a1b2", "a1b10", "run", "run-9", "run-9b", "run-09", "run-10", "9", "10"]
        );
    }

    #[test]
    fn a_few_equal_nodes_are_not_folded() {
        let items: Vec<_> = (0..3).map(|it| item("Claim", &format!("c{it}"))).collect();
        assert_eq!(fold(items.clone(), Vec::new()).0, items);
    }
}
