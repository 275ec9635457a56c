//! `StorageClass` and `VolumeAttributesClass`, after Kubernetes' `pkg/apis/storage/validation`.

use super::judge::{Absence, Judge, Place, items, labelled, shown, texts};
use super::qualified::check_caseless_name;
use super::repeated::repeated;
use crate::diag::{declare_rules, message};
use crate::scalar::check_qualified_name;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;

declare_rules! {
    CLASS_PARAMETERS_INVALID = "class-parameters-invalid", Error;
    TOPOLOGY_INVALID = "topology-invalid", Error;
}

/// The maximum number of parameters, and their maximum total size in bytes.
const MAX_PARAMETERS: usize = 512;
const LONGEST_PARAMETERS: usize = 256 * 1024;

/// Checks one storage class.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let class = &object.root;
    check_provisioner(judge, class, "provisioner");
    check_parameters(judge, class);
    // The schema has the policies of volumes, one of which is not allowed for classes.
    if class.str_at(&["reclaimPolicy"]) == Some("Recycle") {
        judge.listed(class, "reclaimPolicy", &["Delete", "Retain"]);
    }
    judge.needed(class, "volumeBindingMode", Absence::BySchema);
    check_topologies(judge, items(class, "allowedTopologies"), (class, "allowedTopologies").into());
}

/// Checks one `VolumeAttributesClass`.
pub(super) fn check_attributes(judge: &mut Judge<'_>) {
    let object = judge.object;
    let class = &object.root;
    check_provisioner(judge, class, "driverName");
    let given = class.get("parameters");
    if given.is_none_or(|node| node.as_map().is_some_and(|map| map.entries().is_empty())) {
        let at = given.map_or_else(|| object.name_span(), Node::span);
        let text = ("VolumeAttributesClass has no parameters", "add `parameters: {...}`");
        judge.lacks(&CLASS_PARAMETERS_INVALID, (at, (&judge.object.root, "parameters")), text);
    }
    check_parameters(judge, class);
}

fn check_provisioner(judge: &mut Judge<'_>, class: &Node, field: &'static str) {
    if let Some((node, _)) = judge.needed_node(class, field, Absence::BySchema) {
        check_caseless_name(judge, node, field);
    }
}

fn check_parameters(judge: &mut Judge<'_>, class: &Node) {
    let Some(node) = class.get("parameters") else { return };
    let entries = node.entries();
    let size: usize = entries
        .iter()
        .map(|entry| entry.key.len() + entry.value.as_str().map_or(0, str::len))
        .sum();
    let help = "keep only the parameters that the driver requires";
    if entries.len() > MAX_PARAMETERS {
        let text =
            (message!("class has {} parameters, more than {MAX_PARAMETERS}", entries.len()), help);
        judge.refuse(&CLASS_PARAMETERS_INVALID, node, text);
        return;
    }
    if let Some(entry) = entries.iter().find(|entry| entry.key.is_empty()) {
        let text = ("empty parameter name", "write a parameter name of the driver");
        judge.refuse(
            &CLASS_PARAMETERS_INVALID,
            (entry.key_origin().span(), (class, "parameters")),
            text,
        );
    }
    if size > LONGEST_PARAMETERS {
        let text =
            (message!("parameters total {size} bytes, more than {LONGEST_PARAMETERS}"), help);
        judge.refuse(&CLASS_PARAMETERS_INVALID, node, text);
    }
}

/// Checks that terms, and the keys of a term, are unique.
fn check_topologies(judge: &mut Judge<'_>, terms: &[Node], place: Place<'_>) {
    for term in terms {
        let expressions = items(term, "matchLabelExpressions");
        if expressions.is_empty() {
            let text =
                ("topology term has no expressions", "add an expression, or remove the term");
            judge.lacks(&TOPOLOGY_INVALID, term, text);
        }
        for expression in expressions {
            check_expression(judge, expression);
        }
        let keys = expressions
            .iter()
            .filter_map(|expression| Some((expression.str_at(&["key"])?, expression.get("key")?)));
        repeated(keys, |key, node, _| {
            let text = (
                message!("duplicate label `{}` in a topology term", shown(key)),
                labelled("duplicate", "combine the values in one expression"),
            );
            judge.refuse(&TOPOLOGY_INVALID, (node.span(), (term, "matchLabelExpressions")), text);
        });
    }
    let maps = terms.iter().map(|term| {
        let expressions = items(term, "matchLabelExpressions").iter();
        let values =
            |expression| items(expression, "values").iter().filter_map(Node::as_str).collect();
        let map: SortedMap<&str, SortedSet<&str>> = expressions
            .filter_map(|expression| Some((expression.str_at(&["key"])?, values(expression))))
            .collect();
        (map, term)
    });
    let all = maps.filter(|(map, _)| !map.is_empty());
    repeated(all, |_, term, first| {
        let texts = ("duplicate topology term", "duplicate term", "remove one of them");
        judge.conflict(
            &TOPOLOGY_INVALID,
            (term.span(), place),
            texts,
            (first, "first defined here"),
        );
    });
}

fn check_expression(judge: &mut Judge<'_>, expression: &Node) {
    let key = expression.get("key");
    if let Some(node) = key {
        let help = |_: &str| "write it exactly as in the label".into();
        let what = (&TOPOLOGY_INVALID, "label key");
        judge.form(node, what, check_qualified_name, help);
    }
    let values = items(expression, "values");
    if let Some(node) = expression.get("values").filter(|_| values.is_empty()) {
        let text = ("topology expression has no values", "list the allowed values");
        judge.refuse(&TOPOLOGY_INVALID, node, text);
    }
    repeated(texts(values), |value, node, _| {
        let text = (
            message!("duplicate value `{}`", shown(value)),
            labelled("duplicate", "remove one of the two"),
        );
        judge.refuse(&TOPOLOGY_INVALID, node, text);
    });
}
