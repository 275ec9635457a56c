//! Deprecated node labels, in all fields that select nodes.

use super::{
    AFFINITY_VALUE_INVALID, Judging, NODE_LABEL_DEPRECATED, ObjectJudge, items, shown, warn,
};
use crate::diag::Diagnostic;
use crate::scalar::check_label_value;
use crate::source::Span;
use crate::tree::{Node, Path};

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

pub(super) fn check_pod(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    check_keys(judge, spec.get("nodeSelector"), &path.field("nodeSelector"));
    let field = path.field("topologySpreadConstraints");
    for (index, constraint) in items(spec, "topologySpreadConstraints").iter().enumerate() {
        check_text(judge, constraint.get("topologyKey"), &field.index(index).field("topologyKey"));
    }
    let Some(affinity) = spec.at(&["affinity", "nodeAffinity"]) else { return };
    let path = path.field("affinity");
    let path = path.field("nodeAffinity");
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    if let Some(selector) = affinity.get(required) {
        check_selector(judge, selector, &path.field(required));
    }
    let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    let field = path.field(preferred);
    for (index, term) in items(affinity, preferred).iter().enumerate() {
        let Some(preference) = term.get("preference") else { continue };
        let path = field.index(index);
        let path = path.field("preference");
        check_term(judge, preference, &path);
        check_values(judge, preference, &path);
    }
}

/// Checks a NodeSelector of a Pod or a PersistentVolume.
pub(super) fn check_selector(judge: &mut ObjectJudge<'_, '_>, selector: &Node, path: &Path<'_>) {
    let field = path.field("nodeSelectorTerms");
    for (index, term) in items(selector, "nodeSelectorTerms").iter().enumerate() {
        check_term(judge, term, &field.index(index));
    }
}

pub(super) fn check_runtime_class(judge: &mut ObjectJudge<'_, '_>) {
    let root = Path::root();
    let path = root.field("scheduling");
    let selector = judge.object.root.at(&["scheduling", "nodeSelector"]);
    check_keys(judge, selector, &path.field("nodeSelector"));
}

pub(super) fn check_storage_class(judge: &mut ObjectJudge<'_, '_>) {
    let root = Path::root();
    let field = root.field("allowedTopologies");
    for (index, topology) in items(&judge.object.root, "allowedTopologies").iter().enumerate() {
        check_expressions(judge, topology, "matchLabelExpressions", &field.index(index));
    }
}

pub(super) fn check_storage_capacity(judge: &mut ObjectJudge<'_, '_>) {
    let Some(topology) = judge.object.root.get("nodeTopology") else { return };
    let root = Path::root();
    let path = root.field("nodeTopology");
    check_term(judge, topology, &path);
    check_keys(judge, topology.get("matchLabels"), &path.field("matchLabels"));
}

fn check_term(judge: &mut ObjectJudge<'_, '_>, term: &Node, path: &Path<'_>) {
    check_expressions(judge, term, "matchExpressions", path);
}

fn check_expressions(judge: &mut ObjectJudge<'_, '_>, term: &Node, list: &str, path: &Path<'_>) {
    let field = path.field(list);
    for (index, expression) in items(term, list).iter().enumerate() {
        check_text(judge, expression.get("key"), &field.index(index).field("key"));
    }
}

/// Checks the values of preferences, which the server does not: an invalid label value selects no
/// node.
fn check_values(judge: &mut ObjectJudge<'_, '_>, term: &Node, path: &Path<'_>) {
    let field = path.field("matchExpressions");
    for (index, expression) in items(term, "matchExpressions").iter().enumerate() {
        let path = field.index(index);
        let path = path.field("values");
        for (at, node) in items(expression, "values").iter().enumerate() {
            let Some(value) = node.as_str() else { continue };
            let Err(fault) = check_label_value(value) else { continue };
            warn(
                judge,
                &AFFINITY_VALUE_INVALID,
                (node.span(), "not a valid label value"),
                format!("label value `{}` {fault}", shown(value)),
                "write a valid label value",
                &path.index(at),
            );
        }
    }
}

fn check_keys(judge: &mut ObjectJudge<'_, '_>, labels: Option<&Node>, path: &Path<'_>) {
    for entry in labels.map_or(&[][..], Node::entries) {
        check_label(judge, &entry.key, entry.key_origin.span(), &path.key(&entry.key));
    }
}

fn check_text(judge: &mut ObjectJudge<'_, '_>, node: Option<&Node>, path: &Path<'_>) {
    if let Some(node) = node
        && let Some(label) = node.as_str()
    {
        check_label(judge, label, node.span(), path);
    }
}

fn check_label(judge: &mut ObjectJudge<'_, '_>, label: &str, span: Span, path: &Path<'_>) {
    let Some((_, since, instead)) = DEPRECATED.iter().find(|(known, ..)| *known == label) else {
        return;
    };
    let message = format!("node label `{label}` is deprecated{since}");
    let finding = Diagnostic::new(&NODE_LABEL_DEPRECATED, span, message).at("deprecated");
    let finding = match instead {
        Some(instead) => finding.suggest(span, *instead, format!("write `{instead}`")),
        None => finding.help("select nodes with taints and tolerations, or with your own label"),
    };
    judge.report(finding, path);
}
