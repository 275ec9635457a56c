//! `HorizontalPodAutoscaler`, after `ValidateHorizontalPodAutoscaler` of Kubernetes'
//! `pkg/apis/autoscaling/validation`.

mod behavior;
mod bounds;
mod metrics;
mod target;

use super::judge::{Absence, Judge, start, text_at, text_node};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::kube::{GroupVersionKind, Object, autoscaler};
use crate::scalar::check_path_segment;
use crate::tree::{Node, Origin};

declare_rules! {
    AUTOSCALER_MIN_ZERO = "autoscaler-min-zero", Error;
    AUTOSCALER_RANGE_EMPTY = "autoscaler-range-empty", Error;
    SCALE_TARGET_GROUPLESS = "scale-target-groupless", Error;
    OBJECT_REFERENCE_INVALID = "object-reference-invalid", Error;
    METRIC_SOURCE_MISMATCH = "metric-source-mismatch", Error, follows = [Misplaced];
    METRIC_TARGET_INVALID = "metric-target-invalid", Error;
    SCALING_POLICIES_EMPTY = "scaling-policies-empty", Error;
}

/// The first minor version that validates `apiVersion` of scale targets and described objects.
const API_VERSION_MINOR: u8 = 34;

/// Checks one autoscaler.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    bounds::check(judge, spec);
    if let Some(target) = spec.get("scaleTargetRef") {
        check_reference(judge, target);
        check_group(judge, target);
    }
    if judge.object.gvk.version == "v1" {
        judge.ranged(spec, "targetCPUUtilizationPercentage", 1..=i64::MAX);
        check_annotations(judge);
        return;
    }
    metrics::check(judge, spec);
    behavior::check(judge, spec);
}

/// Checks the metrics and the behavior that version 1 has in annotations.
fn check_annotations(judge: &mut Judge<'_>) {
    let written: Vec<_> = autoscaler::annotated(&judge.object.root).map(Node::span).collect();
    let Some(first) = written.first() else { return };
    let mut root = judge.object.root.clone();
    autoscaler::to_v2(&mut root, Origin::source(*first), judge.kubernetes);
    let mut sink = Sink::new();
    let gvk = GroupVersionKind::new("autoscaling/v2", &judge.object.gvk.kind).into();
    let object = Object { gvk, root, ..judge.object.clone() };
    let Some(spec) = object.root.get("spec") else { return };
    let mut inner = Judge::new(&object, judge.kubernetes, &mut sink);
    metrics::check(&mut inner, spec);
    behavior::check(&mut inner, spec);
    for mut finding in sink.into_sorted() {
        if written.contains(&finding.primary.span) {
            // An edit would replace the whole annotation.
            finding.details_mut().suggestions.clear();
            let note = "the API server reads the annotation as a field of `autoscaling/v2`";
            judge.report_with_path(finding.note(note));
        }
    }
}

/// Checks a reference to the scale target, or to the object of a metric.
fn check_reference(judge: &mut Judge<'_>, reference: &Node) {
    for field in ["kind", "name"] {
        check_needed_segment(judge, reference, field);
    }
    let Some((node, text)) = text_node(reference, "apiVersion") else { return };
    if judge.minor >= API_VERSION_MINOR && text.matches('/').count() > 1 {
        let text = (
            "`apiVersion` of the scale target has more than one `/`",
            "not `<group>/<version>`",
            "write it like `apps/v1`",
        );
        judge.fault(&OBJECT_REFERENCE_INVALID, node, text);
    }
}

/// Checks a required string that becomes part of a URL.
fn check_needed_segment(judge: &mut Judge<'_>, owner: &Node, field: &'static str) {
    if let Some((node, _)) = judge.needed_node(owner, field, Absence::BySchema) {
        let help = |_: &str| "write it without `/` and `%`".into();
        let rule = (&OBJECT_REFERENCE_INVALID, field);
        judge.form(node, rule, check_path_segment, help);
    }
}

/// Checks that the scale target has a group, except for the only scalable kind of the core group.
fn check_group(judge: &mut Judge<'_>, target: &Node) {
    let kind = text_at(target, &["kind"]);
    if judge.minor < API_VERSION_MINOR || kind == "ReplicationController" {
        return;
    }
    let node = target.get("apiVersion");
    // The server reads `/` as empty, and `/v1` as a version without a group.
    let has_group = |text: &str| text.split_once('/').is_some_and(|(group, _)| !group.is_empty());
    if node.is_some_and(|version| version.as_str().is_none_or(has_group)) {
        return;
    }
    let (at, message) = match node {
        Some(node) => (node.span(), "`apiVersion` of the scale target has no group"),
        None => (start(target), "the scale target has no `apiVersion`"),
    };
    let group = match kind {
        "Deployment" | "StatefulSet" | "ReplicaSet" => "apps/v1",
        _ => "example.com/v1",
    };
    let finding = Diagnostic::new(&SCALE_TARGET_GROUPLESS, at, message)
        .at("requires a group")
        .help(message!("add the group: `apiVersion: {group}`"));
    let finding = match node {
        Some(_) => finding,
        None => judge.missing(finding, target, &["apiVersion"]),
    };
    judge.report(finding, (target, "apiVersion"));
}
