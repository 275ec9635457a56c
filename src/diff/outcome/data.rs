//! `ConfigMaps` and Secrets: volumes follow a change, environment variables never do.

use crate::diag::first_strings;
use crate::diff::model::{Fate, ObjectChange};
use crate::kube::{Hook, Object, PodSpec, Use, meeting_namespace, visit_pod_references};
use crate::lower::{Changed, Effect, Outcome};
use crate::sorted::{SortedMap, SortedSet};

/// The maximum number of objects that a line names.
const MOST_NAMED: usize = 3;

/// Kind, namespace and name of a `ConfigMap` or Secret.
type Key<'o> = (&'o str, &'o str, &'o str);

/// The objects whose Pods use the `ConfigMaps` and Secrets of the new side.
#[derive(Default)]
pub(super) struct Users<'o> {
    /// Each object with whether it uses them in environment variables.
    by_data: SortedMap<Key<'o>, Vec<(usize, bool)>>,
    /// The objects whose Pods restart anyway.
    restarting: SortedSet<usize>,
}

impl<'o> Users<'o> {
    /// The users of data, if any data changed.
    pub(super) fn of(
        changes: &[ObjectChange],
        new: &'o [Object],
        restarting: SortedSet<usize>,
    ) -> Self {
        let mut users = Self { by_data: SortedMap::new(), restarting };
        let is_data = |it: &ObjectChange| {
            it.fate == Fate::Changed
                && it.object().is_some_and(|it| matches!(it.kind.as_str(), "ConfigMap" | "Secret"))
        };
        if !changes.iter().any(is_data) {
            return users;
        }
        for (index, object) in new.iter().enumerate() {
            let Some(pod) = PodSpec::of(object) else { continue };
            visit_pod_references(&pod, &mut |found| {
                let in_environment = match found.reference.usage {
                    Use::Environment => true,
                    Use::Volume => false,
                    _ => return,
                };
                if let (Some((_, kind)), Some(name)) = (found.group_kind(), found.name.as_str()) {
                    let key = (kind, meeting_namespace(object.namespace()), name);
                    users.by_data.entry(key).or_default().push((index, in_environment));
                }
            });
        }
        users
    }
}

/// The outcomes of changed data.
pub(super) fn of_changes(
    changes: &[ObjectChange],
    users: &Users<'_>,
    old: &[Object],
    new: &[Object],
) -> Vec<Option<Outcome>> {
    let of = |change: &ObjectChange| {
        let [before, after] = change.forms(old, new);
        let (old, object) = (before?, after?);
        if change.fate != Fate::Changed || Hook::of(object).is_some() {
            return None;
        }
        let kind = match (object.gvk.group(), object.gvk.kind()) {
            ("", "ConfigMap") => "ConfigMap",
            ("", "Secret") => "Secret",
            _ => return None,
        };
        let paths: Vec<_> = change.fields.iter().map(|it| &it.path).collect();
        let both = Changed { old, new: object, paths: &paths, all: new };
        if change.outcome.is_some() || both.is_within(&[&["metadata"]]) {
            return None;
        }
        let found =
            users.by_data.get(&(kind, meeting_namespace(object.namespace()), object.name()));
        Some(outcome(found.map_or(&[][..], Vec::as_slice), users, new))
    };
    changes.iter().map(of).collect()
}

fn outcome(found: &[(usize, bool)], users: &Users<'_>, new: &[Object]) -> Outcome {
    let of = |in_environment: bool, restarts: bool| -> Vec<&Object> {
        let indexes: SortedSet<_> = found
            .iter()
            .filter(|it| it.1 == in_environment && users.restarting.contains(&it.0) == restarts)
            .map(|it| it.0)
            .collect();
        indexes.into_iter().filter_map(|it| new.get(it)).collect()
    };
    let (stale, volumes) = (of(true, false), of(false, false));
    let restarting: Vec<_> = of(true, true).into_iter().chain(of(false, true)).collect();
    if found.is_empty() {
        return Outcome::new(
            Effect::Later,
            "volumes follow within minutes, environment variables only in new Pods; no Pod restarts",
        );
    }
    let mut parts = Vec::new();
    if !stale.is_empty() {
        let keeps = if stale.len() == 1 { "keeps" } else { "keep" };
        let text = "the old environment variables until the Pods restart";
        parts.push(format!("{} {keeps} {text}", names(&stale)));
    }
    if !volumes.is_empty() {
        parts.push(format!(
            "volumes of {} follow within minutes, except with `subPath`",
            names(&volumes)
        ));
    }
    if !restarting.is_empty() {
        let (verb, reads) =
            if restarting.len() == 1 { ("restarts", "reads") } else { ("restart", "read") };
        parts.push(format!("{} {verb} anyway and {reads} it", names(&restarting)));
    }
    let effect = if stale.is_empty() { Effect::AtOnce } else { Effect::Waits };
    let outcome = Outcome::new(effect, parts.join("; "));
    let can_restart = |it: &&&Object| {
        it.gvk.group() == "apps"
            && matches!(it.gvk.kind(), "Deployment" | "StatefulSet" | "DaemonSet")
    };
    let commands = stale.iter().filter(can_restart).take(MOST_NAMED);
    commands.fold(outcome, |outcome, it| outcome.run_some(it.command("rollout restart", "")))
}

/// The names of some objects: `Deployment/a, Deployment/b and 3 more`.
fn names(objects: &[&Object]) -> String {
    let mut unique: Vec<_> = objects.iter().map(|it| it.describe()).collect();
    unique.dedup();
    first_strings(MOST_NAMED, ", ", unique)
}
