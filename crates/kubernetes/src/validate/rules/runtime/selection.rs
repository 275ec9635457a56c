//! Node affinity that compares with something other than an integer.

use super::{NODE_SELECTOR_VALUE_NOT_INTEGER, ObjectJudge, warn};
use crate::diag::Diagnostic;
use crate::kube::PodSpec;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{items, shown};

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, pod: &PodSpec<'_>, path: &Path<'_>) {
    let Some(affinity) = pod.spec.at(&["affinity", "nodeAffinity"]) else { return };
    let path = path.field("affinity.nodeAffinity");
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    if let Some(selector) = affinity.get(required) {
        let list = path.field(required);
        let list = list.field("nodeSelectorTerms");
        for (index, term) in items(selector, "nodeSelectorTerms").iter().enumerate() {
            check_term(judge, term, &list.index(index));
        }
    }
    let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    let list = path.field(preferred);
    for (index, item) in items(affinity, preferred).iter().enumerate() {
        if let Some(term) = item.get("preference") {
            check_term(judge, term, &list.index(index).field("preference"));
        }
    }
}

fn check_term(judge: &mut ObjectJudge<'_, '_>, term: &Node, path: &Path<'_>) {
    let list = path.field("matchExpressions");
    for (index, expression) in items(term, "matchExpressions").iter().enumerate() {
        let Some(operator @ ("Gt" | "Lt")) = expression.str_at(&["operator"]) else { continue };
        let [value] = items(expression, "values") else { continue };
        let Some(text) = value.as_str().filter(|it| it.parse::<i64>().is_err()) else { continue };
        let message = format!(
            "`operator: {operator}` compares with `{}`, which is not an integer",
            shown(text)
        );
        let finding = Diagnostic::new(&NODE_SELECTOR_VALUE_NOT_INTEGER, value.span(), message)
            .at("must be an integer")
            .note("the scheduler matches no node, and the Pod stays `Pending`")
            .help("write a whole number, such as `\"4\"`");
        warn(judge, value, finding, &list.index(index).field("values"));
    }
}
