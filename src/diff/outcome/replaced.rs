//! Changes that the API server rejects because a field is immutable, and how a person replaces the
//! object (`Validate*Update` of Kubernetes' `pkg/apis`).

use crate::kube::Object;
use crate::lower::{Changed, Commands as _, Effect, Outcome};
use crate::tree::Node;

type Path = &'static [&'static str];

/// Fields that an update cannot change: group, kind, fields, what to do.
static IMMUTABLE: &[(&str, &str, &[Path], How)] = &[
    ("apps", "Deployment", &[&["spec", "selector"]], How::Orphan),
    ("apps", "DaemonSet", &[&["spec", "selector"]], How::Orphan),
    ("apps", "ReplicaSet", &[&["spec", "selector"]], How::Orphan),
    ("batch", "Job", OF_JOB, How::Delete),
    ("rbac.authorization.k8s.io", "RoleBinding", &[&["roleRef"]], How::LosesAccess),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding", &[&["roleRef"]], How::LosesAccess),
    ("storage.k8s.io", "StorageClass", OF_STORAGE_CLASS, How::Class),
    ("storage.k8s.io", "VolumeAttributesClass", &[&["driverName"], &["parameters"]], How::Class),
    ("scheduling.k8s.io", "PriorityClass", &[&["value"], &["preemptionPolicy"]], How::Class),
    ("node.k8s.io", "RuntimeClass", &[&["handler"]], How::Class),
    ("networking.k8s.io", "IngressClass", &[&["spec", "controller"]], How::Class),
    ("", "Secret", &[&["type"]], How::Delete),
];

const OF_JOB: &[Path] = &[
    &["spec", "template"],
    &["spec", "selector"],
    &["spec", "completionMode"],
    &["spec", "podFailurePolicy"],
    &["spec", "successPolicy"],
    &["spec", "backoffLimitPerIndex"],
    &["spec", "managedBy"],
];

const OF_STORAGE_CLASS: &[Path] =
    &[&["provisioner"], &["parameters"], &["reclaimPolicy"], &["volumeBindingMode"]];

/// Kinds whose `spec` only changes in these fields.
static MUTABLE: &[(&str, &str, &[Path], How)] = &[
    ("apps", "StatefulSet", OF_STATEFUL_SET, How::Orphan),
    ("", "PersistentVolumeClaim", OF_CLAIM, How::Copy),
    ("", "Pod", OF_POD, How::Delete),
];

const OF_STATEFUL_SET: &[Path] = &[
    &["spec", "replicas"],
    &["spec", "ordinals"],
    &["spec", "template"],
    &["spec", "updateStrategy"],
    &["spec", "revisionHistoryLimit"],
    &["spec", "persistentVolumeClaimRetentionPolicy"],
    &["spec", "minReadySeconds"],
];

const OF_CLAIM: &[Path] =
    &[&["spec", "resources", "requests"], &["spec", "volumeAttributesClassName"]];

const OF_POD: &[Path] = &[&["spec", "activeDeadlineSeconds"], &["spec", "tolerations"]];

/// How an object is replaced.
#[derive(Clone, Copy)]
enum How {
    /// Its Pods keep running, and the new object adopts them.
    Orphan,
    Delete,
    LosesAccess,
    Class,
    Copy,
}

pub(super) fn outcome(changed: &Changed<'_>) -> Option<Outcome> {
    let Object { gvk, .. } = changed.new;
    if is_immutable_data(changed) {
        let text = "rejected: the old object is immutable; delete it and apply, or use a new name";
        let outcome = Outcome::new(Effect::Replaced, text);
        return Some(outcome.run_some(changed.old.command("delete", "")));
    }
    let is_it = |it: &&(&str, &str, &[Path], How)| gvk.is(it.0, it.1);
    if let Some((_, _, fields, how)) = IMMUTABLE.iter().find(is_it) {
        let field = fields.iter().find(|fields| changed.touches(fields))?;
        return Some(how.outcome(changed, &format!("`{}` is immutable", field.join("."))));
    }
    let (_, _, fields, how) = MUTABLE.iter().find(is_it)?;
    let is_pod = gvk.kind() == "Pod";
    let is_rejected = |path: &&&crate::diag::FieldPath| {
        path.starts_with(&["spec"])
            && !fields.iter().any(|it| path.starts_with(it))
            && !(is_pod && is_image(path))
    };
    let path = changed.paths.iter().find(is_rejected)?;
    Some(how.outcome(changed, &format!("`{path}` is immutable")))
}

/// Whether the path is that of the image of a container.
fn is_image(path: &crate::diag::FieldPath) -> bool {
    let is_list =
        path.starts_with(&["spec", "containers"]) || path.starts_with(&["spec", "initContainers"]);
    is_list && path.steps().len() == 4 && path.last_field() == Some("image")
}

/// Whether the data of an object with `immutable: true` change.
fn is_immutable_data(changed: &Changed<'_>) -> bool {
    let gvk = &changed.old.gvk;
    (gvk.is("", "ConfigMap") || gvk.is("", "Secret"))
        && changed.old.root.get("immutable").and_then(Node::as_bool) == Some(true)
        && ["data", "binaryData", "immutable"].iter().any(|it| changed.touches(&[it]))
}

impl How {
    fn outcome(self, changed: &Changed<'_>, reason: &str) -> Outcome {
        let (then, flags) = match self {
            Self::Orphan => {
                let has_selector = changed.touches(&["spec", "selector"]);
                let then = if has_selector {
                    "delete it without its Pods, then apply; Pods that the new selector does not \
                     match stay until they are deleted"
                } else {
                    "delete it without its Pods, then apply"
                };
                (then, " --cascade=orphan")
            }
            Self::Delete => ("delete it, then apply", ""),
            Self::LosesAccess => ("delete it, then apply; access is lost in between", ""),
            Self::Class => {
                ("use a new name and change the objects that name it, or delete it, then apply", "")
            }
            Self::Copy => {
                let text = format!("rejected: {reason}; create a new claim and copy the data");
                return Outcome::new(Effect::Replaced, text);
            }
        };
        let outcome = Outcome::new(Effect::Replaced, format!("rejected: {reason}; {then}"));
        outcome.run_some(changed.old.command("delete", flags))
    }
}
