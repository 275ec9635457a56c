//! The right kind under another `apiVersion`, and kinds with a near name.

use crate::diag::nearest;
use crate::schema::KubernetesVersion;
use crate::schema::store::{self, Kind};

/// Where a kind of this name can be created in the target version: stable versions first.
pub(super) fn elsewhere(kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let mut found: Vec<_> =
        store::kinds_named(kind).iter().filter(|it| it.versions.contains(target)).collect();
    // Events exist twice; the newer group is the one to write.
    found.sort_by_key(|it| (!it.is_served_by_default(), it.group.is_empty(), it.group));
    found.first().copied()
}

/// Whether the group is one of Kubernetes' own.
pub(super) fn is_built_in(group: &str) -> bool {
    store::kinds().iter().any(|it| it.group == group)
}

/// Whether the group is a misspelt one of Kubernetes' own which has a kind of this name.
pub(super) fn is_near_miss(group: &str, kind: &str) -> bool {
    let groups = store::kinds_named(kind).iter().map(|it| it.group);
    group.len() < 64 && nearest(group, groups).is_some()
}

/// The built-in kind that was most likely meant, of this group if there is one.
pub(super) fn near(group: &str, kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let known = || store::kinds().iter().filter(|it| it.versions.contains(target));
    let in_group = nearest(kind, known().filter(|it| it.group == group).map(|it| it.kind));
    if let Some(name) = in_group {
        return known().filter(|it| it.group == group).find(|it| it.kind == name);
    }
    nearest(kind, known().map(|it| it.kind)).and_then(|name| elsewhere(name, target))
}
