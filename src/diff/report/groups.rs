//! Objects with the same differences, which are shown once.

use super::words::title;
use crate::diff::model::{Diff, Fate, FieldChange, ObjectChange, Shown};
use crate::limits::thousands;
use crate::merge::fingerprint;
use crate::sorted::SortedMap;

/// The maximum number of objects of a group that are named, and of their commands.
const MOST_NAMED: usize = 10;

/// Objects with the same differences and outcome.
pub(super) struct Group<'d> {
    pub(super) first: &'d ObjectChange,
    others: Vec<&'d ObjectChange>,
}

impl<'d> Group<'d> {
    /// The objects with their titles: all of them, or the first of many with the number of the others.
    pub(super) fn named(&self) -> impl Iterator<Item = (String, &'d ObjectChange)> {
        let count = self.others.len();
        let others = if self.is_large() { &[][..] } else { &self.others };
        let first = title(self.first);
        let first =
            if self.is_large() { format!("{first} and {} more", thousands(count)) } else { first };
        let others = others.iter().map(|object| (title(object), *object));
        std::iter::once((first, self.first)).chain(others)
    }

    /// The number of objects but the first.
    pub(super) const fn count_of_others(&self) -> usize {
        self.others.len()
    }

    /// The commands of the outcomes, each once, and the number of those that are left out.
    pub(super) fn commands(&self) -> (Vec<&'d str>, usize) {
        let objects = std::iter::once(&self.first).chain(&self.others);
        let outcomes = objects.filter_map(|object| object.outcome.as_ref());
        let mut commands: Vec<_> =
            outcomes.flat_map(|outcome| &outcome.commands).map(String::as_str).collect();
        commands.dedup();
        let hidden = commands.len().saturating_sub(MOST_NAMED);
        commands.truncate(MOST_NAMED);
        (commands, hidden)
    }

    const fn is_large(&self) -> bool {
        self.others.len() >= MOST_NAMED
    }
}

/// Changed objects with the same differences and outcome, and many added or removed objects of one kind, in the
/// order of the first of each; any other object alone.
pub(super) fn groups(diff: &Diff) -> Vec<Group<'_>> {
    let keys: Vec<_> = diff.objects.iter().map(key).collect();
    let mut sizes: SortedMap<&[u8], usize> = SortedMap::new();
    for key in keys.iter().flatten() {
        *sizes.entry(key).or_default() += 1;
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: SortedMap<&[u8], usize> = SortedMap::new();
    for (object, key) in diff.objects.iter().zip(&keys) {
        let is_grouped = |key: &&Vec<u8>| {
            object.fate == Fate::Changed
                || sizes.get(key.as_slice()).is_some_and(|size| *size > MOST_NAMED)
        };
        let key = key.as_ref().filter(is_grouped);
        let at = key.map(|key| *known.entry(key).or_insert(groups.len()));
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.others.push(object),
            None => groups.push(Group { first: object, others: Vec::new() }),
        }
    }
    groups
}

/// Bytes that are equal for equal differences; `None` for an object that is shown alone.
fn key(object: &ObjectChange) -> Option<Vec<u8>> {
    if object.fate == Fate::Renamed
        || !object.findings.is_empty()
        || object.fields.iter().any(|field| field.is_hidden)
    {
        return None;
    }
    let mut key = vec![object.fate as u8];
    if object.fate != Fate::Changed {
        let at = object.object()?;
        key.extend(at.api_version.bytes().chain([0]).chain(at.kind.bytes()).chain([0]));
        key.extend(at.namespace.bytes().chain([0]));
    }
    for FieldChange { path, difference, old, new, .. } in &object.fields {
        key.extend(path.to_string().into_bytes());
        key.push(0);
        key.push(*difference as u8);
        for side in [old, new] {
            key.extend(side.len().to_le_bytes());
            for Shown { node, is_default, .. } in side {
                key.push(u8::from(*is_default));
                key.extend(fingerprint(node));
            }
        }
    }
    if let Some(outcome) = &object.outcome {
        key.extend(outcome.text.as_bytes());
        key.extend(outcome.details.iter().flat_map(|it| it.bytes()));
    }
    Some(key)
}
