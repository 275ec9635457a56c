//! `PersistentVolumeClaim`, `PersistentVolume` and `CSINode`: follows the functions `Validate*Update`
//! in Kubernetes' `pkg/apis/core/validation/validation.go` and `pkg/apis/storage/validation`.
//!
//! A claim without status is bound, with the capacity that it requests.

use super::changes::{Change, same};
use super::judge::{Remedy, Update};
use crate::diag::message;
use crate::kube::Object;
use crate::scalar::Quantity;
use crate::tree::{Node, items};
use crate::validate::fields::text_at;

const STORAGE: [&str; 4] = ["spec", "resources", "requests", "storage"];
const CLASS: [&str; 2] = ["spec", "storageClassName"];
const ATTRIBUTES_CLASS: [&str; 2] = ["spec", "volumeAttributesClassName"];
const SOURCE: [&str; 2] = ["spec", "dataSource"];
const SOURCE_REF: [&str; 2] = ["spec", "dataSourceRef"];

/// The annotation that once named the class of a claim.
const OLD_CLASS: [&str; 3] = ["metadata", "annotations", "volume.beta.kubernetes.io/storage-class"];

/// The first version with `volumeAttributesClassName`; earlier ones drop the field.
const WITH_ATTRIBUTES_CLASS: u8 = 34;

/// Checks a `PersistentVolumeClaim`, whose class decides whether it grows.
pub(super) fn check_claim(update: &mut Update<'_>, classes: &[&Object]) {
    let is_bound =
        status_field(update, &["phase"]).is_none_or(|phase| phase.as_str() == Some("Bound"));
    let changes = update.changes_in(&["spec"]);
    for change in changes.cloned().collect::<Vec<_>>() {
        if change.is_in(&STORAGE) && is_bound {
            check_size(update, &change, classes);
        } else if change.is_in(&ATTRIBUTES_CLASS) {
            if update.minor >= WITH_ATTRIBUTES_CLASS {
                attributes_class(update, &change, is_bound);
            }
        } else if !is_free(update, &change) {
            update.changed(&change, &change.path().to_string(), Remedy::Copy);
            // The API server reports one error for the `spec`.
            break;
        }
    }
    let change = update.first_change(&OLD_CLASS);
    if let Some(change) = change.filter(|_| !is_moved(update)) {
        update.changed(&change, "metadata.annotations", Remedy::Copy);
    }
}

/// Whether a field of the `spec` can change because of the stored value.
fn is_free(update: &Update<'_>, change: &Change<'_>) -> bool {
    if change.is_at(&["spec", "volumeName"]) {
        return change.old.is_none_or(|node| node.as_str() == Some(""));
    }
    if change.is_at(&CLASS) {
        let old = update.old.at(&OLD_CLASS);
        return change.old.is_none() && (old.is_none() || same(old, change.new));
    }
    if change.is_in(&SOURCE) || change.is_in(&SOURCE_REF) {
        return is_same_source(update);
    }
    false
}

/// Whether both fields for the source have the same result: the API server sets each from the other,
/// so that it stays when the one in the manifest is removed. It drops sources in other namespaces, and
/// `dataSource` of other kinds than claims and snapshots.
fn is_same_source(update: &Update<'_>) -> bool {
    let source = |root: &Node, is_any: bool| {
        let is_kept = |reference: &&Node| is_any || reference.get("namespace").is_none();
        let is_known = |reference: &&Node| {
            let text = |field| text_at(reference, &[field]);
            is_any
                || matches!(
                    (text("apiGroup"), text("kind")),
                    ("", "PersistentVolumeClaim") | ("snapshot.storage.k8s.io", "VolumeSnapshot")
                )
        };
        root.at(&SOURCE_REF).filter(is_kept).or_else(|| root.at(&SOURCE).filter(is_known)).cloned()
    };
    let old = source(update.old, false);
    // Nothing is dropped from a claim that has a source.
    let new = source(update.new, old.is_some());
    let is_single = update.old.at(&SOURCE).is_none() || update.old.at(&SOURCE_REF).is_none();
    match (old, new) {
        (Some(_), None) => is_single,
        (old, new) => same(old.as_ref(), new.as_ref()),
    }
}

/// A value of the stored status; the form with defaults always has a phase.
fn status_field<'u>(update: &Update<'u>, path: &[&str]) -> Option<&'u Node> {
    update.written_old.root.get("status")?.at(path)
}

/// Whether the class moves from the annotation to the field.
fn is_moved(update: &Update<'_>) -> bool {
    let (old, new) = (update.old.at(&OLD_CLASS), update.new.at(&OLD_CLASS));
    old.is_some()
        && new.is_none()
        && update.old.at(&CLASS).is_none()
        && same(old, update.new.at(&CLASS))
}

/// A claim can grow; it can only shrink while a failed growth has not reached the capacity.
fn check_size(update: &mut Update<'_>, change: &Change<'_>, classes: &[&Object]) {
    let amount = |node: Option<&Node>| {
        let text = match node?.as_str() {
            Some(text) => text.to_owned(),
            None => node?.as_i64()?.to_string(),
        };
        Quantity::parse(&text).ok()
    };
    let (Some(old), new) = (amount(change.old), amount(change.new)) else { return };
    let capacity = match status_field(update, &[]) {
        None => Some(old),
        Some(_) => amount(status_field(update, &["capacity", "storage"])),
    };
    let is_too_small =
        |new: Quantity| new < old && capacity.is_some_and(|capacity| new <= capacity);
    if new.is_none_or(is_too_small) {
        let message = message!("{} becomes smaller", update.object.title());
        let help = "create a claim with another name and copy the data; a claim can only grow";
        update.refuse(change, message, help);
    } else if new.is_some_and(|new| new > old) {
        check_growth(update, change, classes);
    }
}

