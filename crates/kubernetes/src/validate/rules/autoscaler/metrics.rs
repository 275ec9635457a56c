//! The metrics of an autoscaler.

use super::target::{self, TargetFields};
use super::{METRIC_SOURCE_MISMATCH, check_needed_segment, check_reference};
use crate::diag::{Diagnostic, message};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Entry, Node};
use crate::validate::rules::amounts::{Level, check_resource_name};
use crate::validate::rules::judge::{Absence, Judge, items, start, text_at};
use crate::validate::rules::pod::CONTAINER_NAME_INVALID;

/// The metric types and their fields, in the order in which the API server checks them.
const SOURCES: [(&str, &str); 5] = [
    ("Object", "object"),
    ("External", "external"),
    ("Pods", "pods"),
    ("Resource", "resource"),
    ("ContainerResource", "containerResource"),
];

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    for metric in items(spec, "metrics") {
        check_metric(judge, metric);
    }
}

fn check_metric(judge: &mut Judge<'_>, metric: &Node) {
    if judge.needed(metric, "type", Absence::BySchema).is_some() {
        judge.listed(metric, "type", &SOURCES.map(|(name, _)| name));
    }
    let given: Vec<_> = SOURCES.iter().filter_map(|(_, field)| metric.entry(field)).collect();
    // Only the first one is validated.
    if let Some(source) = given.first() {
        check_source(judge, source);
    }
    let wanted = text_at(metric, &["type"]);
    let Some((_, wanted)) = SOURCES.iter().find(|(name, _)| *name == wanted) else { return };
    let others: Vec<&Entry> = given.iter().copied().filter(|entry| entry.key != *wanted).collect();
    let is_there = given.len() > others.len();
    let Some((at, message, label)) = (match (is_there, others.first()) {
        (true, None) => None,
        (true, Some(other)) => Some((
            other.key_origin().span(),
            message!("metric has both `{wanted}` and `{}`", other.key),
            "a second source",
        )),
        (false, Some(other)) => Some((
            other.key_origin().span(),
            message!("metric type requires `{wanted}`, but the metric has `{}`", other.key),
            "belongs to another metric type",
        )),
        (false, None) => Some((
            start(metric),
            message!("metric has no `{wanted}`, which its type requires"),
            "has no source",
        )),
    }) else {
        return;
    };
    let mut finding = Diagnostic::new(&METRIC_SOURCE_MISMATCH, at, message).at(label);
    if let Some(node) = metric.get("type").filter(|_| !others.is_empty()) {
        finding = finding.label(node.span(), message!("requires `{wanted}`"));
    }
    finding = if is_there {
        finding.help("split it into two metrics")
    } else {
        finding.help(message!("move the metric to `{wanted}`, or change `type`"))
    };
    if !is_there && others.is_empty() {
        finding = judge.missing(finding, metric, &[wanted]);
    }
    judge.report(finding, (metric, *wanted));
}

fn check_source(judge: &mut Judge<'_>, source: &Entry) {
    let node = &source.value;
    match source.key.as_str() {
        "resource" => {
            judge.needed(node, "name", Absence::BySchema);
            target::check(judge, node, TargetFields::Utilization);
        }
        "containerResource" => {
            check_metric_resource(judge, node);
            check_container(judge, node);
            target::check(judge, node, TargetFields::Utilization);
        }
        "pods" => {
            check_identifier(judge, node);
            target::check(judge, node, TargetFields::Average);
        }
        "external" => {
            check_identifier(judge, node);
            target::check(judge, node, TargetFields::OneValue);
        }
        _ => {
            if let Some(described) = node.get("describedObject") {
                check_reference(judge, described);
            }
            check_identifier(judge, node);
            target::check(judge, node, TargetFields::AnyValue);
        }
    }
}

fn check_identifier(judge: &mut Judge<'_>, source: &Node) {
    if let Some(metric) = source.get("metric") {
        check_needed_segment(judge, metric, "name");
    }
}

fn check_metric_resource(judge: &mut Judge<'_>, source: &Node) {
    if let Some((node, name)) = judge.needed_node(source, "name", Absence::BySchema) {
        check_resource_name(judge, name, Level::Container, node);
    }
}

fn check_container(judge: &mut Judge<'_>, source: &Node) {
    if let Some((node, _)) = judge.needed_node(source, "container", Absence::BySchema) {
        let rule = (&CONTAINER_NAME_INVALID, "container name");
        judge.form(node, rule, check_dns_label, near_dns_label);
    }
}
