//! Label selectors and node selectors.

use super::judge::{Judge, items, labelled, shown, text_at, text_of, value_or_owner};
use crate::diag::{Diagnostic, Message};
use crate::diag::{Rule, declare_rules, message};
use crate::scalar::{check_dns_subdomain, check_label_value, check_qualified_name};
use crate::tree::{Entry, Node};

declare_rules! {
    NODE_SELECTOR_INVALID = "node-selector-invalid", Error;
    POD_SELECTOR_INVALID = "pod-selector-invalid", Error;
}

/// Checks a selector of Pods or namespaces, if it is present.
pub(super) fn check_selector<'n>(judge: &mut Judge<'_>, selector: impl Into<Option<&'n Node>>) {
    let Some(selector) = selector.into() else { return };
    let rule = &POD_SELECTOR_INVALID;
    if let Some(labels) = selector.get("matchLabels") {
        check_label_map(judge, labels);
    }
    for expression in items(selector, "matchExpressions") {
        check_key(judge, expression, rule);
        check_values(judge, expression, rule);
        check_operator(judge, expression, &["In", "NotIn", "Exists", "DoesNotExist"], rule);
        check_label_values(judge, expression, rule);
    }
}

/// Checks a requirement of a review of an access, whose operator can be one that the API server
/// does not know.
pub(super) fn check_requirement(judge: &mut Judge<'_>, requirement: &Node, is_of_labels: bool) {
    let rule = &POD_SELECTOR_INVALID;
    check_values(judge, requirement, rule);
    if is_of_labels {
        check_key(judge, requirement, rule);
        check_label_values(judge, requirement, rule);
    }
}

/// Checks a selector of Pods that is a plain map of labels.
pub(super) fn check_label_map(judge: &mut Judge<'_>, labels: &Node) {
    for entry in labels.entries() {
        check_label(judge, entry, &POD_SELECTOR_INVALID);
    }
}

/// Checks the key and the value of a selected label.
pub(super) fn check_label(judge: &mut Judge<'_>, entry: &Entry, rule: &'static Rule) {
    if let Err(fault) = check_qualified_name(&entry.key) {
        let message = message!("label key `{}` {fault}", shown(&entry.key));
        judge.refuse(rule, entry, (message, "write it exactly as in the label"));
    }
    if let Some(Err(fault)) = entry.value.as_str().map(check_label_value) {
        let message = message!("label value `{}` {fault}", shown(text_of(&entry.value)));
        judge.refuse(rule, &entry.value, (message, "write it exactly as in the label"));
    }
}

/// Checks a term of a node selector; the values of preferred terms are not checked.
pub(super) fn check_node_term(judge: &mut Judge<'_>, term: &Node, is_required: bool) {
    let rule = &NODE_SELECTOR_INVALID;
    for expression in items(term, "matchExpressions") {
        check_key(judge, expression, rule);
        check_values(judge, expression, rule);
        if is_required {
            check_label_values(judge, expression, rule);
        }
        let operators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
        check_operator(judge, expression, &operators, rule);
    }
    for expression in items(term, "matchFields") {
        check_node_field(judge, expression);
    }
}

/// Checks a field requirement; the only supported field is the name of the node.
fn check_node_field(judge: &mut Judge<'_>, expression: &Node) {
    let rule = &NODE_SELECTOR_INVALID;
    check_operator(judge, expression, &["In", "NotIn"], rule);
    if let Some(key) = expression.get("key").filter(|key| key.as_str() != Some("metadata.name")) {
        let message = "unsupported node field in `matchFields`";
        judge.refuse(rule, key, (message, "write `metadata.name`"));
    }
    let values = items(expression, "values");
    if values.len() != 1 {
        let at = value_or_owner(expression, "values");
        let message = "node field is not compared with exactly one value";
        judge.refuse(rule, (at.span(), (expression, "values")), (message, "write one node name"));
    }
    for value in values {
        if let Some(Err(fault)) = value.as_str().map(check_dns_subdomain) {
            let message = message!("node name {fault}");
            judge.refuse(rule, value, (message, "write a node name"));
        }
    }
}

fn check_key(judge: &mut Judge<'_>, expression: &Node, rule: &'static Rule) {
    let Some(node) = expression.get("key") else { return };
    if let Some(Err(fault)) = node.as_str().map(check_qualified_name) {
        let message = message!("label key `{}` {fault}", shown(text_of(node)));
        judge.refuse(rule, node, (message, "write it exactly as in the label"));
    }
}

fn check_operator(judge: &mut Judge<'_>, expression: &Node, allowed: &[&str], rule: &'static Rule) {
    let Some(node) = expression.get("operator") else { return };
    let Some(operator) = node.as_str().filter(|operator| !allowed.contains(operator)) else {
        return;
    };
    // The schema lists the operators for nodes; other selectors and the empty string are checked
    // here.
    let is_reported =
        *rule == NODE_SELECTOR_INVALID && allowed.contains(&"Gt") && !operator.is_empty();
    if is_reported {
        return;
    }
    let quoted = allowed.iter().map(|operator| message!("`{operator}`"));
    let message = message!("invalid operator `{}`", shown(operator));
    let all = Message::joined(quoted, " or ");
    let remedy = labelled(message!("must be {all}"), message!("write {all}"));
    judge.refuse(rule, node, (message, remedy));
}

/// Checks the number of values of an operator.
fn check_values(judge: &mut Judge<'_>, expression: &Node, rule: &'static Rule) {
    let values = items(expression, "values");
    let operator = text_at(expression, &["operator"]);
    let (message, help) = match (operator, values.len()) {
        ("In" | "NotIn", 0) => ("has no values", "add `values: [...]`"),
        ("Exists" | "DoesNotExist", 1..) => ("has values", "remove `values`"),
        ("Gt" | "Lt", count) if count != 1 && *rule == NODE_SELECTOR_INVALID => {
            ("requires exactly one value", "write one number in `values`")
        }
        _ => return,
    };
    let at = expression.get("values").or_else(|| expression.get("operator")).unwrap_or(expression);
    let message = message!("`operator: {operator}` {message}");
    let finding = Diagnostic::new(rule, at.span(), message).help(help);
    let finding = judge.missing(finding, expression, &["values"]);
    judge.report(finding, (expression, "values"));
}

fn check_label_values(judge: &mut Judge<'_>, expression: &Node, rule: &'static Rule) {
    for value in items(expression, "values") {
        if let Some(Err(fault)) = value.as_str().map(check_label_value) {
            let message = message!("label value `{}` {fault}", shown(text_of(value)));
            let help = "write a valid label value";
            judge.refuse(rule, value, (message, help));
        }
    }
}
