//! `SharedKinds`: one `GroupVersionKind` for all objects of a kind.

use std::sync::{Arc, Mutex, PoisonError};

use super::{GroupVersionKind, KindFacts};
use crate::sorted::{CompactSort as _, SortedSet};

/// The kinds of a run, each stored once with the facts of its system, because a run can have tens
/// of thousands of objects of few kinds.
#[derive(Debug, Default)]
pub struct SharedKinds {
    kinds: Mutex<Known>,
    /// Sorted by group and kind.
    facts: Vec<&'static KindFacts>,
}

/// The kinds that objects have so far.
#[derive(Debug, Default)]
struct Known {
    /// The first ones, of which most objects of a run are.
    first: Vec<Arc<GroupVersionKind>>,
    all: SortedSet<Arc<GroupVersionKind>>,
}

/// The number of kinds that are searched one by one.
const FIRST: usize = 8;

impl SharedKinds {
    /// Creates the set with the facts of the systems.
    pub fn new(facts: impl IntoIterator<Item = &'static KindFacts>) -> Self {
        let mut facts: Vec<_> = facts.into_iter().collect();
        facts.compact_sort_by_key(|facts| (facts.group, facts.kind));
        Self { kinds: Mutex::default(), facts }
    }

    /// The facts of a system about a kind.
    pub fn facts(&self, group: &str, kind: &str) -> Option<&'static KindFacts> {
        let at = self
            .facts
            .binary_search_by(|facts| (facts.group, facts.kind).cmp(&(group, kind)))
            .ok()?;
        self.facts.get(at).copied()
    }

    /// All facts of the systems, sorted by group and kind.
    pub fn all_facts(&self) -> &[&'static KindFacts] {
        &self.facts
    }

    /// The shared value for the kind with these two fields.
    pub fn get(&self, api_version: &str, kind: &str) -> Arc<GroupVersionKind> {
        let (group, version) = GroupVersionKind::group_and_version(api_version);
        let is_it =
            |known: &&Arc<GroupVersionKind>| known.is(group, kind) && known.version == version;
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kinds.first.iter().find(is_it) {
            return Arc::clone(known);
        }
        let mut wanted = GroupVersionKind::new(api_version, kind);
        if let Some(known) = kinds.all.get(&wanted) {
            return Arc::clone(known);
        }
        wanted.facts = self.facts(&wanted.group, &wanted.kind);
        let new = Arc::new(wanted);
        kinds.all.insert(Arc::clone(&new));
        if kinds.first.len() < FIRST {
            kinds.first.push(Arc::clone(&new));
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_a_kind_share_it() {
        let kinds = SharedKinds::default();
        let role = |version| kinds.get(version, "Role");
        let (first, second) = (role("rbac.authorization.k8s.io/v1"), role("v1"));
        assert!(Arc::ptr_eq(&first, &role("rbac.authorization.k8s.io/v1")));
        assert!(Arc::ptr_eq(&second, &role("v1")));
        assert_eq!(
            [first, second].map(|kind| format!("{kind}")),
            ["rbac.authorization.k8s.io/v1, Kind=Role", "v1, Kind=Role"]
        );
    }
}
