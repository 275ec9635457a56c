//! Known kinds with another `apiVersion`, and kinds with a similar name.

use crate::diag::nearest;
use crate::kube::Object;
use crate::schema::KubernetesVersion;
use crate::schema::store::{self, Kind};
use crate::sorted::CompactSort as _;

/// The group and the version in an `apiVersion`; the core group has no name.
pub(super) fn split_version(api_version: &str) -> (&str, &str) {
    api_version.rsplit_once('/').unwrap_or(("", api_version))
}

/// The API versions in which a kind with this name can be created, stable ones first.
pub(super) fn elsewhere(kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let mut found: Vec<_> =
        store::kinds_named(kind).iter().filter(|known| known.versions.contains(target)).collect();
    // Events exist in two groups; the newer one is preferred.
    found.compact_sort_by_key(|known| {
        (!known.is_served_by_default(), known.group.is_empty(), known.group)
    });
    found.first().copied()
}

/// The last version of a kind with this name that Kubernetes does not have any more, and when it was
/// removed.
pub(super) fn removed(kind: &str) -> Option<(&'static str, &'static Kind)> {
    let named = store::kinds_named(kind).iter();
    named
        .filter_map(|known| Some((known.removed?, known)))
        .max_by_key(|found| (found.0.len(), found.0))
}

/// Whether the group belongs to Kubernetes.
pub(super) fn is_built_in(group: &str) -> bool {
    store::kinds().iter().any(|kind| kind.group == group)
}

/// Whether the group is a misspelled Kubernetes group that has a kind with this name.
pub(super) fn is_near_miss(group: &str, kind: &str) -> bool {
    let groups = store::kinds_named(kind).iter().map(|it| it.group);
    group.len() < 64 && nearest(group, groups).is_some()
}

/// Whether a name is that of a built-in kind, in any version.
pub(super) fn is_named(kind: &str) -> bool {
    !store::kinds_named(kind).is_empty()
}

/// Whether an object with the name of a built-in kind is one of that kind and not a custom
/// resource: its group is reserved for Kubernetes, or its fields are those of the built-in kind
/// outside of `spec`, where almost all custom resources have theirs.
pub(super) fn is_meant(object: &Object, built_in: &Kind) -> bool {
    let group = object.gvk.group.as_str();
    if RESERVED.iter().any(|ending| group.ends_with(ending)) {
        return true;
    }
    let Some(definition) =
        built_in.definition.filter(|definition| definition.property("spec").is_none())
    else {
        return false;
    };
    let others = object.root.entries().iter().filter(|entry| !SHARED.contains(&entry.key.as_str()));
    let mut own = others.peekable();
    // OpenShift serves roles of its own.
    built_in.group != "rbac.authorization.k8s.io"
        && own.peek().is_some()
        && own.all(|entry| definition.property(&entry.key).is_some())
}

/// The ends of groups whose custom resources require the approval of Kubernetes
/// (`api-approved.kubernetes.io`).
const RESERVED: [&str; 2] = [".k8s.io", ".kubernetes.io"];
/// The fields of every object.
const SHARED: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The built-in kind with the nearest name, preferably in this group.
pub(super) fn near(group: &str, kind: &str, target: KubernetesVersion) -> Option<&'static Kind> {
    let known = || store::kinds().iter().filter(|built_in| built_in.versions.contains(target));
    let in_group =
        nearest(kind, known().filter(|built_in| built_in.group == group).map(|it| it.kind));
    if let Some(name) = in_group {
        return known()
            .filter(|built_in| built_in.group == group)
            .find(|built_in| built_in.kind == name);
    }
    nearest(kind, known().map(|it| it.kind)).and_then(|name| elsewhere(name, target))
}

/// The `List` kind with the nearest name in this group: `RoleList`.
pub(super) fn near_list(group: &str, kind: &str) -> Option<String> {
    let kinds = store::kinds().iter().filter(|built_in| built_in.group == group);
    let lists: Vec<_> = kinds.map(|built_in| format!("{}List", built_in.kind)).collect();
    nearest(kind, lists.iter().map(String::as_str)).map(str::to_owned)
}

/// The API version of a kind that only `kubectl kustomize` reads.
pub(super) fn of_kustomize(kind: &str) -> Option<&'static str> {
    match kind {
        "Kustomization" => Some("kustomize.config.k8s.io/v1beta1"),
        "Component" => Some("kustomize.config.k8s.io/v1alpha1"),
        _ => None,
    }
}
