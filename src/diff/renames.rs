//! Objects with another name and nearly the same content.

use super::pairs::greedy;
use crate::kube::Object;
use crate::merge::fingerprint;
use crate::schema::store;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::content_hash;
use crate::tree::{Node, Value};

/// The number of pairs of a kind up to which all are compared; of more, only objects with equal
/// content are found.
const MOST_COMPARED: usize = 250_000;

/// The percentage of equal values from which an object is another form of one with another name.
const NEARLY_EQUAL: usize = 75;
/// The number of values of a custom resource from which a quarter can differ. Of fewer, the one that differs can be
/// what distinguishes it from all others of its kind.
const SEVERAL: usize = 8;
/// That for names that only differ in a hash at the end, or for one name in another namespace.
const WITH_LIKELY_NAME: usize = 30;

/// A hash of the content of an object, without its name.
pub(super) fn content(object: &Object) -> u64 {
    content_hash(&leaves(object).iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>())
}

/// Pairs of a removed and an added object that are forms of one object.
pub(super) fn find(
    (old, removed): (&[Object], &SortedSet<usize>),
    (new, added): (&[Object], &SortedSet<usize>),
) -> Vec<(usize, usize)> {
    let mut by_kind: SortedMap<&str, (Vec<Candidate<'_>>, Vec<Candidate<'_>>)> = SortedMap::new();
    for (index, object) in removed.iter().filter_map(|it| Some((*it, old.get(*it)?))) {
        by_kind.entry(&object.gvk.kind).or_default().0.push(Candidate::new(index, object));
    }
    for (index, object) in added.iter().filter_map(|it| Some((*it, new.get(*it)?))) {
        if let Some(of_kind) = by_kind.get_mut(object.gvk.kind.as_str()) {
            of_kind.1.push(Candidate::new(index, object));
        }
    }
    by_kind.into_values().flat_map(|(old, new)| best_pairs(&old, &new)).collect()
}

struct Candidate<'o> {
    index: usize,
    object: &'o Object,
    leaves: Vec<u64>,
}

impl<'o> Candidate<'o> {
    fn new(index: usize, object: &'o Object) -> Self {
        Self { index, object, leaves: leaves(object) }
    }
}

/// The best pairs of one kind, each object at most once.
fn best_pairs(old: &[Candidate<'_>], new: &[Candidate<'_>]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MOST_COMPARED {
        return equal_pairs(old, new);
    }
    let mut scored = Vec::new();
    for before in old {
        for after in new {
            let score = score(before, after);
            scored.extend(score.map(|it| (it, before.index, after.index)));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    greedy(scored.into_iter().map(|(_, before, after)| (before, after)))
}

fn equal_pairs(old: &[Candidate<'_>], new: &[Candidate<'_>]) -> Vec<(usize, usize)> {
    let mut by_content: SortedMap<&[u64], Vec<usize>> = SortedMap::new();
    for it in new.iter().rev().filter(|it| !it.leaves.is_empty()) {
        by_content.entry(&it.leaves).or_default().push(it.index);
    }
    let of_new = |it: &Candidate<'_>| {
        let after = by_content.get_mut(it.leaves.as_slice())?.pop()?;
        Some((it.index, after))
    };
    old.iter().filter_map(of_new).collect()
}

/// How likely two objects are forms of one: whether their names are, then the percentage of equal
/// values. `None` if they are not.
fn score(old: &Candidate<'_>, new: &Candidate<'_>) -> Option<(bool, usize)> {
    let (before, after) = (old.object, new.object);
    let is_one_name = before.name == after.name;
    let is_moved_group = is_one_name && before.namespace == after.namespace;
    let has_likely_name = is_one_name || stem(&before.name) == stem(&after.name);
    let total = old.leaves.len() + new.leaves.len();
    let same = 2 * common(&old.leaves, &new.leaves);
    let percentage = (same * 100).checked_div(total).unwrap_or(0);
    let is_small = old.leaves.len().min(new.leaves.len()) < SEVERAL;
    let least = match has_likely_name {
        true => WITH_LIKELY_NAME,
        false if is_small && is_custom(after) => 100,
        false => NEARLY_EQUAL,
    };
    let is_it = is_moved_group || total > 0 && percentage >= least;
    is_it.then_some((has_likely_name, percentage))
}

/// Whether the kind of an object is not one of Kubernetes' own.
fn is_custom(object: &Object) -> bool {
    let gvk = &object.gvk;
    store::kind(gvk.group(), gvk.version(), gvk.kind()).is_none()
}

/// The name without a hash at its end, such as kustomize adds: `settings-7d9f8c6b5t`.
fn stem(name: &str) -> &str {
    let is_hash = |it: &str| {
        matches!(it.len(), 8..=10)
            && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
            && it.bytes().any(|it| it.is_ascii_digit())
    };
    match name.rsplit_once('-') {
        Some((stem, end)) if is_hash(end) => stem,
        _ => name,
    }
}

/// The number of values that two sorted lists share.
fn common(old: &[u64], new: &[u64]) -> usize {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut count = 0;
    while let (Some(a), Some(b)) = (old.peek(), new.peek()) {
        let order = a.cmp(b);
        count += usize::from(order.is_eq());
        if order.is_le() {
            old.next();
        }
        if order.is_ge() {
            new.next();
        }
    }
    count
}

/// Sorted hashes of the values outside of `metadata`, each with its path.
fn leaves(object: &Object) -> Vec<u64> {
    let mut found = Vec::new();
    for entry in object.root.entries() {
        if !matches!(entry.key.as_str(), "apiVersion" | "kind" | "metadata" | "status") {
            collect(&entry.value, content_hash(entry.key.as_bytes()), &mut found);
        }
    }
    found.sort_unstable();
    found
}

fn collect(node: &Node, path: u64, found: &mut Vec<u64>) {
    match &node.value {
        Value::Null => {}
        Value::Map(map) => {
            for entry in map.entries() {
                collect(&entry.value, mixed(path, entry.key.as_bytes()), found);
            }
        }
        Value::List(items) => items.iter().for_each(|it| collect(it, mixed(path, b"[]"), found)),
        Value::String(text) if text.contains('\n') => {
            // A long text is as much content as its lines.
            found.extend(text.lines().map(|it| mixed(path, it.as_bytes())));
        }
        _ => found.push(mixed(path, &fingerprint(node))),
    }
}

fn mixed(path: u64, more: &[u8]) -> u64 {
    path.rotate_left(5) ^ content_hash(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_at_the_end_of_a_name_is_not_part_of_its_stem() {
        for (name, expected) in [
            ("settings-7d9f8c6b5t", "settings"),
            ("settings-production", "settings-production"),
            ("web-1", "web-1"),
            ("web", "web"),
        ] {
            assert_eq!(stem(name), expected);
        }
    }

    #[test]
    fn common_values_are_counted_once_each() {
        assert_eq!(common(&[1, 1, 2, 4], &[1, 2, 2, 3, 4]), 3);
    }
}
