//! Deprecated node labels, in all fields that select nodes.

use super::{AFFINITY_VALUE_INVALID, NODE_LABEL_DEPRECATED, items, shown};
use crate::diag::{Diagnostic, message};
use crate::scalar::check_label_value;
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, Spot};

/// The label, the version that deprecated it, and its replacement; after `deprecatedNodeLabels` of
/// Kubernetes' `pkg/api/node`.
const DEPRECATED: [(&str, &str, Option<&str>); 8] = [
    ("app.kubernetes.io/created-by", " since Kubernetes 1.9", None),
    ("beta.kubernetes.io/arch", " since Kubernetes 1.14", Some("kubernetes.io/arch")),
    (
        "beta.kubernetes.io/instance-type",
        " since Kubernetes 1.17",
        Some("node.kubernetes.io/instance-type"),
    ),
    ("beta.kubernetes.io/os", " since Kubernetes 1.14", Some("kubernetes.io/os")),
    (
        "failure-domain.beta.kubernetes.io/region",
        " since Kubernetes 1.17",
        Some("topology.kubernetes.io/region"),
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        " since Kubernetes 1.17",
        Some("topology.kubernetes.io/zone"),
    ),
    ("node-role.kubernetes.io/master", "", Some("node-role.kubernetes.io/control-plane")),
    ("scheduler.alpha.kubernetes.io/preferAvoidPods", " since Kubernetes 1.22", None),
];

pub(super) fn check_pod(judge: &mut Judge<'_>, spec: &Node) {
    check_keys(judge, spec.get("nodeSelector"));
    for constraint in items(spec, "topologySpreadConstraints") {
        check_text(judge, constraint.get("topologyKey"));
    }
    let Some(affinity) = spec.at(&["affinity", "nodeAffinity"]) else { return };
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    if let Some(selector) = affinity.get(required) {
        check_selector(judge, selector);
    }
    let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    for term in items(affinity, preferred) {
        let Some(preference) = term.get("preference") else { continue };
        check_term(judge, preference);
        check_values(judge, preference);
    }
}

/// Checks a NodeSelector of a Pod or a PersistentVolume.
pub(super) fn check_selector(judge: &mut Judge<'_>, selector: &Node) {
    for term in items(selector, "nodeSelectorTerms") {
        check_term(judge, term);
    }
}

pub(super) fn check_runtime_class(judge: &mut Judge<'_>) {
    let selector = judge.object.root.at(&["scheduling", "nodeSelector"]);
    check_keys(judge, selector);
}

pub(super) fn check_storage_class(judge: &mut Judge<'_>) {
    for topology in items(&judge.object.root, "allowedTopologies") {
        check_expressions(judge, topology, "matchLabelExpressions");
    }
}

pub(super) fn check_storage_capacity(judge: &mut Judge<'_>) {
    let Some(topology) = judge.object.root.get("nodeTopology") else { return };
    check_term(judge, topology);
    check_keys(judge, topology.get("matchLabels"));
}

fn check_term(judge: &mut Judge<'_>, term: &Node) {
    check_expressions(judge, term, "matchExpressions");
}

fn check_expressions(judge: &mut Judge<'_>, term: &Node, list: &str) {
    for expression in items(term, list) {
        check_text(judge, expression.get("key"));
    }
}

/// Checks the values of preferences, which the server does not: an invalid label value selects no
/// node.
fn check_values(judge: &mut Judge<'_>, term: &Node) {
    for expression in items(term, "matchExpressions") {
        for node in items(expression, "values") {
            let Some(value) = node.as_str() else { continue };
            let Err(fault) = check_label_value(value) else { continue };
            let text = (
                message!("label value `{}` {fault}", shown(value)),
                "not a valid label value",
                "write a valid label value",
            );
            judge.fault(&AFFINITY_VALUE_INVALID, node, text);
        }
    }
}

fn check_keys(judge: &mut Judge<'_>, labels: Option<&Node>) {
    for entry in labels.map_or(&[][..], Node::entries) {
        check_label(judge, &entry.key, entry);
    }
}

fn check_text(judge: &mut Judge<'_>, node: Option<&Node>) {
    if let Some(node) = node
        && let Some(label) = node.as_str()
    {
        check_label(judge, label, node);
    }
}

fn check_label<'n>(judge: &mut Judge<'_>, label: &str, spot: impl Into<Spot<'n>>) {
    let Spot { span, place } = spot.into();
    let Some((_, since, instead)) = DEPRECATED.iter().find(|(known, ..)| *known == label) else {
        return;
    };
    let message = message!("node label `{label}` is deprecated{since}");
    let finding = Diagnostic::new(&NODE_LABEL_DEPRECATED, span, message).at("deprecated");
    let finding = match instead {
        Some(instead) => finding.suggest(span, *instead, message!("write `{instead}`")),
        None => finding.help("select nodes with taints and tolerations, or with your own label"),
    };
    judge.report(finding, place);
}
