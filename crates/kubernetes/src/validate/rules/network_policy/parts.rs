//! The selectors, types and protocols of a NetworkPolicy.

use super::{POLICY_TYPES_INVALID, POLICY_TYPES_LEAVE_OUT_RULES};
use crate::diag::{Diagnostic, message};
use crate::kube::{Direction, policy_governs};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, items};
use crate::validate::rules::selectors::check_selector;

/// The maximum number of types that the API server accepts.
const MAX_TYPES: usize = 2;

/// Checks the rules of a policy, its own or those of a template.
pub(super) fn check(judge: &mut Judge<'_>, rules: &Node) {
    check_selector(judge, rules.get("podSelector"));
    for direction in Direction::ALL {
        for rule in items(rules, direction.field()) {
            check_rule(judge, rule, direction);
        }
    }
    check_types(judge, rules);
    check_unused_rules(judge, rules);
}

/// Rules for a direction that `policyTypes` leaves out.
fn check_unused_rules(judge: &mut Judge<'_>, rules: &Node) {
    let Some(types) = rules.get("policyTypes").filter(|types| !types.items().is_empty()) else {
        return;
    };
    let is_known = |node: &Node| matches!(node.as_str(), Some("Ingress" | "Egress"));
    if !types.items().iter().all(is_known) {
        return;
    }
    for direction in Direction::ALL {
        let Some(entry) = rules.entry(direction.field()) else { continue };
        if entry.value.items().is_empty() || policy_governs(rules, direction) {
            continue;
        }
        let (field, name) = (direction.field(), direction.policy_type());
        let message =
            message!("`{field}` rules have no effect: `policyTypes` does not contain `{name}`");
        let finding =
            Diagnostic::new(&POLICY_TYPES_LEAVE_OUT_RULES, entry.key_origin().span(), message)
                .at("ignored")
                .label(types.span(), message!("does not list `{name}`"))
                .note(message!("the policy does not restrict {field} traffic"))
                .help(message!("add `{name}` to `policyTypes`, or remove `{field}`"));
        judge.report(finding, (rules, field));
    }
}

fn check_rule(judge: &mut Judge<'_>, rule: &Node, direction: Direction) {
    for port in items(rule, "ports") {
        judge.needed(port, "protocol", Absence::BySchema);
    }
    for peer in items(rule, direction.peers()) {
        for field in ["podSelector", "namespaceSelector"] {
            check_selector(judge, peer.get(field));
        }
    }
}

fn check_types(judge: &mut Judge<'_>, rules: &Node) {
    let types = items(rules, "policyTypes");
    let help = "list `Ingress` and `Egress` at most once";
    if let Some(third) = types.get(MAX_TYPES) {
        let text = ("`policyTypes` has more than two items", help);
        judge.refuse(&POLICY_TYPES_INVALID, (third.span(), (rules, "policyTypes")), text);
        return;
    }
    for node in types.iter().filter(|node| node.as_str() == Some("")) {
        let text = ("`policyTypes` has an empty item", help);
        judge.refuse(&POLICY_TYPES_INVALID, node, text);
    }
}
