//! `Job`.

use super::changes::Change;
use super::judge::{Remedy, Update};
use crate::diag::message;
use crate::tree::Node;

const RECREATE: Remedy = Remedy::Recreate;

/// The fields of a Job that cannot change.
const FIELDS: [&[&str]; 6] = [
    &["spec", "backoffLimitPerIndex"],
    &["spec", "completionMode"],
    &["spec", "managedBy"],
    &["spec", "podFailurePolicy"],
    &["spec", "selector"],
    &["spec", "successPolicy"],
];

/// The fields of the template that can change before the Job is started.
const SCHEDULING: [&[&str]; 6] = [
    &["spec", "template", "metadata", "annotations"],
    &["spec", "template", "metadata", "labels"],
    &["spec", "template", "spec", "affinity", "nodeAffinity"],
    &["spec", "template", "spec", "nodeSelector"],
    &["spec", "template", "spec", "schedulingGates"],
    &["spec", "template", "spec", "tolerations"],
];

/// Checks a `Job`.
pub(super) fn check(update: &mut Update<'_>) {
    for path in FIELDS {
        update.immutable(path, RECREATE);
    }
    check_completions(update);
    let is_suspended = update.old.at(&["spec", "suspend"]).and_then(Node::as_bool) == Some(true);
    let is_started = update.old.at(&["status", "startTime"]).is_some();
    let is_open = is_suspended && !is_started;
    // The resources of containers can change from this version on.
    let has_mutable_resources = is_open && update.minor >= 36;
    let change = update.changes_in(&["spec", "template"]).find(|change| {
        !(is_open && (SCHEDULING.iter().any(|path| change.is_in(path)) || is_affinity(change)))
            && !(has_mutable_resources && is_resource(change))
    });
    if let Some(change) = change.cloned() {
        update.changed(&change, "spec.template", RECREATE);
    }
}

/// Whether an affinity is added or removed that has only rules for nodes.
fn is_affinity(change: &Change<'_>) -> bool {
    let has_only_nodes =
        |affinity: &Node| affinity.entries().iter().all(|entry| entry.key == "nodeAffinity");
    change.is_at(&["spec", "template", "spec", "affinity"])
        && change.old.or(change.new).is_some_and(has_only_nodes)
}

fn is_resource(change: &Change<'_>) -> bool {
    ["containers", "initContainers"]
        .iter()
        .any(|list| change.is_in(&["spec", "template", "spec", list, "*", "resources"]))
}

/// An indexed Job can be scaled: `completions` together with `parallelism`.
fn check_completions(update: &mut Update<'_>) {
    let path = ["spec", "completions"];
    let Some(change) = update.first_change(&path) else {
        return default_completions(update);
    };
    let is_indexed = update.new.str_at(&["spec", "completionMode"]) == Some("Indexed");
    if !is_indexed {
        return update.changed(&change, "spec.completions", RECREATE);
    }
    let number = |field| update.new.at(&["spec", field]).and_then(Node::as_i64);
    if change.new.is_some() && number("completions") != number("parallelism") {
        let title = update.object.title();
        let message = message!("`completions` of {title} is changed without `parallelism`");
        update.refuse(&change, message, "set `parallelism` to the same number");
    }
}

/// Without `completions`, a Job gets one if it has no `parallelism` either (`SetDefaults_Job`), so that
/// the removal of `parallelism` changes both. Added, it leaves the default that is stored.
fn default_completions(update: &mut Update<'_>) {
    let has = |root: &Node, field: &str| root.at(&["spec", field]).is_some();
    let gets_one = |root: &Node| !has(root, "completions") && !has(root, "parallelism");
    let has_none = |root: &Node| !has(root, "completions") && has(root, "parallelism");
    let (old, new) = (&update.written_old.root, &update.object.root);
    let is_changed = has_none(old) && gets_one(new);
    let change = update.first_change(&["spec", "parallelism"]);
    let Some(change) = change.filter(|_| is_changed) else { return };
    update.changed(&change, "spec.completions", RECREATE);
}
