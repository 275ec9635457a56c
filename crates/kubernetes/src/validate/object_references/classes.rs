//! Storage classes of claims, and default classes.

use super::{Check, DEFAULT_CLASS_AMBIGUOUS};
use crate::diag::{Diagnostic, Severity, message};
use crate::kube::{ObjectSet, Use, is_default_class};
use crate::sorted::SortedSet;
use crate::validate::duplicates::AcrossFiles;

const STORAGE: &str = "storage.k8s.io";

/// Kinds whose controllers install charts and other manifests, which can contain classes.
const INSTALLERS: [(&str, &str); 4] = [
    ("argoproj.io", "Application"),
    ("argoproj.io", "ApplicationSet"),
    ("helm.cattle.io", "HelmChart"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
];

/// What the input knows of the classes and volumes that claims name.
pub(super) struct Classes<'o> {
    /// The classes of volumes; `None` if the classes belong to the cluster.
    of_volumes: Option<SortedSet<&'o str>>,
    /// Whether the input has or declares volumes: otherwise they belong to the cluster.
    has_volumes: bool,
}

impl<'o> Classes<'o> {
    pub(super) fn read(set: &ObjectSet<'o>) -> Self {
        let has_any = |group, kind| {
            set.of_kind(group, kind).next().is_some()
                || set.external_names(group, kind).next().is_some()
        };
        let mut installers = INSTALLERS.iter();
        let has_installers =
            installers.any(|(group, kind)| set.of_kind(group, kind).next().is_some());
        let has_classes = has_any(STORAGE, "StorageClass") && !has_installers;
        let of_volumes = has_classes.then(|| {
            let volumes = set.of_kind("", "PersistentVolume");
            volumes.filter_map(|volume| volume.root.str_at(&["spec", "storageClassName"])).collect()
        });
        Self { of_volumes, has_volumes: has_any("", "PersistentVolume") && !has_installers }
    }

    /// Whether the input should have the class or volume that a claim names.
    pub(super) fn should_have(&self, usage: Use, name: &str) -> bool {
        match usage {
            // A claim also binds to a volume with the same name of a class that does not exist.
            Use::Class => self.of_volumes.as_ref().is_some_and(|classes| !classes.contains(name)),
            _ => self.has_volumes,
        }
    }
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
