//! Known kinds with another `apiVersion`, and kinds with a similar name.

use crate::diag::nearest;
use crate::schema::KubernetesVersion;
use crate::schema::store::{self, Kind};

/// The API versions in which a kind with this name can be created, stable ones first.
pub(super) fn elsewhere(kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let mut found: Vec<_> =
        store::kinds_named(kind).iter().filter(|it| it.versions.contains(target)).collect();
    // Events exist in two groups; the newer one is preferred.
    found.sort_by_key(|it| (!it.is_served_by_default(), it.group.is_empty(), it.group));
    found.first().copied()
}

/// Whether the group belongs to Kubernetes.
pub(super) fn is_built_in(group: &str) -> bool {
    store::kinds().iter().any(|it| it.group == group)
}

/// Whether the group is a misspelled Kubernetes group that has a kind with this name.
pub(super) fn is_near_miss(group: &str, kind: &str) -> bool {
    let groups = store::kinds_named(kind).iter().map(|it| it.group);
    group.len() < 64 && nearest(group, groups).is_some()
}

/// The built-in kind with the nearest name, preferably in this group.
pub(super) fn near(group: &str, kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let known = || store::kinds().iter().filter(|it| it.versions.contains(target));
    let in_group = nearest(kind, known().filter(|it| it.group == group).map(|it| it.kind));
    if let Some(name) = in_group {
        return known().filter(|it| it.group == group).find(|it| it.kind == name);
    }
    nearest(kind, known().map(|it| it.kind)).and_then(|name| elsewhere(name, target))
}
