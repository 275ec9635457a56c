//! Storage classes of claims, and default classes.

use super::{
    Check, DEFAULT_CLASS_AMBIGUOUS, PERSISTENT_VOLUME_NOT_FOUND, Reference, STORAGE_CLASS_NOT_FOUND,
};
use crate::diag::{Diagnostic, Severity, message};
use crate::kube::{Object, is_default_class};
use crate::sorted::SortedSet;
use crate::tree::{Node, Path};
use crate::validate::duplicates::AcrossFiles;

const STORAGE: &str = "storage.k8s.io";

/// Kinds whose controllers install charts and other manifests, which can contain classes.
const INSTALLERS: [(&str, &str); 4] = [
    ("argoproj.io", "Application"),
    ("argoproj.io", "ApplicationSet"),
    ("helm.cattle.io", "HelmChart"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
];

/// Checks the classes of all claims, if the input has or declares classes: otherwise they belong to
/// the cluster.
pub(super) fn check_claims(check: &mut Check<'_, '_>) {
    let set = check.set;
    let has_classes = set.of_kind(STORAGE, "StorageClass").next().is_some()
        || set.external_names(STORAGE, "StorageClass").next().is_some();
    if !has_classes || has_installers(check) {
        return;
    }
    // A claim also binds to a volume with the same name of a class that does not exist.
    let volumes = set.of_kind("", "PersistentVolume");
    let of_volumes =
        volumes.filter_map(|volume| volume.root.str_at(&["spec", "storageClassName"])).collect();
    let root = Path::root();
    let spec = root.field("spec");
    for claim in set.of_kind("", "PersistentVolumeClaim") {
        check_class(check, &of_volumes, claim, claim.root.get("spec"), &spec);
    }
    for owner in set.all() {
        for (index, template) in owner.volume_claim_templates().iter().enumerate() {
            let templates = spec.field("volumeClaimTemplates");
            let path = templates.index(index);
            check_class(check, &of_volumes, owner, template.get("spec"), &path.field("spec"));
        }
    }
}

/// Whether an object installs manifests that the input does not show.
fn has_installers(check: &Check<'_, '_>) -> bool {
    INSTALLERS.iter().any(|(group, kind)| check.set.of_kind(group, kind).next().is_some())
}

/// Checks the volumes that claims name, if the input has or declares volumes: otherwise they belong to the
/// cluster.
pub(super) fn check_volumes(check: &mut Check<'_, '_>) {
    let set = check.set;
    let has_volumes = set.of_kind("", "PersistentVolume").next().is_some()
        || set.external_names("", "PersistentVolume").next().is_some();
    if !has_volumes || has_installers(check) {
        return;
    }
    let root = Path::root();
    let spec = root.field("spec");
    for claim in set.of_kind("", "PersistentVolumeClaim") {
        let Some(node) = claim.root.at(&["spec", "volumeName"]) else { continue };
        let reference = Reference {
            rule: &PERSISTENT_VOLUME_NOT_FOUND,
            group: "",
            kind: "PersistentVolume",
            namespace: "",
            node,
            consequence: "the claim stays pending, and its Pods do not start",
        };
        check.look_up(claim, &reference, &spec.field("volumeName"));
    }
}

fn check_class(
    check: &mut Check<'_, '_>,
    of_volumes: &SortedSet<&str>,
    object: &Object,
    spec: Option<&Node>,
    path: &Path<'_>,
) {
    let Some(node) = spec.and_then(|it| it.get("storageClassName")) else { return };
    if node.as_str().is_some_and(|class| of_volumes.contains(class)) {
        return;
    }
    let reference = Reference {
        rule: &STORAGE_CLASS_NOT_FOUND,
        group: STORAGE,
        kind: "StorageClass",
        namespace: "",
        node,
        consequence: "the claim stays pending, and its Pods do not start",
    };
    check.look_up(object, &reference, &path.field("storageClassName"));
}

/// Checks that each kind of classes has at most one default.
pub(super) fn check_defaults(check: &mut Check<'_, '_>) {
    let newest = "the API server uses the one that was created last";
    let rejected = "the API server rejects the second default PriorityClass";
    for (group, kind, consequence) in [
        (STORAGE, "StorageClass", newest),
        ("networking.k8s.io", "IngressClass", newest),
        ("scheduling.k8s.io", "PriorityClass", rejected),
    ] {
        check_default(check, group, kind, consequence);
    }
}

fn check_default(
    check: &mut Check<'_, '_>,
    group: &'static str,
    kind: &'static str,
    consequence: &'static str,
) {
    let mut defaults = check.set.of_kind(group, kind).filter(|class| is_default_class(class));
    let Some(first) = defaults.next() else { return };
    // Objects with the same name can be alternatives.
    let Some(second) = defaults.find(|class| class.name != first.name) else { return };
    let message = message!("{kind}es `{}` and `{}` are both the default", first.name, second.name);
    let mut finding = Diagnostic::new(&DEFAULT_CLASS_AMBIGUOUS, second.name_span(), message)
        .at("second default class")
        .label(first.name_span(), "first default class")
        .path(&"metadata.name")
        .note(consequence)
        .help("keep one default class");
    // Classes in several files can be alternatives.
    let is_one_file = check.set.are_in_one_file(first, second);
    if kind == "PriorityClass" && (is_one_file || check.across_files == AcrossFiles::Together) {
        finding.severity = Severity::Error;
    }
    check.sink.report(finding);
}
