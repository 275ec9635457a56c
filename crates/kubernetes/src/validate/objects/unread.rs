//! Parts of objects that the API server of a version stores or drops without validating them.

use crate::diag::{About, Diagnostic, FieldPath, Severity, Sink};
use crate::kube::{Object, PodSpec};
use crate::schema::{ENUM_VALUE_UNKNOWN, FIELD_MISSING, KubernetesVersion};
use crate::tree::{Node, items};
use crate::validate::rules::reviews::is_review;

/// The first minor version whose API server validates the Pod template and the claims of a
/// StatefulSet.
const STATEFUL_SET_MINOR: u8 = 34;
/// The first minor version that keeps volumes of type `image` (`ImageVolume`). Earlier ones remove
/// them.
const IMAGE_MINOR: u8 = 35;

/// Fields that API servers before a minor version drop, because their feature gates are off. The
/// last of the names is that of the field.
const DROPPED: [(&[&str], u8); 18] = [
    (&["clusterTrustBundle"], 37),
    (&["podCertificate"], 37),
    (&["spec", "resourceClaims"], 34),
    (&["resources", "claims"], 34),
    (&["sharedCounters"], 36),
    (&["consumesCounters"], 36),
    (&["devices", "taints"], 36),
    (&["devices", "nodeSelector"], 36),
    (&["capacity", "requestPolicy"], 36),
    (&["exactly", "tolerations"], 36),
    (&["firstAvailable", "tolerations"], 36),
    (&["nodeAllocatableResources"], NEVER),
    (&["skipNodeOperations"], NEVER),
    (&["httpGet", "protocol"], NEVER),
    (&["grpc", "mode"], NEVER),
    (&["spec", "scheduling"], NEVER),
    (&["evictionResponders"], NEVER),
    (&["schedulingGroup"], NEVER),
];
/// No supported minor version keeps the field by default.
const NEVER: u8 = u8::MAX;

/// The rules of metadata that API servers check after decoding.
const VALIDATED: [&str; 6] = [
    "annotation-key-invalid",
    "annotations-too-large",
    "field-missing",
    "label-key-invalid",
    "label-value-invalid",
    "name-invalid",
];

/// Turns schema errors into warnings in parts that are not validated. Faults in decoding stay
/// errors.
pub(super) fn soften(object: &Object, kubernetes: KubernetesVersion, findings: &mut Sink) {
    let minor = kubernetes.minor();
    let is_of_review = is_review(&object.gvk.group) || object.gvk.is("", "Binding");
    for finding in findings.iter_mut() {
        let Some(path) = &finding.details().path else { continue };
        let is_unread = if is_of_review {
            is_unread_in_review(finding, path)
        } else {
            let is_of_schema = [&ENUM_VALUE_UNKNOWN, &FIELD_MISSING].contains(&finding.rule);
            is_of_schema && (is_dropped(path, minor) || is_unread(object, path, minor))
        };
        if is_unread {
            finding.severity = Severity::Warning;
            finding.add_note("the API server of this version does not validate it");
        }
    }
}

/// The metadata of a review is only decoded, and an operator of a requirement can be any.
fn is_unread_in_review(finding: &Diagnostic, path: &FieldPath) -> bool {
    let is_namespace = path.is(&["metadata", "namespace"]);
    let is_decoded = !VALIDATED.contains(&finding.rule.name);
    let is_of_operator =
        matches!(&finding.details().about, About::MissingField(name) if **name == *"operator");
    is_of_operator || path.starts_with(&["metadata"]) && !is_namespace && !is_decoded
}

/// Whether the API server of a minor version drops the field.
pub(in crate::validate) fn is_dropped(path: &FieldPath, minor: u8) -> bool {
    let names: Vec<_> = path.steps().iter().filter_map(|it| it.field()).collect();
    DROPPED.iter().any(|(wanted, since)| {
        minor < *since && names.windows(wanted.len()).any(|part| part == *wanted)
    })
}

fn is_unread(object: &Object, path: &FieldPath, minor: u8) -> bool {
    let is_inside = |inner: &FieldPath| path.steps().starts_with(inner.steps());
    if object.gvk.is("apps", "StatefulSet") {
        let is_restart_policy = path.is(&["spec", "template", "spec", "restartPolicy"]);
        let of_set = path.starts_with(&["spec", "template", "spec"]) && !is_restart_policy
            || path.starts_with(&["spec", "volumeClaimTemplates"]);
        let is_status = path.steps().iter().any(|step| step.field() == Some("status"));
        if minor < STATEFUL_SET_MINOR && of_set || is_status {
            return true;
        }
        return claimed_volumes(object).iter().any(is_inside);
    }
    if object.gvk.is("autoscaling", "HorizontalPodAutoscaler") {
        // Only the controller reads the selector of a metric.
        let names = path.steps().iter().filter_map(|it| it.field());
        return names.collect::<Vec<_>>().windows(2).any(|pair| pair == ["metric", "selector"]);
    }
    if object.gvk.is("", "PersistentVolumeClaim") && path.starts_with(&["spec", "dataSource"]) {
        return is_other_source(object);
    }
    if object.gvk.is("", "PersistentVolumeClaim") && path.starts_with(&["spec", "dataSourceRef"]) {
        // Sources of other namespaces are dropped (`CrossNamespaceVolumeDataSource`).
        let namespace = object.root.at(&["spec", "dataSourceRef", "namespace"]);
        return namespace.and_then(Node::as_str).is_some_and(|it| !it.is_empty());
    }
    minor < IMAGE_MINOR && image_volumes(object).iter().any(is_inside)
}

/// Whether a claim is filled from something other than a claim or a snapshot: the API server drops
/// `dataSource`.
fn is_other_source(object: &Object) -> bool {
    let source = object.root.at(&["spec", "dataSource"]);
    let text = |field: &str| source.and_then(|it| it.str_at(&[field])).unwrap_or("");
    !matches!(
        (text("apiGroup"), text("kind")),
        ("", "PersistentVolumeClaim") | ("snapshot.storage.k8s.io", "VolumeSnapshot")
    )
}

/// The paths of all volumes with a source `image`.
fn image_volumes(object: &Object) -> Vec<FieldPath> {
    paths_of_volumes(object, |volume| volume.get("image").is_some())
}

/// The paths of all volumes that claims of the StatefulSet replace.
fn claimed_volumes(object: &Object) -> Vec<FieldPath> {
    let claims = object.root.items_at(&["spec", "volumeClaimTemplates"]);
    let is_claim =
        |name: &str| claims.iter().any(|claim| claim.str_at(&["metadata", "name"]) == Some(name));
    paths_of_volumes(object, |volume| volume.str_at(&["name"]).is_some_and(is_claim))
}

fn paths_of_volumes(object: &Object, is_wanted: impl Fn(&Node) -> bool) -> Vec<FieldPath> {
    let Some(pod) = PodSpec::of(object) else { return Vec::new() };
    let volumes = items(pod.spec, "volumes");
    let wanted = volumes.iter().enumerate().filter(|(_, volume)| is_wanted(volume));
    let path = |index| format!("{}.volumes[{index}]", pod.path());
    wanted.map(|(index, _)| FieldPath::from(&path(index))).collect()
}
