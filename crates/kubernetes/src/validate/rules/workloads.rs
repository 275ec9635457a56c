//! The controllers that keep Pods running: Deployment, ReplicaSet, StatefulSet, DaemonSet and
//! ReplicationController, after Kubernetes' `pkg/apis/apps/validation`.

mod rollout;
mod selection;

use super::judging::Judging;
use super::of_object::ObjectJudge;
use super::template;
use crate::diag::declare_rules;
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Node, Path};
pub(super) use selection::check_match;

declare_rules! {
    SELECTOR_MISMATCH = "selector-mismatch", Error, follows = [Misplaced, TemplateSelection];
    SELECTOR_EMPTY = "selector-empty", Error, follows = [Misplaced, TemplateSelection];
    ROLLOUT_CONFLICT = "rollout-conflict", Error;
    PROGRESS_DEADLINE_SHORT = "progress-deadline-short", Error;
    SERVICE_NAME_INVALID = "service-name-invalid", Error;
}

/// Checks one controller.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    for field in ["replicas", "minReadySeconds"] {
        judge.ranged(spec, field, 0..=i64::MAX, &path);
    }
    selection::check(judge, spec, &path);
    template::check_lasting(judge);
    match judge.object.gvk.kind.as_str() {
        "Deployment" => {
            judge.ranged(spec, "revisionHistoryLimit", 0..=i64::MAX, &path);
            judge.ranged(spec, "progressDeadlineSeconds", 0..=i64::MAX, &path);
            rollout::of_deployment(judge, spec, &path);
        }
        "DaemonSet" => {
            judge.ranged(spec, "revisionHistoryLimit", 0..=i64::MAX, &path);
            rollout::of_daemon_set(judge, spec, &path);
        }
        "StatefulSet" => {
            stateful_set(judge, spec, &path);
            rollout::of_stateful_set(judge, spec, &path);
        }
        _ => {}
    }
}

fn stateful_set(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    if let Some(ordinals) = spec.get("ordinals") {
        judge.ranged(ordinals, "start", 0..=i64::MAX, &path.field("ordinals"));
    }
    if let Some(node) = spec.get("serviceName").filter(|it| it.as_str() != Some("")) {
        let rule = (&SERVICE_NAME_INVALID, "Service name");
        judge.form(node, rule, check_dns_label, near_dns_label, &path.field("serviceName"));
    }
    if let Some(policy) = spec.get("persistentVolumeClaimRetentionPolicy") {
        let path = path.field("persistentVolumeClaimRetentionPolicy");
        for field in ["whenDeleted", "whenScaled"] {
            // The empty string means `Retain`.
            if policy.str_at(&[field]) != Some("") {
                judge.listed(policy, field, &["Retain", "Delete"], &path);
            }
        }
    }
}
