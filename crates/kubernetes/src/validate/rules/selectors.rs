//! Label selectors and node selectors.

use super::judging::{Judging, items, shown};
use crate::diag::Diagnostic;
use crate::diag::{Rule, declare_rules};
use crate::scalar::{check_dns_subdomain, check_label_value, check_qualified_name};
use crate::tree::{Entry, Node, Path};

declare_rules! {
    NODE_SELECTOR_INVALID = "node-selector-invalid", Error;
    POD_SELECTOR_INVALID = "pod-selector-invalid", Error;
}

/// Checks a selector of Pods or namespaces.
pub(super) fn check_selector(judge: &mut impl Judging, selector: &Node, path: &Path<'_>) {
    let rule = &POD_SELECTOR_INVALID;
    if let Some(labels) = selector.get("matchLabels") {
        check_label_map(judge, labels, &path.field("matchLabels"));
    }
    let field = path.field("matchExpressions");
    for (index, expression) in items(selector, "matchExpressions").iter().enumerate() {
        let path = field.index(index);
        check_key(judge, expression, rule, &path);
        check_values(judge, expression, rule, &path);
        check_operator(judge, expression, &["In", "NotIn", "Exists", "DoesNotExist"], rule, &path);
        label_values(judge, expression, rule, &path);
    }
}

/// Checks a requirement of a review of an access, whose operator can be one that the API server
/// does not know.
pub(super) fn check_requirement(
    judge: &mut impl Judging,
    requirement: &Node,
    is_of_labels: bool,
    path: &Path<'_>,
) {
    let rule = &POD_SELECTOR_INVALID;
    check_values(judge, requirement, rule, path);
    if is_of_labels {
        check_key(judge, requirement, rule, path);
        label_values(judge, requirement, rule, path);
    }
}

/// Checks a selector of Pods that is a plain map of labels.
pub(super) fn check_label_map(judge: &mut impl Judging, labels: &Node, path: &Path<'_>) {
    for entry in labels.entries() {
        check_label(judge, entry, &POD_SELECTOR_INVALID, &path.key(&entry.key));
    }
}

/// Checks the key and the value of a selected label.
pub(super) fn check_label(
    judge: &mut impl Judging,
    entry: &Entry,
    rule: &'static Rule,
    path: &Path<'_>,
) {
    if let Err(fault) = check_qualified_name(&entry.key) {
        let message = format!("label key `{}` {fault}", shown(&entry.key));
        judge.refuse(
            rule,
            entry.key_origin.span(),
            (message, "write it exactly as in the label"),
            path,
        );
    }
    if let Some(Err(fault)) = entry.value.as_str().map(check_label_value) {
        let message =
            format!("label value `{}` {fault}", shown(entry.value.as_str().unwrap_or("")));
        judge.refuse(rule, entry.value.span(), (message, "write it exactly as in the label"), path);
    }
}

/// Checks a term of a node selector; the values of preferred terms are not checked.
pub(super) fn check_node_term(
    judge: &mut impl Judging,
    term: &Node,
    is_required: bool,
    path: &Path<'_>,
) {
    let rule = &NODE_SELECTOR_INVALID;
    let field = path.field("matchExpressions");
    for (index, expression) in items(term, "matchExpressions").iter().enumerate() {
        let path = field.index(index);
        check_key(judge, expression, rule, &path);
        check_values(judge, expression, rule, &path);
        if is_required {
            label_values(judge, expression, rule, &path);
        }
        let operators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
        check_operator(judge, expression, &operators, rule, &path);
    }
    let field = path.field("matchFields");
    for (index, expression) in items(term, "matchFields").iter().enumerate() {
        node_field(judge, expression, &field.index(index));
    }
}

/// Checks a field requirement; the only supported field is the name of the node.
fn node_field(judge: &mut impl Judging, expression: &Node, path: &Path<'_>) {
    let rule = &NODE_SELECTOR_INVALID;
    check_operator(judge, expression, &["In", "NotIn"], rule, path);
    if let Some(key) = expression.get("key").filter(|it| it.as_str() != Some("metadata.name")) {
        let message = "unsupported node field in `matchFields`";
        judge.refuse(rule, key.span(), (message, "write `metadata.name`"), &path.field("key"));
    }
    let values = items(expression, "values");
    let path = path.field("values");
    if values.len() != 1 {
        let at = expression.get("values").unwrap_or(expression);
        let message = "node field is not compared with exactly one value";
        judge.refuse(rule, at.span(), (message, "write one node name"), &path);
    }
    for (index, value) in values.iter().enumerate() {
        if let Some(Err(fault)) = value.as_str().map(check_dns_subdomain) {
            let message = format!("node name {fault}");
            judge.refuse(rule, value.span(), (message, "write a node name"), &path.index(index));
        }
    }
}

fn check_key(judge: &mut impl Judging, expression: &Node, rule: &'static Rule, path: &Path<'_>) {
    let Some(node) = expression.get("key") else { return };
    if let Some(Err(fault)) = node.as_str().map(check_qualified_name) {
        let message = format!("label key `{}` {fault}", shown(node.as_str().unwrap_or("")));
        let path = path.field("key");
        judge.refuse(rule, node.span(), (message, "write it exactly as in the label"), &path);
    }
}

fn check_operator(
    judge: &mut impl Judging,
    expression: &Node,
    allowed: &[&str],
    rule: &'static Rule,
    path: &Path<'_>,
) {
    let Some(node) = expression.get("operator") else { return };
    let Some(operator) = node.as_str().filter(|it| !allowed.contains(it)) else { return };
    // The schema lists the operators for nodes; other selectors and the empty string are checked
    // here.
    let is_reported =
        *rule == NODE_SELECTOR_INVALID && allowed.contains(&"Gt") && !operator.is_empty();
    if is_reported {
        return;
    }
    let all: Vec<_> = allowed.iter().map(|it| format!("`{it}`")).collect();
    let message = format!("invalid operator `{}`", shown(operator));
    let help = format!("write {}", all.join(" or "));
    judge.refuse(rule, node.span(), (message, &help), &path.field("operator"));
}

/// Checks the number of values of an operator.
fn check_values(judge: &mut impl Judging, expression: &Node, rule: &'static Rule, path: &Path<'_>) {
    let values = items(expression, "values");
    let operator = expression.str_at(&["operator"]).unwrap_or_default();
    let (message, help) = match (operator, values.len()) {
        ("In" | "NotIn", 0) => ("has no values", "add `values: [...]`"),
        ("Exists" | "DoesNotExist", 1..) => ("has values", "remove `values`"),
        ("Gt" | "Lt", count) if count != 1 && *rule == NODE_SELECTOR_INVALID => {
            ("requires exactly one value", "write one number in `values`")
        }
        _ => return,
    };
    let at = expression.get("values").or_else(|| expression.get("operator")).unwrap_or(expression);
    let message = format!("`operator: {operator}` {message}");
    let finding = Diagnostic::new(rule, at.span(), message).help(help);
    let finding = judge.missing(finding, expression, &["values"]);
    judge.report(finding, &path.field("values"));
}

fn label_values(judge: &mut impl Judging, expression: &Node, rule: &'static Rule, path: &Path<'_>) {
    let path = path.field("values");
    for (index, value) in items(expression, "values").iter().enumerate() {
        if let Some(Err(fault)) = value.as_str().map(check_label_value) {
            let message = format!("label value `{}` {fault}", shown(value.as_str().unwrap_or("")));
            let help = "write a valid label value";
            judge.refuse(rule, value.span(), (message, help), &path.index(index));
        }
    }
}