/// The admission plugin `PersistentVolumeClaimResize` only lets a claim grow whose class allows it.
fn check_growth(update: &mut Update<'_>, change: &Change<'_>, classes: &[&Object]) {
    let title = update.object.title();
    match update.old.str_at(&OLD_CLASS).or_else(|| update.old.str_at(&CLASS)) {
        Some("") => {
            let message = message!("{title} becomes larger, and has no StorageClass");
            let help = "create a claim with another name and copy the data";
            update.refuse(change, message, help);
        }
        Some(name) => {
            let class = classes.iter().find(|class| class.name() == name);
            if class.is_some_and(|class| !class.root.is_true("allowVolumeExpansion")) {
                let message = message!(
                    "{title} becomes larger, and StorageClass `{name}` has no `allowVolumeExpansion: true`"
                );
                let help = message!(
                    "if the driver can expand volumes, add `allowVolumeExpansion: true` to StorageClass `{name}`"
                );
                update.refuse(change, message, help);
            }
        }
        None => {}
    }
}

/// The class of attributes can change once the claim is bound, and not be removed once it is applied.
fn attributes_class(update: &mut Update<'_>, change: &Change<'_>, is_bound: bool) {
    let is_applied = status_field(update, &["currentVolumeAttributesClassName"]).is_some();
    let is_removed = change.new.is_none_or(|node| node.as_str() == Some(""));
    if !is_bound {
        update.changed(change, "spec.volumeAttributesClassName", Remedy::Copy);
    } else if is_applied && is_removed {
        let message =
            message!("`volumeAttributesClassName` of {} is removed", update.object.title());
        update.refuse(change, message, "name another VolumeAttributesClass");
    }
}

/// The fields of a volume that are not its source.
const NO_SOURCE: [&str; 9] = [
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "nodeAffinity",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeAttributesClassName",
    "volumeMode",
];

/// Labels of nodes and those that replace them.
const RENAMED: [(&str, &str); 5] = [
    ("beta.kubernetes.io/arch", "kubernetes.io/arch"),
    ("beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"),
    ("beta.kubernetes.io/os", "kubernetes.io/os"),
    ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"),
    ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"),
];

/// Checks a `PersistentVolume`.
pub(super) fn check_volume(update: &mut Update<'_>) {
    let source_field = |change: &Change<'_>| {
        let field = change.path().fields().nth(1)?.to_owned();
        let is_added_secret =
            change.old.is_none() && change.is_in(&["spec", "csi", "controllerExpandSecretRef"]);
        (!NO_SOURCE.contains(&field.as_str()) && !is_added_secret).then_some(field)
    };
    let source = update
        .changes_in(&["spec"])
        .find_map(|change| Some((source_field(change)?, change.clone())));
    if let Some((field, change)) = source {
        update.changed(&change, &format!("spec.{field}"), Remedy::Copy);
    }
    update.immutable(&["spec", "volumeMode"], Remedy::Copy);
    let affinity = ["spec", "nodeAffinity"];
    let is_set = update.old.at(&affinity).is_some();
    let change = update.first_change(&affinity);
    if let Some(change) = change.filter(|_| is_set && !has_renamed_labels(update)) {
        update.changed(&change, "spec.nodeAffinity", Remedy::Copy);
    }
    let change = update.first_change(&ATTRIBUTES_CLASS);
    let class =
        change.filter(|change| change.new.is_none() && update.minor >= WITH_ATTRIBUTES_CLASS);
    if let Some(change) = class {
        let title = update.object.title();
        let message = message!("`volumeAttributesClassName` of {title} is removed");
        update.refuse(&change, message, "name another VolumeAttributesClass");
    }
}

/// Whether the node affinity is the same but for labels that were renamed.
fn has_renamed_labels(update: &Update<'_>) -> bool {
    let path = ["spec", "nodeAffinity", "required", "nodeSelectorTerms"];
    let (olds, news) = (update.old.items_at(&path), update.new.items_at(&path));
    let is_same = |old: &Node, new: &Node| {
        let (from, to) = (text_at(old, &["key"]), text_at(new, &["key"]));
        let rest = |expression: &Node| {
            let mut expression = expression.clone();
            expression.as_map_mut().and_then(|map| map.remove("key"));
            expression
        };
        (from == to || RENAMED.contains(&(from, to))) && rest(old).same_value(&rest(new))
    };
    let same_terms = |(old, new): (&Node, &Node)| {
        ["matchExpressions", "matchFields"].iter().all(|list| {
            let (old, new) = (items(old, list), items(new, list));
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        })
    };
    olds.len() == news.len() && olds.iter().zip(news).all(same_terms)
}

/// Checks a `CSINode`: drivers can be added and removed, and their allocatable volumes can change
/// since 1.35.
pub(super) fn check_csi_node(update: &mut Update<'_>) {
    let path = ["spec", "drivers"];
    let has_mutable_count = update.minor >= 35;
    let fixed = |node: &Node| {
        let mut node = node.clone();
        if let Some(map) = node.as_map_mut().filter(|_| has_mutable_count) {
            map.remove("allocatable");
        }
        node
    };
    let (olds, news) = (update.old.items_at(&path), update.new.items_at(&path));
    let is_changed = |old: &Node| {
        let name = old.str_at(&["name"]);
        let new = news.iter().find(|driver| driver.str_at(&["name"]) == name);
        new.is_some_and(|new| !fixed(old).same_value(&fixed(new)))
    };
    if olds.iter().any(is_changed) {
        update.immutable(&["spec", "drivers"], Remedy::Recreate);
    }
}
