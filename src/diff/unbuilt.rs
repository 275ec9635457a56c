//! The objects that the old side lacks because of its errors. They may have existed, so that they are neither added
//! nor renamed.

use super::model::Side;
use super::pairs::{Key, Pair, key};
use crate::diag::Severity;
use crate::kube::{Object, meeting_namespace};
use crate::sorted::SortedSet;

/// What a side may have had.
pub(super) struct Unbuilt<'s> {
    /// The names of its files with errors.
    files: SortedSet<&'s str>,
    /// The objects of definitions with errors.
    objects: SortedSet<Key<'s>>,
}

impl<'s> Unbuilt<'s> {
    pub(super) fn of(side: &Side<'s>) -> Self {
        let findings = side.compilation.diagnostics.iter();
        let errors = findings.filter(|finding| finding.severity == Severity::Error);
        let files = errors.map(|error| side.workspace.file_at(error.primary.span).name());
        let objects = side.compilation.missing.iter().map(|object| {
            let namespace = meeting_namespace(&object.namespace);
            (object.group, object.kind, namespace, object.name.as_str())
        });
        Self { files: files.collect(), objects: objects.collect() }
    }

    /// Whether an object of the other side may have been one of them.
    pub(super) fn may_contain(&self, object: &Object, other: &Side<'_>) -> bool {
        self.objects.contains(&key(object))
            || self.files.contains(other.workspace.file_at(object.document).name())
    }

    /// Removes the pairs of which only the other side is known, and returns their objects.
    pub(super) fn take_unknown<'o>(
        &self,
        pairs: &mut Vec<Pair<'o>>,
        other: &Side<'_>,
    ) -> Vec<&'o Object> {
        let is_unknown = |pair: &Pair<'_>| {
            pair.old.is_none() && pair.new.is_some_and(|new| self.may_contain(new, other))
        };
        pairs.extract_if(.., |pair| is_unknown(pair)).filter_map(|pair| pair.new).collect()
    }
}
