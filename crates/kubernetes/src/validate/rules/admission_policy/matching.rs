//! The requests that a policy or a binding matches (`validateMatchResources`).

use super::ADMISSION_POLICY_INVALID;
use crate::scalar::check_path_segment;
use crate::tree::{Node, Path};
use crate::validate::rules::admission_webhook::scope;
use crate::validate::rules::judging::{Absence, Judging, items, shown};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_selector;

pub(super) fn check(
    judge: &mut ObjectJudge<'_, '_>,
    constraints: &Node,
    is_mutating: bool,
    path: &Path<'_>,
) {
    judge.needed(constraints, "matchPolicy", Absence::BySchema, path);
    for field in ["namespaceSelector", "objectSelector"] {
        if let Some(selector) = constraints.get(field) {
            check_selector(judge, selector, &path.field(field));
        }
    }
    for list in ["resourceRules", "excludeResourceRules"] {
        let field = path.field(list);
        for (index, rule) in items(constraints, list).iter().enumerate() {
            let path = field.index(index);
            check_rule(judge, rule, &path);
            if is_mutating && list == "resourceRules" {
                operations(judge, rule, &path.field("operations"));
            }
        }
    }
}

fn check_rule(judge: &mut ObjectJudge<'_, '_>, rule: &Node, path: &Path<'_>) {
    scope::check(judge, rule, path);
    judge.listed(rule, "scope", &["Cluster", "Namespaced", "*"], path);
    let field = path.field("resourceNames");
    let names = items(rule, "resourceNames").iter().enumerate();
    let texts = names.filter_map(|(index, node)| Some((node.as_str()?, (index, node))));
    for (text, (index, node)) in texts.clone() {
        if !text.is_empty() && check_path_segment(text).is_err() {
            let text = (
                format!("invalid resource name `{}`", shown(text)),
                "write the name of an object, without `/` and `%`",
            );
            judge.refuse(&ADMISSION_POLICY_INVALID, node.span(), text, &field.index(index));
        }
    }
    repeated(texts, |name, (index, node), _| {
        let text = (format!("duplicate resource name `{}`", shown(name)), "remove it");
        judge.refuse(&ADMISSION_POLICY_INVALID, node.span(), text, &field.index(index));
    });
}

/// A mutating policy does not apply to DELETE requests.
fn operations(judge: &mut ObjectJudge<'_, '_>, rule: &Node, path: &Path<'_>) {
    for (index, node) in items(rule, "operations").iter().enumerate() {
        if node.as_str() == Some("DELETE") {
            judge.one_of(
                node,
                "operations",
                &["*", "CONNECT", "CREATE", "UPDATE"],
                &path.index(index),
            );
        }
    }
}
