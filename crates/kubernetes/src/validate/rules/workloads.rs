//! The controllers that keep Pods running: Deployment, ReplicaSet, StatefulSet, DaemonSet and
//! ReplicationController, after Kubernetes' `pkg/apis/apps/validation`.

mod rollout;
mod selection;

use super::judge::{Judge, filled};
use super::template;
use crate::diag::declare_rules;
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::Node;
pub(super) use selection::check_match;

declare_rules! {
    SELECTOR_MISMATCH = "selector-mismatch", Error, follows = [Misplaced, TemplateSelection];
    SELECTOR_EMPTY = "selector-empty", Error, follows = [Misplaced, TemplateSelection];
    ROLLOUT_CONFLICT = "rollout-conflict", Error;
    PROGRESS_DEADLINE_SHORT = "progress-deadline-short", Error;
    SERVICE_NAME_INVALID = "service-name-invalid", Error;
}

/// Checks one controller.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    for field in ["replicas", "minReadySeconds"] {
        judge.ranged(spec, field, 0..=i64::MAX);
    }
    selection::check(judge, spec);
    template::check_lasting(judge);
    match judge.object.gvk.kind.as_str() {
        "Deployment" => {
            judge.ranged(spec, "revisionHistoryLimit", 0..=i64::MAX);
            judge.ranged(spec, "progressDeadlineSeconds", 0..=i64::MAX);
            rollout::of_deployment(judge, spec);
        }
        "DaemonSet" => {
            judge.ranged(spec, "revisionHistoryLimit", 0..=i64::MAX);
            rollout::of_daemon_set(judge, spec);
        }
        "StatefulSet" => {
            check_stateful_set(judge, spec);
            rollout::of_stateful_set(judge, spec);
        }
        _ => {}
    }
}

fn check_stateful_set(judge: &mut Judge<'_>, spec: &Node) {
    if let Some(ordinals) = spec.get("ordinals") {
        judge.ranged(ordinals, "start", 0..=i64::MAX);
    }
    if let Some(node) = filled(spec, "serviceName") {
        let rule = (&SERVICE_NAME_INVALID, "Service name");
        judge.form(node, rule, check_dns_label, near_dns_label);
    }
    if let Some(policy) = spec.get("persistentVolumeClaimRetentionPolicy") {
        for field in ["whenDeleted", "whenScaled"] {
            // The empty string means `Retain`.
            if policy.str_at(&[field]) != Some("") {
                judge.listed(policy, field, &["Retain", "Delete"]);
            }
        }
    }
}
