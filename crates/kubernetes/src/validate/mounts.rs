//! Mounts and the volumes they name.

use crate::diag::{About, Diagnostic, Severity, Sink, declare_rules, message};
use crate::kube::{Container, PodSpec};
use crate::schema::KubernetesVersion;
use crate::sorted::SortedSet;
use crate::tree::{Node, items};
use crate::validate::fields::text_node;

declare_rules! {
    MOUNT_WITHOUT_VOLUME = "mount-without-volume", Error, follows = [VolumeClaim, SamePlace];
}

/// The number of volumes that are searched for a similar name.
const NEAR_VOLUMES: usize = 50;

/// Checks one PodSpec.
pub(super) fn check(pod: &PodSpec<'_>, kubernetes: KubernetesVersion, sink: &mut Sink) {
    if is_left_to_claims(pod) {
        return;
    }
    let volumes = volume_names(pod);
    for container in pod.containers() {
        for field in ["volumeMounts", "volumeDevices"] {
            let mounts = items(container.node, field);
            for (index, mount) in mounts.iter().enumerate() {
                let Some((node, name)) = text_node(mount, "name") else { continue };
                if !volumes.contains(name) {
                    let path = format!("{field}[{index}].name");
                    let mut finding =
                        unmounted_finding(pod, &container, name, node, &path, &volumes);
                    finding.severity = severity_of_mounts(pod, kubernetes);
                    sink.report(finding);
                }
            }
        }
    }
}

/// The severity: API servers before 1.34 do not validate the Pod template of a StatefulSet, and
/// reject its Pods later.
fn severity_of_mounts(pod: &PodSpec<'_>, kubernetes: KubernetesVersion) -> Severity {
    let is_unread = pod.object.gvk.is("apps", "StatefulSet") && kubernetes.minor() < 34;
    if is_unread { Severity::Warning } else { Severity::Error }
}

/// Whether claims can add volumes. They cannot add mounts, so the template already has those.
fn is_left_to_claims(pod: &PodSpec<'_>) -> bool {
    pod.object.gvk.facts().is_some_and(|facts| (facts.may_gain_volumes)(pod.object))
}

fn volume_names<'o>(pod: &PodSpec<'o>) -> SortedSet<&'o str> {
    let volumes = items(pod.spec, "volumes").iter().filter_map(|volume| volume.str_at(&["name"]));
    let templates = pod.volume_claim_templates().iter();
    let claims = templates.filter_map(|claim| claim.str_at(&["metadata", "name"]));
    volumes.chain(claims).collect()
}

fn unmounted_finding(
    pod: &PodSpec<'_>,
    container: &Container<'_>,
    name: &str,
    node: &Node,
    path: &str,
    volumes: &SortedSet<&str>,
) -> Diagnostic {
    let message = message!(
        "container `{}` mounts volume `{name}`, which {} does not have",
        container.shown_name(),
        pod.object.describe()
    );
    let candidates = volumes.iter().copied().take(NEAR_VOLUMES);
    Diagnostic::new(&MOUNT_WITHOUT_VOLUME, node.span(), message)
        .at("no such volume")
        .path(&format!("{}.{}.{path}", pod.path(), container.path()))
        .about(About::AbsentVolume(name.into()))
        .suggest_near_or(node.span(), name, candidates, || {
            message!("add a volume named `{name}`, or remove the mount")
        })
}
