//! Storage classes of claims, and default classes.

use super::{Check, DEFAULT_CLASS_AMBIGUOUS, Reference, STORAGE_CLASS_NOT_FOUND};
use crate::diag::Diagnostic;
use crate::kube::{Object, ObjectSet};
use crate::tree::{Node, Path};

const STORAGE: &str = "storage.k8s.io";
const SCHEDULING: &str = "scheduling.k8s.io";

/// The annotations of a default StorageClass (`IsDefaultStorageClassAnnotation`).
const OF_STORAGE: &[&str] = &[
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
];
const OF_INGRESS: &[&str] = &["ingressclass.kubernetes.io/is-default-class"];

/// Checks the classes of all claims, if the input has classes: otherwise they belong to the cluster.
pub(super) fn check_claims(check: &mut Check<'_, '_>) {
    let set = check.set;
    if set.of_kind(STORAGE, "StorageClass").next().is_none() {
        return;
    }
    let root = Path::root();
    let spec = root.field("spec");
    for claim in set.of_kind("", "PersistentVolumeClaim") {
        check_class(check, claim, claim.root.get("spec"), &spec);
    }
    for owner in set.of_kind("apps", "StatefulSet") {
        let templates = owner.root.at(&["spec", "volumeClaimTemplates"]);
        for (index, template) in templates.map_or(&[][..], Node::items).iter().enumerate() {
            let path = spec.field("volumeClaimTemplates");
            check_class(check, owner, template.get("spec"), &path.index(index).field("spec"));
        }
    }
}

fn check_class(check: &mut Check<'_, '_>, object: &Object, spec: Option<&Node>, path: &Path<'_>) {
    let Some(node) = spec.and_then(|it| it.get("storageClassName")) else { return };
    let mut volumes = check.set.of_kind("", "PersistentVolume");
    // A claim also binds to a volume with the same name of a class that does not exist.
    if volumes.any(|it| it.root.str_at(&["spec", "storageClassName"]) == node.as_str()) {
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
    let is_marked = |object: &Object, annotations: &[&str]| {
        let own = object.root.at(&["metadata", "annotations"]);
        annotations.iter().any(|it| own.and_then(|own| own.str_at(&[it])) == Some("true"))
    };
    let newest = "the API server uses the one that was created last";
    let set = check.set;
    check_default(check, set, (STORAGE, "StorageClass", newest), |it| is_marked(it, OF_STORAGE));
    check_default(check, set, ("networking.k8s.io", "IngressClass", newest), |it| {
        is_marked(it, OF_INGRESS)
    });
    let rejected = "the API server rejects the second default PriorityClass";
    check_default(check, set, (SCHEDULING, "PriorityClass", rejected), |it| {
        it.root.get("globalDefault").and_then(Node::as_bool) == Some(true)
    });
}

fn check_default(
    check: &mut Check<'_, '_>,
    set: &ObjectSet<'_>,
    (group, kind, consequence): (&'static str, &'static str, &'static str),
    is_default: impl Fn(&Object) -> bool,
) {
    let mut defaults = set.of_kind(group, kind).filter(|it| is_default(it));
    let Some(first) = defaults.next() else { return };
    // Objects with the same name can be alternatives.
    let Some(second) = defaults.find(|it| it.name != first.name) else { return };
    let message = format!("{kind}es `{}` and `{}` are both the default", first.name, second.name);
    let finding = Diagnostic::new(&DEFAULT_CLASS_AMBIGUOUS, second.name_span(), message)
        .at("second default class")
        .label(first.name_span(), "first default class")
        .path(&"metadata.name")
        .note(consequence)
        .help("keep one default class");
    check.sink.report(finding);
}
