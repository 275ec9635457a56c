//! The selector of a Job. The server generates labels and a selector unless `manualSelector` is
//! set.

use super::{JOB_LABEL_RESERVED, JOB_SELECTOR_OWN};
use crate::diag::{Diagnostic, Severity, message};
use crate::kube::{LabelState, first_unmet, state_of};
use crate::tree::{Map, Node};
use crate::validate::rules::judge::{FIELD_EMPTY, Judge, Spot, is_true, shown, start};
use crate::validate::rules::selectors::check_selector;
use crate::validate::rules::workloads::check_match;

const NAME_LABELS: [&str; 2] = ["job-name", "batch.kubernetes.io/job-name"];
const ID_LABELS: [&str; 2] = ["controller-uid", "batch.kubernetes.io/controller-uid"];
/// A value that no label can have. It represents one that is unknown before the Job exists.
const UNKNOWN: &str = " ";

/// Checks the selector of a Job and the labels of its Pods.
pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let selector = spec.get("selector");
    let before = judge.reports;
    check_selector(judge, selector);
    if is_true(spec, "manualSelector") {
        match selector {
            Some(selector) if judge.reports == before => check_match(judge, spec, selector),
            None => {
                let finding = Diagnostic::new(
                    &FIELD_EMPTY,
                    start(spec),
                    "`manualSelector: true` is set without `selector`",
                )
                .at("requires `selector`")
                .help("add `selector`, or remove `manualSelector`");
                judge.report(judge.missing(finding, spec, &["selector"]), (spec, "selector"));
            }
            Some(_) => {}
        }
        return;
    }
    check_template_labels(judge, spec, Severity::Error);
    let labels = Map::of(spec.at(&["template", "metadata", "labels"]));
    let name = name_of(judge);
    if let Some(selector) = selector
        && judge.reports == before
        && let Some((node, _)) = first_unmet(selector, |key| generated_label(name, key))
            .or_else(|| first_unmet(selector, |key| completed_label(name, labels, key)))
    {
        check_own_selector(judge, (node.span(), selector).into());
    }
}

/// Checks the Job template of a CronJob, whose Jobs always get a generated selector.
pub(super) fn check_template(judge: &mut Judge<'_>, spec: &Node) {
    check_template_labels(judge, spec, Severity::Warning);
    if let Some(entry) = spec.entry("selector") {
        check_own_selector(judge, (&entry.value).into());
    }
    if let Some(node) = spec.get("manualSelector").filter(|value| value.as_bool() == Some(true)) {
        let text = (
            "`manualSelector: true` is set in a CronJob",
            "all Jobs of the CronJob select the same Pods",
            "remove it: the API server generates a selector for each Job",
        );
        judge.fault(&JOB_SELECTOR_OWN, node, text);
    }
}

fn check_own_selector(judge: &mut Judge<'_>, spot: Spot<'_>) {
    let message = message!("{} has a custom selector", judge.object.describe());
    let mut finding = Diagnostic::new(&JOB_SELECTOR_OWN, spot.span, message)
        .at("conflicts with the generated selector")
        .help("remove `selector`: the API server generates one");
    if judge.object.gvk.kind == "Job" {
        finding = finding.note("`manualSelector: true` keeps a custom selector");
    }
    judge.report(finding, spot.place);
}

/// Checks that labels reserved for the server have the values that it sets. The server accepts a
/// `CronJob` with other ones, for which it is a warning, but rejects its Jobs.
fn check_template_labels(judge: &mut Judge<'_>, spec: &Node, severity: Severity) {
    let Some(labels) = spec.at(&["template", "metadata", "labels"]) else { return };
    let is_template = severity == Severity::Warning;
    let name = if is_template { UNKNOWN } else { name_of(judge) };
    for entry in labels.entries() {
        let key = entry.key.as_str();
        let is_name = NAME_LABELS.contains(&key);
        let agrees = is_name && entry.value.as_str() == Some(name);
        if agrees || !is_name && !ID_LABELS.contains(&key) {
            continue;
        }
        let message = message!("Pod label `{key}` is reserved for the API server");
        let mut finding = Diagnostic::new(&JOB_LABEL_RESERVED, entry.value.span(), message)
            .help("remove the label");
        finding = if is_name && name != UNKNOWN {
            finding.at(message!("must be `{}`, the name of the Job", shown(name)))
        } else {
            finding.at("unknown before the Job exists")
        };
        finding.severity = severity;
        if is_template {
            finding = finding.note("the API server accepts the CronJob but rejects its Jobs");
        }
        judge.report(finding, entry);
    }
}

/// The name of the Job, or [`UNKNOWN`] if the server generates it.
fn name_of<'o>(judge: &Judge<'o>) -> &'o str {
    let name = judge.object.name.as_str();
    if name.is_empty() { UNKNOWN } else { name }
}

fn generated_label<'l>(name: &'l str, key: &str) -> LabelState<'l> {
    if NAME_LABELS.contains(&key) {
        LabelState::Value(name)
    } else if ID_LABELS.contains(&key) {
        LabelState::Value(UNKNOWN)
    } else {
        LabelState::Absent
    }
}

/// The labels of the template, with those that the server adds.
fn completed_label<'l>(name: &'l str, labels: &'l Map, key: &str) -> LabelState<'l> {
    match generated_label(name, key) {
        LabelState::Absent => state_of(labels.get(key)),
        state => state,
    }
}
