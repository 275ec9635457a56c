//! `StatefulSet`.

use super::judge::{Remedy, Update};

/// The fields of the `spec` that can change.
const MUTABLE: [&str; 7] = [
    "minReadySeconds",
    "ordinals",
    "persistentVolumeClaimRetentionPolicy",
    "replicas",
    "revisionHistoryLimit",
    "template",
    "updateStrategy",
];

/// Checks a `StatefulSet`.
pub(super) fn check_stateful_set(update: &mut Update<'_>) {
    let is_mutable = |field: &str| MUTABLE.contains(&field);
    let fixed = update.changes_in(&["spec"]).filter_map(|change| {
        let path = change.path();
        let field = path.fields().nth(1)?.to_owned();
        (!is_mutable(&field)).then(|| (field, change.clone()))
    });
    let mut changed: Vec<_> = fixed.collect();
    changed.dedup_by(|a, b| a.0 == b.0);
    for (field, change) in changed {
        update.changed(&change, &format!("spec.{field}"), Remedy::Orphan);
    }
}
