//! Other built-in kinds.

use super::definitions;
use crate::kube::Object;
use crate::lower::{Changed, Effect, Outcome};
use crate::schema::store;

/// Kinds whose objects only matter when a Pod is created or admitted.
const FOR_NEW_PODS: &[(&str, &str)] = &[
    ("", "LimitRange"),
    ("", "PodTemplate"),
    ("", "ResourceQuota"),
    ("", "ServiceAccount"),
    ("node.k8s.io", "RuntimeClass"),
    ("scheduling.k8s.io", "PriorityClass"),
];

pub(super) fn outcome(changed: &Changed<'_>) -> Option<Outcome> {
    let gvk = &changed.new.gvk;
    let (group, kind) = (gvk.group(), gvk.kind());
    store::kind(group, gvk.version(), kind)?;
    if (group, kind) == ("", "Namespace") && !changed.touches(&["spec"]) {
        let text = "acts at once on labels; Pod Security labels only check new Pods";
        return Some(Outcome::new(Effect::AtOnce, text));
    }
    if changed.is_within(&[&["metadata"]]) {
        return Some(Outcome::new(Effect::Nothing, "only metadata changes"));
    }
    if (group, kind) == ("apiextensions.k8s.io", "CustomResourceDefinition") {
        return Some(definitions::outcome(changed));
    }
    if (group, kind) == ("rbac.authorization.k8s.io", "ClusterRole")
        && changed.is_within(&[&["rules"], &["metadata"]])
        && changed.new.root.get("aggregationRule").is_some_and(|rule| !rule.is_null())
    {
        let text = "no effect: the aggregation controller writes `rules` again";
        return Some(Outcome::new(Effect::Nothing, text));
    }
    if FOR_NEW_PODS.contains(&(group, kind)) {
        let text = "applies to new Pods; those that run are not changed";
        return Some(Outcome::new(Effect::Later, text));
    }
    let text = match (group, kind) {
        ("", "Service") if changed.touches(&["spec", "selector"]) => {
            "traffic moves at once to the Pods of the new selector"
        }
        ("", "Service") if changed.touches(&["spec", "type"]) => {
            "acts at once: ports and addresses are allocated or released"
        }
        ("", "PersistentVolumeClaim") if changed.touches(&["spec", "resources"]) => {
            return Some(growth(changed));
        }
        _ => "acts at once",
    };
    Some(Outcome::new(Effect::AtOnce, text))
}

/// The outcome of a claim that requests more and that its class does not forbid to grow.
fn growth(changed: &Changed<'_>) -> Outcome {
    let class = changed.new.root.str_at(&["spec", "storageClassName"]);
    let is_class = |object: &Object| {
        object.gvk.is("storage.k8s.io", "StorageClass") && Some(object.name()) == class
    };
    let text = if changed.all.iter().any(is_class) {
        "the volume grows"
    } else {
        "the volume grows, if its StorageClass allows expansion"
    };
    Outcome::new(Effect::AtOnce, text)
}
