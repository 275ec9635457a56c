//! Objects with the same differences, which are shown once.

use crate::diff::model::{Diff, Fate, FieldChange, ObjectChange, Shown};
use crate::merge::fingerprint;
use crate::sorted::SortedMap;

/// Changed objects with the same differences and outcome, in the order of the first of each; any other
/// object alone.
pub(super) fn groups(diff: &Diff) -> Vec<Vec<&ObjectChange>> {
    let mut groups: Vec<Vec<&ObjectChange>> = Vec::new();
    let mut known: SortedMap<Vec<u8>, usize> = SortedMap::new();
    for object in &diff.objects {
        if object.fate != Fate::Changed
            || !object.findings.is_empty()
            || object.fields.iter().any(|it| it.is_hidden)
        {
            groups.push(vec![object]);
            continue;
        }
        let at = *known.entry(key(object)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(object),
            None => groups.push(vec![object]),
        }
    }
    groups
}

/// Bytes that are equal for equal differences.
fn key(object: &ObjectChange) -> Vec<u8> {
    let mut key = Vec::new();
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
        // Commands name their object.
        key.extend(outcome.commands.iter().flat_map(|it| it.bytes()));
    }
    key
}
