//! Annotations that fields have replaced, and those that are no longer read.

use super::ANNOTATION_DEPRECATED;
use crate::diag::{Diagnostic, message};
use crate::kube::{ContainersByName, PodSpec};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Judge, text_of};

const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APPARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";
const INGRESS_CLASS: &str = "kubernetes.io/ingress.class";
const TOPOLOGY_HINTS: &str = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE: &str = "service.kubernetes.io/topology-mode";

/// A deprecated annotation of a kind: group and kind, the annotation, and the repair.
type Known = (&'static str, &'static str, &'static str, &'static str);

const STORAGE_CLASS: &str = "volume.beta.kubernetes.io/storage-class";
const CLASS_HELP: &str = "write `storageClassName` in the spec";

const OF_OBJECTS: [Known; 6] = [
    (
        "",
        "Service",
        TOPOLOGY_HINTS,
        "write `service.kubernetes.io/topology-mode`, or `trafficDistribution` in the spec",
    ),
    ("", "PersistentVolumeClaim", STORAGE_CLASS, CLASS_HELP),
    ("", "PersistentVolume", STORAGE_CLASS, CLASS_HELP),
    (
        "",
        "PersistentVolume",
        "volume.beta.kubernetes.io/mount-options",
        "write `mountOptions` in the spec",
    ),
    (
        "",
        "ServiceAccount",
        "kubernetes.io/enforce-mountable-secrets",
        "separate Secrets by namespace",
    ),
    ("networking.k8s.io", "Ingress", INGRESS_CLASS, "write `ingressClassName` in the spec"),
];

const OF_PODS: [(&str, &str); 3] = [
    ("scheduler.alpha.kubernetes.io/critical-pod", "write `priorityClassName` in the spec"),
    ("security.alpha.kubernetes.io/sysctls", "write `sysctls` in the `securityContext` of the Pod"),
    (
        "security.alpha.kubernetes.io/unsafe-sysctls",
        "write `sysctls` in the `securityContext` of the Pod",
    ),
];

/// Checks the object's own annotations.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let annotations = object.root.at(&["metadata", "annotations"]);
    for entry in annotations.map_or(&[][..], Node::entries) {
        let known = OF_OBJECTS.iter().find(|(group, kind, annotation, ..)| {
            object.gvk.is(group, kind) && entry.key == *annotation
        });
        let Some((.., help)) = known else { continue };
        // Next to its replacement it is ignored, or an error that another rule reports.
        let is_beside = match entry.key.as_str() {
            INGRESS_CLASS => object.root.at(&["spec", "ingressClassName"]).is_some(),
            TOPOLOGY_HINTS => {
                let mode = annotations.and_then(|it| it.str_at(&[TOPOLOGY_MODE]));
                mode.is_some_and(|mode| entry.value.as_str() != Some(mode))
            }
            _ => false,
        };
        if is_beside {
            continue;
        }
        report(judge, entry, "is deprecated", help);
    }
}

/// Checks the annotations of a Pod or a template.
pub(super) fn check_pod(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let annotations = pod.template.at(&["metadata", "annotations"]).map_or(&[][..], Node::entries);
    if annotations.is_empty() {
        return;
    }
    let containers = pod.containers_by_name();
    for entry in annotations {
        let without_effect = "has no effect";
        if let Some((_, help)) = OF_PODS.iter().find(|(annotation, _)| entry.key == *annotation) {
            report(judge, entry, without_effect, help);
        } else if is_seccomp_alone(pod, &containers, &entry.key) {
            let help = "write `seccompProfile` in the `securityContext`";
            report(judge, entry, without_effect, help);
        } else if is_apparmor_alone(pod, &containers, entry) {
            let help = "write `appArmorProfile` in the `securityContext`";
            report(judge, entry, "is deprecated since Kubernetes 1.30", help);
        }
    }
}

/// Whether it is a seccomp annotation without the corresponding field.
fn is_seccomp_alone(
    pod: &PodSpec<'_>,
    containers: &ContainersByName<'_>,
    annotation: &str,
) -> bool {
    let lacks = |owner: &Node| owner.at(&["securityContext", "seccompProfile"]).is_none();
    if annotation == SECCOMP_POD {
        return lacks(pod.spec);
    }
    annotation
        .strip_prefix(SECCOMP_CONTAINER)
        .and_then(|name| containers.get(name))
        .is_some_and(|named| named.iter().any(|container| lacks(container.node)))
}

/// Whether it is an AppArmor annotation without the corresponding field, which also differs from
/// the Pod's profile.
fn is_apparmor_alone(
    pod: &PodSpec<'_>,
    containers: &ContainersByName<'_>,
    annotation: &Entry,
) -> bool {
    let Some(name) = annotation.key.strip_prefix(APPARMOR) else { return false };
    let profile = |owner: &'_ Node| owner.at(&["securityContext", "appArmorProfile"]).is_some();
    let named = containers.get(name);
    if !named.is_some_and(|named| named.iter().any(|container| !profile(container.node))) {
        return false;
    }
    let Some(of_pod) = pod.spec.at(&["securityContext", "appArmorProfile"]) else { return true };
    let text = text_of(&annotation.value);
    let (kind, file) = match text.strip_prefix("localhost/") {
        Some(file) => ("Localhost", Some(file)),
        None if text == "runtime/default" => ("RuntimeDefault", None),
        None if text == "unconfined" => ("Unconfined", None),
        None => return true,
    };
    of_pod.str_at(&["type"]) != Some(kind) || of_pod.str_at(&["localhostProfile"]) != file
}

fn report(judge: &mut Judge<'_>, entry: &Entry, fate: &str, help: &'static str) {
    let span = entry.key_origin().span();
    let message = message!("annotation `{}` {fate}", entry.key);
    let finding = Diagnostic::new(&ANNOTATION_DEPRECATED, span, message)
        .at(if fate.starts_with("has") { "not read by any component" } else { "deprecated" })
        .help(help);
    judge.report(finding, entry);
}
