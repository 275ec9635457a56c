//! Node affinity that compares with something other than an integer.

use super::NODE_SELECTOR_VALUE_NOT_INTEGER;
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, items, shown};

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let Some(affinity) = pod.spec.at(&["affinity", "nodeAffinity"]) else { return };
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    if let Some(selector) = affinity.get(required) {
        for term in items(selector, "nodeSelectorTerms") {
            check_term(judge, term);
        }
    }
    let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    for item in items(affinity, preferred) {
        if let Some(term) = item.get("preference") {
            check_term(judge, term);
        }
    }
}

fn check_term(judge: &mut Judge<'_>, term: &Node) {
    for expression in items(term, "matchExpressions") {
        let Some(operator @ ("Gt" | "Lt")) = expression.str_at(&["operator"]) else { continue };
        let [value] = items(expression, "values") else { continue };
        let Some(text) = value.as_str().filter(|text| text.parse::<i64>().is_err()) else {
            continue;
        };
        let message = message!(
            "`operator: {operator}` compares with `{}`, which is not an integer",
            shown(text)
        );
        let finding = Diagnostic::new(&NODE_SELECTOR_VALUE_NOT_INTEGER, value.span(), message)
            .at("must be an integer")
            .note("the scheduler matches no node, and the Pod stays `Pending`")
            .help("write a whole number, such as `\"4\"`");
        judge.report(finding.same_mistake_as(value.span()), (expression, "values"));
    }
}
