//! Objects of the cluster itself: `Node`, `ResourceQuota`, `ServiceCIDR` and
//! `CustomResourceDefinition`. Follows the functions `Validate*Update` in Kubernetes'
//! `pkg/apis/core/validation/validation.go` and `pkg/apis/networking/validation`, and in
//! apiextensions-apiserver's `pkg/apis/apiextensions/validation`.

use super::judge::{Remedy, Update};
use crate::diag::message;
use crate::sorted::SortedSet;
use crate::tree::Node;

/// Checks a `Node`: what its cloud or the node controller has set stays.
pub(super) fn check_node(update: &mut Update<'_>) {
    let ranges = |root: &Node| {
        let all = texts_of(root, "podCIDRs");
        let first = root.str_at(&["spec", "podCIDR"]).filter(|it| !it.is_empty());
        match first {
            // Both fields are one; `podCIDR` counts if they differ.
            Some(first) if all.first().is_none_or(|range| range != first) => vec![first.to_owned()],
            _ => all,
        }
    };
    let (old, new) = (ranges(update.old), ranges(update.new));
    if !old.is_empty() && old != new {
        let paths = [["spec", "podCIDRs"], ["spec", "podCIDR"]];
        let change = paths.iter().find_map(|path| update.first_change(path));
        if let Some(change) = change {
            update.changed(&change, "spec.podCIDRs", Remedy::Recreate);
        }
    }
    let is_set = update.old.str_at(&["spec", "providerID"]).is_some_and(|it| !it.is_empty());
    let fields = [("providerID", is_set), ("externalID", true)];
    for (field, _) in fields.iter().filter(|it| it.1) {
        let change = update.first_change(&["spec", field]);
        if let Some(change) = change {
            update.changed(&change, &format!("spec.{field}"), Remedy::Recreate);
        }
    }
}

/// The strings of a list in the `spec`.
fn texts_of(root: &Node, field: &str) -> Vec<String> {
    let all = root.items_at(&["spec", field]).iter();
    all.filter_map(|node| node.as_str().map(str::to_owned)).collect()
}

/// Checks a `ResourceQuota`: its scopes are a set.
pub(super) fn check_quota(update: &mut Update<'_>) {
    let scopes = |root| texts_of(root, "scopes").into_iter().collect::<SortedSet<_>>();
    if scopes(update.old) != scopes(update.new) {
        update.immutable(&["spec", "scopes"], Remedy::Recreate);
    }
}

/// Checks a `ServiceCIDR`: a second range can be added.
pub(super) fn check_service_range(update: &mut Update<'_>) {
    let (old, new) = (texts_of(update.old, "cidrs"), texts_of(update.new, "cidrs"));
    let is_added = old.len() == 1 && new.len() == 2 && new.starts_with(&old);
    if !is_added {
        update.immutable(&["spec", "cidrs"], Remedy::Rename);
    }
}

/// Checks a `CustomResourceDefinition`. One without conditions is established, and its storage version
/// is in use.
pub(super) fn check_definition(update: &mut Update<'_>) {
    let conditions = update.old.items_at(&["status", "conditions"]);
    let is_established = |condition: &Node| {
        condition.str_at(&["type"]) == Some("Established")
            && condition.str_at(&["status"]) == Some("True")
    };
    if conditions.is_empty() || conditions.iter().any(is_established) {
        update.immutable(&["spec", "scope"], Remedy::Recreate);
        update.immutable(&["spec", "names", "kind"], Remedy::Recreate);
    }
    let versions = ["spec", "versions"];
    let name = |version: &Node| version.str_at(&["name"]).map(str::to_owned);
    let is_storage = |version: &&Node| version.get("storage").and_then(Node::as_bool) == Some(true);
    let recorded = update.old.items_at(&["status", "storedVersions"]);
    let mut stored: Vec<_> =
        recorded.iter().filter_map(|node| node.as_str().map(str::to_owned)).collect();
    stored.extend(update.old.items_at(&versions).iter().filter(is_storage).filter_map(name));
    let kept: Vec<_> = update.new.items_at(&versions).iter().filter_map(name).collect();
    let Some(gone) = stored.into_iter().find(|version| !kept.contains(version)) else { return };
    if let Some(change) = update.first_change(&versions) {
        let title = update.object.title();
        let message =
            message!("the version `{gone}` of {title} is removed, in which objects are stored");
        let help = "keep the version until all objects are stored in another one and it is removed from \
                    `status.storedVersions`";
        update.refuse(&change, message, help);
    }
}
