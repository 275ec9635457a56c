//! What happens once a difference is applied with `kubectl apply`, from the facts of the controllers.

mod data;
mod definitions;
mod others;
mod replaced;
mod workloads;

use super::apply_request::has_sync_option;
use super::applying::{with_kept, with_lost};
use super::is_renewed_hook;
use super::model::{Fate, ObjectChange};
use super::pairs::{Key, key};
use crate::diag::FieldPath;
use crate::dialect::DIALECTS;
use crate::kube::{Hook, Object, meeting_namespace};
use crate::lower::{Changed, Dialect, Effect, Outcome};
use crate::project::Applier;
use crate::sorted::SortedSet;
use crate::tree::items;
use data::Users;
pub(super) use replaced::{of_recreation, of_refusal};

/// The outcome of each change; `None` if it is unknown.
pub(super) fn of_all(
    changes: &[ObjectChange],
    [old, new]: [&[Object]; 2],
    applier: Option<Applier>,
) -> Vec<Option<Outcome>> {
    let (before, after) = (identities(old), identities(new));
    let outcomes = changes
        .iter()
        .map(|change| of_copy(change, (&before, &after)).or_else(|| of(change, old, new)));
    let outcomes: Vec<_> = outcomes.collect();
    let is_restarting = |it: &&(&ObjectChange, &Option<Outcome>)| {
        it.1.as_ref().is_some_and(|it| it.effect == Effect::Restarts)
    };
    let pairs: Vec<_> = changes.iter().zip(&outcomes).collect();
    let restarting = pairs.iter().filter(is_restarting).filter_map(|it| it.0.new_index()).collect();
    let of_data = data::of_changes(changes, &Users::of(changes, new, restarting), old, new);
    let outcomes = outcomes.into_iter().zip(of_data).zip(changes);
    let outcomes = outcomes.map(|((outcome, of_data), change)| {
        let mut outcome = of_data.or(outcome);
        if let Some(kept) = &change.kept {
            outcome = Some(with_kept(outcome, kept));
        }
        if change.lost.is_empty() { outcome } else { Some(with_lost(outcome, change, applier)) }
    });
    outcomes.collect()
}

/// The objects that a side has, in any of its files.
fn identities(objects: &[Object]) -> SortedSet<Key<'_>> {
    objects.iter().map(key).collect()
}

/// The outcome if one of several forms of an object is removed or added, which the side has in another
/// file.
fn of_copy(
    change: &ObjectChange,
    (before, after): (&SortedSet<Key<'_>>, &SortedSet<Key<'_>>),
) -> Option<Outcome> {
    let at = change.object()?;
    let group = at.api_version.split_once('/').map_or("", |(group, _)| group);
    let of = (group, at.kind.as_str(), meeting_namespace(&at.namespace), at.name.as_str());
    match change.fate {
        Fate::Removed if after.contains(&of) => {
            Some(Outcome::new(Effect::Nothing, "another file still has the object"))
        }
        Fate::Added if before.contains(&of) => Some(Outcome::new(
            Effect::AtOnce,
            "another file has the object too: the last one that is applied wins",
        )),
        _ => None,
    }
}

