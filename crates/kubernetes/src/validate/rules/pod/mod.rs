//! The rules of a PodSpec in any object: after `ValidatePodSpec` of Kubernetes'
//! `pkg/apis/core/validation`.
//!
//! The server validates an object after it has set its defaults. No such copy is made here: if a
//! default matters, the rule for the field applies it.

mod affinity;
mod annotations;
mod containers;
mod env;
mod judge;
mod mounts;
mod node_share;
mod pod_resources;
mod ports;
mod probes;
mod projected;
mod resources;
mod restart;
mod scheduling;
mod security;
mod vendor_volumes;
mod volume_sources;
mod volumes;
mod whole;
mod windows;

use super::judge::{Judge, entries, start};
use crate::diag::{Diagnostic, Rule, Severity, message, nearest};
use crate::kube::{Container, Object, PodSpec};
use crate::schema::store;
use crate::tree::Node;
pub(super) use containers::CONTAINER_NAME_INVALID;
use judge::PodJudge;
pub(super) use ports::{PORT_NAME_INVALID, PORT_OUT_OF_RANGE};
pub(super) use projected::check_token_life;
pub(super) use volumes::VOLUME_NAME_INVALID;

/// The rules of this module.
pub static RULES: &[&[&Rule]] = &[
    annotations::RULES,
    containers::RULES,
    ports::RULES,
    env::RULES,
    mounts::RULES,
    probes::RULES,
    restart::RULES,
    resources::RULES,
    security::RULES,
    windows::RULES,
    scheduling::RULES,
    whole::RULES,
    volumes::RULES,
];

/// The first minor version that keeps `resourceClaims` (`DynamicResourceAllocation`).
const CLAIMS_MINOR: u8 = 34;
/// The first minor version that keeps `resources` of a Pod (`PodLevelResources`).
const POD_RESOURCES_MINOR: u8 = 34;

/// Checks the PodSpec of an object with Pods.
pub(super) fn check(mut judge: Judge<'_>) {
    match judge.pod {
        Some(pod) => check_pod(&mut PodJudge::new(pod, judge)),
        None => check_absent(&mut judge),
    }
}

/// Reports an object without its required PodSpec.
fn check_absent(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some((owner, path)) = PodSpec::missing(object) else { return };
    let gvk = &object.gvk;
    let is_known = store::kind(&gvk.group, &gvk.version, &gvk.kind).is_some();
    if !is_known || owner.as_map().is_none() {
        return;
    }
    let near = owner.entries().iter().filter(|entry| nearest(&entry.key, ["spec"]).is_some());
    // Fields below `spec:` that are not indented, or a deleted `spec:` below `metadata`.
    let metadata = entries(&object.root, "metadata");
    let outer = object.root.entries().iter().chain(metadata);
    let moved = outer.filter(|entry| {
        ["containers", "replicas", "selector", "template"].contains(&entry.key.as_str())
    });
    let misplaced = near.chain(moved);
    let message = message!("{} has no container", object.describe());
    let mut finding = Diagnostic::new(&containers::CONTAINERS_EMPTY, start(owner), message)
        .at("no `spec`")
        .help(message!("add `{}`", sample_of_owner(object, owner, path)));
    if gvk.is("apps", "StatefulSet") && judge.minor < judge::STATEFUL_SET_MINOR {
        finding.severity = Severity::Warning;
    }
    let misspelt = misplaced.map(|entry| entry.key_origin().span());
    judge.report(misspelt.fold(finding, Diagnostic::same_mistake_as), (judge.root(), path));
}

/// The fields that the owner of a missing `spec` lacks: those of the template, or of the whole object.
fn sample_of_owner(object: &Object, owner: &Node, path: &str) -> String {
    let is_job = object.gvk.is("batch", "Job");
    let policy = if is_job { "restartPolicy: Never, " } else { "" };
    let mut pod = format!("{{{policy}containers: [...]}}");
    let mut fields: Vec<_> = path.split('.').collect();
    if !std::ptr::eq(owner, &raw const object.root) {
        fields.drain(..fields.len().saturating_sub(1));
    }
    for field in fields.into_iter().rev() {
        let has_selector = field == "template" && object.gvk.is("", "ReplicationController");
        let selector = if has_selector { "selector: {...}, " } else { "" };
        pod = format!("{{{selector}{field}: {pod}}}");
    }
    // The map itself exists.
    let inside = pod.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.unwrap_or(&pod).to_owned()
}

fn check_pod(judge: &mut PodJudge<'_>) {
    annotations::check(judge);
    containers::check(judge);
    ports::check(judge);
    volumes::check(judge);
    scheduling::check(judge);
    affinity::check(judge);
    whole::check(judge);
    security::check_pod(judge);
    node_share::check(judge);
    windows::check(judge);
    pod_resources::check(judge);
    for container in judge.pod.containers() {
        check_container(judge, &container);
    }
}

fn check_container(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    env::check(judge, container.node);
    mounts::check(judge, container.node);
    probes::check(judge, container);
    restart::check(judge, container);
    resources::check(judge, container);
    security::check(judge, container.node);
}
