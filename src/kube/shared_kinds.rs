//! `SharedKinds`: one `GroupVersionKind` for all objects of a kind.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::GroupVersionKind;

/// The kinds of a run. A run has tens of thousands of objects and few kinds, so that each is there
/// once.
#[derive(Debug, Default)]
pub(crate) struct SharedKinds(Mutex<BTreeSet<Arc<GroupVersionKind>>>);

impl SharedKinds {
    /// The kind with these two fields, the same one each time.
    pub(crate) fn get(&self, api_version: &str, kind: &str) -> Arc<GroupVersionKind> {
        let wanted = GroupVersionKind::new(api_version, kind);
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kinds.get(&wanted) {
            return Arc::clone(known);
        }
        let new = Arc::new(wanted);
        kinds.insert(Arc::clone(&new));
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
            [first, second].map(|it| format!("{it}")),
            ["rbac.authorization.k8s.io/v1, Kind=Role", "v1, Kind=Role"]
        );
    }
}