fn of(change: &ObjectChange, old: &[Object], new: &[Object]) -> Option<Outcome> {
    if let Some(outcome) = outcome_of_remaining_hook(change, old, new) {
        return Some(outcome);
    }
    // That of a change that the API server rejects.
    if let Some(outcome) = &change.outcome {
        return Some(outcome.clone());
    }
    let [before, after] = change.forms(old, new);
    match (change.fate, before, after) {
        (Fate::Added, ..) => Some(Outcome::new(Effect::Created, "created")),
        (Fate::Removed, Some(gone), _) if Hook::of(gone).is_some() => {
            Some(Outcome::new(Effect::Nothing, "a hook, which is not part of the release"))
        }
        (Fate::Renamed, Some(gone), _) if Hook::of(gone).is_some() => {
            Some(Outcome::new(Effect::Created, "a hook, created under the new name when it runs"))
        }
        (Fate::Removed, Some(gone), _) => {
            let kept = kept_by(gone).map_or_else(String::new, |reason| format!(": {reason}"));
            let then = then_lost(gone).map_or_else(String::new, |it| format!("; {it}"));
            let text = format!("stays in the cluster until it is deleted{kept}{then}");
            Some(until_deleted(&text, gone))
        }
        (Fate::Renamed, Some(gone), _) => {
            let text = "created under the new name; the old object stays until it is deleted";
            Some(until_deleted(text, gone))
        }
        (Fate::Changed, ..) if change.fields.is_empty() => None,
        (Fate::Changed, Some(before), Some(after)) if is_renewed_hook(before, after) => {
            let runs = Hook::of(after)?.describe_runs();
            Some(Outcome::new(Effect::Later, format!("a hook, which {runs}")))
        }
        (Fate::Changed, Some(old), Some(after)) => {
            let is_version = |path: &&FieldPath| path.is(&["apiVersion"]);
            let paths = change.fields.iter().map(|field| &field.path);
            let paths: Vec<_> = paths.filter(|path| !is_version(path)).collect();
            if paths.is_empty() {
                let text = "no effect: only the version in which it is written changes";
                return Some(Outcome::new(Effect::Nothing, text));
            }
            let changed = Changed { old, new: after, paths: &paths, all: new };
            of_changed(&changed)
        }
        _ => None,
    }
}

/// The outcome of a changed hook that its program does not delete before its next event.
fn outcome_of_remaining_hook(
    change: &ObjectChange,
    old: &[Object],
    new: &[Object],
) -> Option<Outcome> {
    let [Some(before), Some(after)] = change.forms(old, new) else { return None };
    let (hook, _) = Hook::of(before).zip(Hook::of(after))?;
    if change.fate != Fate::Changed || hook.is_renewed() {
        return None;
    }
    let text = format!(
        "rejected: the hook already exists at its next event; delete it, or add `{}` to its delete policy",
        hook.renewing_policy()
    );
    Some(Outcome::new(Effect::Replaced, text).run_some(before.command("delete", "")))
}

/// Why the program that applies an object does not delete it once it has left the files.
fn kept_by(object: &Object) -> Option<&'static str> {
    let annotation = |key| object.root.str_at(&["metadata", "annotations", key]);
    if annotation("helm.sh/resource-policy") == Some("keep") {
        Some("Helm keeps it")
    } else if has_sync_option(object, "Prune=false") {
        Some("Argo CD does not prune it")
    } else if annotation("kustomize.toolkit.fluxcd.io/prune") == Some("disabled") {
        Some("Flux does not prune it")
    } else {
        None
    }
}

fn of_changed(changed: &Changed<'_>) -> Option<Outcome> {
    if let Some(dialect) = dialect_of(changed.new) {
        return (dialect.outcome)(changed);
    }
    workloads::outcome(changed).or_else(|| others::outcome(changed))
}

/// The system whose controllers handle an object.
fn dialect_of(object: &Object) -> Option<&'static Dialect> {
    let has = |it: &&Dialect| it.kind_facts.iter().any(|it| object.gvk.is(it.group, it.kind));
    DIALECTS.iter().copied().find(has)
}

/// What a deletion takes along, or leaves.
fn then_lost(object: &Object) -> Option<&'static str> {
    if let Some(dialect) = dialect_of(object) {
        return (dialect.then_lost)(object);
    }
    let gvk = &object.gvk;
    match (gvk.group(), gvk.kind()) {
        ("", "Namespace") => Some("its deletion deletes all objects in it"),
        ("", "PersistentVolumeClaim") => Some(
            "its deletion deletes the data, unless the reclaim policy of its volume is `Retain`",
        ),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            Some("its deletion deletes all objects of its kind")
        }
        ("apps", "StatefulSet") => {
            let spec = object.root.get("spec")?;
            let policy = spec.str_at(&["persistentVolumeClaimRetentionPolicy", "whenDeleted"]);
            let has_claims = !items(spec, "volumeClaimTemplates").is_empty();
            (has_claims && policy != Some("Delete"))
                .then_some("the claims of its Pods stay even then")
        }
        _ => None,
    }
}

fn until_deleted(text: &str, object: &Object) -> Outcome {
    Outcome::new(Effect::Stays, text).run_some(object.command("delete", ""))
}
