//! The requests that a policy or a binding matches (`validateMatchResources`).

use super::ADMISSION_POLICY_INVALID;
use crate::diag::message;
use crate::scalar::check_path_segment;
use crate::tree::Node;
use crate::validate::rules::admission_webhook::scope;
use crate::validate::rules::judge::{Absence, Judge, items, labelled, shown, texts};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_selector;

pub(super) fn check(judge: &mut Judge<'_>, constraints: &Node, is_mutating: bool) {
    judge.needed(constraints, "matchPolicy", Absence::BySchema);
    for field in ["namespaceSelector", "objectSelector"] {
        check_selector(judge, constraints.get(field));
    }
    for list in ["resourceRules", "excludeResourceRules"] {
        for rule in items(constraints, list) {
            check_rule(judge, rule);
            if is_mutating && list == "resourceRules" {
                check_operations(judge, rule);
            }
        }
    }
}

fn check_rule(judge: &mut Judge<'_>, rule: &Node) {
    scope::check(judge, rule);
    judge.listed(rule, "scope", &["Cluster", "Namespaced", "*"]);
    let texts = texts(items(rule, "resourceNames"));
    for (text, node) in texts.clone() {
        if !text.is_empty() && check_path_segment(text).is_err() {
            let text = (
                message!("invalid resource name `{}`", shown(text)),
                "write the name of an object, without `/` and `%`",
            );
            judge.refuse(&ADMISSION_POLICY_INVALID, node, text);
        }
    }
    repeated(texts, |name, node, _| {
        let text = (
            message!("duplicate resource name `{}`", shown(name)),
            labelled("duplicate", "remove it"),
        );
        judge.refuse(&ADMISSION_POLICY_INVALID, node, text);
    });
}

/// A mutating policy does not apply to DELETE requests.
fn check_operations(judge: &mut Judge<'_>, rule: &Node) {
    for node in items(rule, "operations") {
        if node.as_str() == Some("DELETE") {
            judge.one_of(node, "operations", &["*", "CONNECT", "CREATE", "UPDATE"]);
        }
    }
}
