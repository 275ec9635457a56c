//! The comparison of two lists: items with an identity by their keys, others in sequence.

use super::compare::{Around, Comparison, Position};
use super::meaning::{is_unordered, scalar_text};
use super::model::{Difference, Shown};
use super::sequence::{self, Step};
use crate::diag::PathStep;
use crate::merge::{fingerprint, identity, keys_of_items};
use crate::schema::{ListType, Type};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::content_hash;
use crate::tree::{Content, Node, Value};

/// Fields that identify the items of lists for which the schema declares no identity. The first ones
/// that all items have, with values that differ, are used.
const GUESSED: &[&[&str]] = &[
    &["name"],
    &["kind", "namespace", "name"],
    &["key"],
    &["id"],
    &["host"],
    &["path"],
    &["type"],
];

/// The number of items up to which all are shown if their order differs; of more, only those that
/// moved.
const MOST_SHOWN: usize = 12;

/// The items of a list by their keys, in order.
struct Keyed<'k> {
    keys: &'k [&'k str],
    items: Vec<(String, usize)>,
}

impl Comparison<'_> {
    /// Compares two lists.
    pub(super) fn list(&mut self, old: Position<'_>, new: Position<'_>, around: Around<'_>) {
        let lists = [old.items(), new.items()];
        let declared = keys_of_items(around.owner, around.field, around.ty);
        let ty = around.items().ty;
        let objects = lists.map(Keyed::of_objects);
        if let (None, [Some(of_old), Some(of_new)]) = (declared, &objects) {
            self.keyed((old, of_old), (new, of_new), around, false);
            return;
        }
        let keyed = match declared {
            Some(keys) => both_keyed(lists, keys, ty),
            None => GUESSED.iter().find_map(|keys| both_keyed(lists, keys, ty)),
        };
        match keyed {
            Some((of_old, of_new)) => {
                let is_ordered = around.is_ordered
                    || declared.is_none() && !is_unordered(around.owner, around.field);
                self.keyed((old, &of_old), (new, &of_new), around, is_ordered);
            }
            None if is_set(around) => self.set(old, new, around),
            None => self.sequence(old, new, around),
        }
    }

    fn keyed(
        &mut self,
        (old, of_old): (Position<'_>, &Keyed<'_>),
        (new, of_new): (Position<'_>, &Keyed<'_>),
        around: Around<'_>,
        is_ordered: bool,
    ) {
        let indexes = of_new.indexes();
        for (key, index) in &of_old.items {
            let other =
                indexes.get(key.as_str()).map_or_else(Position::default, |it| new.item(*it));
            let step = PathStep::Key(key.as_str().into());
            self.at(step, old.item(*index), other, around.items());
        }
        let known = of_old.indexes();
        for (key, index) in of_new.items.iter().filter(|it| !known.contains_key(it.0.as_str())) {
            let step = PathStep::Key(key.as_str().into());
            self.at(step, Position::default(), new.item(*index), around.items());
        }
        if is_ordered {
            let both = |keyed: &Keyed<'_>, other: &SortedMap<&str, usize>| -> Vec<(u64, usize)> {
                let items = keyed.items.iter();
                let items = items.filter(|it| other.contains_key(it.0.as_str()));
                items.map(|it| (content_hash(it.0.as_bytes()), it.1)).collect()
            };
            let (was, is) = (both(of_old, &indexes), both(of_new, &known));
            self.order((old, &was), (new, &is), of_new.keys);
        }
    }

    /// Records the items that moved, if the same items are in another order.
    fn order(
        &mut self,
        (old, was): (Position<'_>, &[(u64, usize)]),
        (new, is): (Position<'_>, &[(u64, usize)]),
        keys: &[&str],
    ) {
        let hashes = |items: &[(u64, usize)]| items.iter().map(|it| it.0).collect::<Vec<_>>();
        if hashes(was) == hashes(is) {
            return;
        }
        let shown = |at: usize, list: Position<'_>, index: usize| -> Option<Shown> {
            let mut shown = self.shown(at, list.item(index))?;
            if !keys.is_empty() {
                let name = label(&shown.node, keys);
                shown.node = shown.node.with_value(Value::String(name.as_str().into()));
            }
            Some(shown)
        };
        let moved = (was.len() > MOST_SHOWN).then(|| sequence::moved(&hashes(was), &hashes(is)));
        let is_shown =
            |it: &&(u64, usize)| moved.as_ref().is_none_or(|moved| moved.contains(&it.0));
        let of = |at: usize, list: Position<'_>, items: &[(u64, usize)]| -> Vec<Shown> {
            let items = items.iter().filter(is_shown);
            items.filter_map(|it| shown(at, list, it.1)).collect()
        };
        let (old, new) = (of(0, old, was), of(1, new, is));
        self.push(Difference::Order, old, new);
    }

    /// Compares two lists whose order means nothing.
    fn set(&mut self, old: Position<'_>, new: Position<'_>, around: Around<'_>) {
        let mut rest: SortedMap<Vec<u8>, Vec<usize>> = SortedMap::new();
        for (index, item) in new.items().iter().enumerate().rev() {
            rest.entry(fingerprint(item)).or_default().push(index);
        }
        let is_removed = |(_, item): &(usize, &Node)| {
            rest.get_mut(&fingerprint(item)).and_then(Vec::pop).is_none()
        };
        let removed: Vec<_> = old.items().iter().enumerate().filter(is_removed).collect();
        let removed: Vec<_> = removed.into_iter().map(|it| it.0).collect();
        let added: SortedSet<_> = rest.into_values().flatten().collect();
        let added: Vec<_> = added.into_iter().collect();
        let pairs = sequence::alike((old.items(), &removed), (new.items(), &added));
        self.pairs(pairs, (old, removed), (new, added), around);
    }

    /// Compares two lists as sequences.
    fn sequence(&mut self, old: Position<'_>, new: Position<'_>, around: Around<'_>) {
        let [of_old, of_new] = [old, new].map(|it| sequence::hashes(it.items()));
        let numbered = |hashes: &[u64]| hashes.iter().copied().zip(0..).collect::<Vec<_>>();
        if of_old.len() == of_new.len() && sequence::are_same_items(&of_old, &of_new) {
            self.order((old, &numbered(&of_old)), (new, &numbered(&of_new)), &[]);
            return;
        }
        let (mut removed, mut added, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for Step { old: gone, new: come } in sequence::steps(&of_old, &of_new) {
            pairs.extend(sequence::similar(old.items(), new.items(), &gone, &come));
            removed.extend(gone);
            added.extend(come);
        }
        self.pairs(pairs, (old, removed), (new, added), around);
    }

    /// Compares pairs of items, and records the others.
    fn pairs(
        &mut self,
        pairs: Vec<(usize, usize)>,
        (old, mut removed): (Position<'_>, Vec<usize>),
        (new, mut added): (Position<'_>, Vec<usize>),
        around: Around<'_>,
    ) {
        for (before, after) in &pairs {
            let step = PathStep::Index(*after);
            self.at(step, old.item(*before), new.item(*after), around.items());
        }
        let (olds, news): (SortedSet<_>, SortedSet<_>) = pairs.into_iter().unzip();
        removed.retain(|it| !olds.contains(it));
        added.retain(|it| !news.contains(it));
        self.push_items((old, removed), (new, added));
    }

    fn push_items(
        &mut self,
        (old, removed): (Position<'_>, Vec<usize>),
        (new, added): (Position<'_>, Vec<usize>),
    ) {
        if removed.is_empty() && added.is_empty() {
            return;
        }
        let old = removed.into_iter().filter_map(|it| self.shown(0, old.item(it))).collect();
        let new = added.into_iter().filter_map(|it| self.shown(1, new.item(it))).collect();
        self.push(Difference::Items, old, new);
    }
}

/// For each item of the second list, the one of the first with the same identity; `None` if the lists
/// are compared as a whole.
pub(super) fn partners(lists: [&[Node]; 2], around: Around<'_>) -> Option<Vec<Option<usize>>> {
    let ty = around.items().ty;
    let by = |keys: &[&str]| {
        let [first, second] = lists.map(|list| identities(list, keys, ty));
        let indexes: SortedMap<_, _> = first?.into_iter().zip(0..).collect();
        Some(second?.iter().map(|it| indexes.get(it).copied()).collect())
    };
    match keys_of_items(around.owner, around.field, around.ty) {
        Some(keys) => by(keys),
        None => GUESSED.iter().find_map(|keys| by(keys)),
    }
}

/// The identities of the items by these fields; `None` if one has none, or if two are equal.
fn identities(items: &[Node], keys: &[&str], ty: Type<'_>) -> Option<Vec<Vec<u8>>> {
    let of_item = |item: &Node| {
        item.as_map()?;
        item.get(keys.first()?)?;
        identity(item, keys, ty).ok()
    };
    let all: Vec<_> = items.iter().map(of_item).collect::<Option<_>>()?;
    let distinct: SortedSet<_> = all.iter().collect();
    (distinct.len() == all.len()).then_some(all)
}

/// The items of both lists by these fields, if all of them have an identity.
fn both_keyed<'k>(
    [old, new]: [&[Node]; 2],
    keys: &'k [&'k str],
    ty: Type<'_>,
) -> Option<(Keyed<'k>, Keyed<'k>)> {
    Some((Keyed::of(old, keys, ty)?, Keyed::of(new, keys, ty)?))
}

/// Whether the order of a list means nothing.
fn is_set(around: Around<'_>) -> bool {
    let is_declared =
        matches!(around.ty.base(), Type::List(list) if matches!(list.identity, ListType::Set));
    !around.is_ordered && (is_declared || is_unordered(around.owner, around.field))
}

impl<'k> Keyed<'k> {
    /// The items by these fields; `None` if one has none of them, or if two are equal.
    fn of(items: &[Node], keys: &'k [&'k str], ty: Type<'_>) -> Option<Self> {
        let mut seen = SortedSet::new();
        let mut keyed = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            item.as_map()?;
            item.get(keys.last()?).and_then(scalar_text)?;
            if !seen.insert(identity_of(item, keys, ty)) {
                return None;
            }
            keyed.push((label(item, keys), index));
        }
        Some(Self { keys, items: keyed })
    }

    /// The items as the objects that they are, which a program applies one by one; `None` if one is not an object, or if
    /// two have one identity.
    fn of_objects(items: &[Node]) -> Option<Self> {
        let mut seen = SortedSet::new();
        let mut keyed = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let version = item.str_at(&["apiVersion"])?;
            let group = version.split_once('/').map_or("", |(group, _)| group);
            let kind = item.str_at(&["kind"])?;
            let namespace = item.str_at(&["metadata", "namespace"]).unwrap_or_default();
            let name = item.str_at(&["metadata", "name"])?;
            if !seen.insert((group, kind, namespace, name)) {
                return None;
            }
            let slash = if namespace.is_empty() { "" } else { "/" };
            keyed.push((format!("{kind}/{namespace}{slash}{name}"), index));
        }
        Some(Self { keys: &[], items: keyed })
    }

    fn indexes(&self) -> SortedMap<&str, usize> {
        self.items.iter().map(|(key, index)| (key.as_str(), *index)).collect()
    }
}

/// The identity of an item, with the defaults of its keys.
fn identity_of(item: &Node, keys: &[&str], ty: Type<'_>) -> Vec<u8> {
    identity(item, keys, ty).unwrap_or_else(|_| {
        let values = keys.iter().filter_map(|key| item.get(key));
        values.flat_map(fingerprint).collect()
    })
}

/// The step of a path for an item: `main`, `80/TCP`.
fn label(item: &Node, keys: &[&str]) -> String {
    let values = keys.iter().filter_map(|key| item.get(key));
    let values: Vec<_> = values
        .map(|it| match it.content() {
            Content::List(_) | Content::Map(_) => String::new(),
            _ => scalar_text(it).unwrap_or_default(),
        })
        .collect();
    values.join("/")
}
