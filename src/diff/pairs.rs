//! The objects of both sides that are forms of one object.

use super::model::Side;
use super::renames;
use super::unbuilt::Unbuilt;
use crate::kube::{Object, meeting_namespace};
use crate::sorted::{SortedMap, SortedSet};

/// Two forms of an object, or an object that only one side has.
#[derive(Clone, Copy)]
pub(super) struct Pair<'o> {
    pub(super) old: Option<&'o Object>,
    pub(super) new: Option<&'o Object>,
    pub(super) old_index: Option<usize>,
    pub(super) new_index: Option<usize>,
    /// Whether the names differ.
    pub(super) is_renamed: bool,
}

impl<'o> Pair<'o> {
    /// The namespaces of both forms, if they differ.
    pub(super) fn namespaces(&self) -> Option<[&'o str; 2]> {
        let both = [self.old?, self.new?].map(|object| meeting_namespace(&object.namespace));
        let [old, new] = both;
        (old != new).then_some(both)
    }
}

/// The identity of an object: group, kind, namespace, name.
pub(super) type Key<'o> = (&'o str, &'o str, &'o str, &'o str);

pub(super) fn key(object: &Object) -> Key<'_> {
    let generated = || object.root.text_at(&["metadata", "generateName"]);
    let name = if object.name.is_empty() { generated() } else { &object.name };
    (&object.gvk.group, &object.gvk.kind, meeting_namespace(&object.namespace), name)
}

/// The pairs, in the order of the new side; objects of the old side alone follow.
pub(super) fn pairs<'o>(
    old_side: &Side<'o>,
    new_side: &Side<'o>,
    unbuilt: &Unbuilt<'_>,
) -> Vec<Pair<'o>> {
    pairs_by(key, old_side, new_side, |object| unbuilt.may_contain(object, new_side))
}

/// As `pairs`, where an object can have another namespace.
pub(super) fn pairs_across_namespaces<'o>(
    old_side: &Side<'o>,
    new_side: &Side<'o>,
) -> Vec<Pair<'o>> {
    let key = |object: &'o Object| {
        let (group, kind, _, name) = key(object);
        (group, kind, "", name)
    };
    pairs_by(key, old_side, new_side, |_| false)
}

/// An object for which `can_be_old` holds is not a renamed one.
fn pairs_by<'o>(
    key: impl Fn(&'o Object) -> Key<'o>,
    old_side: &Side<'o>,
    new_side: &Side<'o>,
    can_be_old: impl Fn(&Object) -> bool,
) -> Vec<Pair<'o>> {
    let (old, new) = (old_side.objects(), new_side.objects());
    let mut by_key: SortedMap<Key<'o>, (Vec<usize>, Vec<usize>)> = SortedMap::new();
    for (index, object) in old.iter().enumerate() {
        by_key.entry(key(object)).or_default().0.push(index);
    }
    for (index, object) in new.iter().enumerate() {
        by_key.entry(key(object)).or_default().1.push(index);
    }
    let mut of_new: SortedMap<usize, (usize, bool)> = SortedMap::new();
    let (mut removed, mut added) = (SortedSet::new(), SortedSet::new());
    for (olds, news) in by_key.into_values() {
        let matched = matched((old_side, &olds), (new_side, &news));
        let known: SortedSet<_> = matched.iter().map(|it| it.0).collect();
        removed.extend(olds.into_iter().filter(|it| !known.contains(it)));
        let known: SortedSet<_> = matched.iter().map(|it| it.1).collect();
        added.extend(news.into_iter().filter(|it| !known.contains(it)));
        of_new.extend(matched.into_iter().map(|(old, new)| (new, (old, false))));
    }
    added.retain(|index| !new.get(*index).is_some_and(&can_be_old));
    for (before, after) in renames::find((old, &removed), (new, &added)) {
        removed.remove(&before);
        of_new.insert(after, (before, true));
    }
    let forms = new.iter().enumerate().map(|(index, object)| {
        let before = of_new.get(&index).copied();
        Pair {
            old: before.and_then(|it| old.get(it.0)),
            new: Some(object),
            old_index: before.map(|it| it.0),
            new_index: Some(index),
            is_renamed: before.is_some_and(|it| it.1),
        }
    });
    let gone = removed.iter().map(|index| Pair {
        old: old.get(*index),
        new: None,
        old_index: Some(*index),
        new_index: None,
        is_renamed: false,
    });
    forms.chain(gone).collect()
}

/// The maximum number of pairs of files whose names are compared.
const MOST_COMPARED: usize = 10_000;

/// The pairs of objects with one identity. Directories with several variants of an object have
/// several: those with equal content are pairs, then those whose files have similar names,
/// then the others in order.
fn matched(
    (old, olds): (&Side<'_>, &[usize]),
    (new, news): (&Side<'_>, &[usize]),
) -> Vec<(usize, usize)> {
    if let ([old], [new]) = (olds, news) {
        return vec![(*old, *new)];
    }
    let (mut olds, mut news) = (olds.to_vec(), news.to_vec());
    let mut matched = Vec::new();
    let content = |of: &Side<'_>, index: &usize| of.objects().get(*index).map(renames::content);
    let mut by_content: SortedMap<_, Vec<usize>> = SortedMap::new();
    for index in news.iter().rev() {
        by_content.entry(content(new, index)).or_default().push(*index);
    }
    for before in &olds {
        let after = by_content.get_mut(&content(old, before)).and_then(Vec::pop);
        matched.extend(after.map(|it| (*before, it)));
    }
    take(&matched, &mut olds, &mut news);
    let by_file = by_file((old, &olds), (new, &news));
    take(&by_file, &mut olds, &mut news);
    matched.extend(by_file);
    matched.extend(olds.into_iter().zip(news));
    matched
}

/// Removes the objects that have a pair.
fn take(matched: &[(usize, usize)], olds: &mut Vec<usize>, news: &mut Vec<usize>) {
    let (of_old, of_new): (SortedSet<_>, SortedSet<_>) = matched.iter().copied().unzip();
    olds.retain(|it| !of_old.contains(it));
    news.retain(|it| !of_new.contains(it));
}

/// The first pairs, of which no two have an object in common.
pub(super) fn greedy(pairs: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let (mut olds, mut news) = (SortedSet::new(), SortedSet::new());
    let mut taken = Vec::new();
    for (before, after) in pairs {
        if !olds.contains(&before) && !news.contains(&after) {
            olds.insert(before);
            news.insert(after);
            taken.push((before, after));
        }
    }
    taken
}

/// The pairs whose files have similar paths, from their ends.
fn by_file(
    (old, olds): (&Side<'_>, &[usize]),
    (new, news): (&Side<'_>, &[usize]),
) -> Vec<(usize, usize)> {
    if olds.len().saturating_mul(news.len()) > MOST_COMPARED {
        return Vec::new();
    }
    let file = |side: &Side<'_>, index: usize| -> Vec<String> {
        let object = side.objects().get(index);
        let name = object.map_or("", |it| side.workspace.file_at(it.document).name());
        name.rsplit('/').map(ToOwned::to_owned).collect()
    };
    let of_new: Vec<_> = news.iter().map(|it| (*it, file(new, *it))).collect();
    let mut scored = Vec::new();
    for before in olds {
        let path = file(old, *before);
        for (after, other) in &of_new {
            let same = path.iter().zip(other).take_while(|(a, b)| a == b).count();
            scored.extend((same > 0).then_some((same, *before, *after)));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    greedy(scored.into_iter().map(|(_, before, after)| (before, after)))
}
