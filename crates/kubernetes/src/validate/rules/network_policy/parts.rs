//! The selectors, types and protocols of a NetworkPolicy.

use super::{POLICY_TYPES_INVALID, POLICY_TYPES_LEAVE_OUT_RULES};
use crate::diag::Diagnostic;
use crate::kube::{Direction, PolicyRules, policy_governs};
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, items};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::selectors::check_selector;

/// The maximum number of types that the API server accepts.
const MAX_TYPES: usize = 2;

/// Checks the rules of a policy, its own or those of a template.
pub(in crate::validate::rules) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(rules) = PolicyRules::of(judge.object) else { return };
    let root = Path::root();
    let (first, rest) =
        rules.fields().split_first().map_or(("spec", &[][..]), |(first, rest)| (*first, rest));
    let outer = root.field(first);
    let inner = rest.first().map_or(outer, |field| outer.field(field));
    let path = &inner;
    if let Some(selector) = rules.node.get("podSelector") {
        check_selector(judge, selector, &path.field("podSelector"));
    }
    for direction in Direction::ALL {
        let list = path.field(direction.field());
        for (index, rule) in items(rules.node, direction.field()).iter().enumerate() {
            check_rule(judge, rule, direction, &list.index(index));
        }
    }
    types(judge, rules.node, path);
    unused_rules(judge, rules.node, path);
}

/// Rules for a direction that `policyTypes` leaves out.
fn unused_rules(judge: &mut ObjectJudge<'_, '_>, rules: &Node, path: &Path<'_>) {
    let Some(types) = rules.get("policyTypes").filter(|it| !it.items().is_empty()) else { return };
    let is_known = |it: &Node| matches!(it.as_str(), Some("Ingress" | "Egress"));
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
            format!("`{field}` rules have no effect: `policyTypes` does not contain `{name}`");
        let finding =
            Diagnostic::new(&POLICY_TYPES_LEAVE_OUT_RULES, entry.key_origin.span(), message)
                .at("ignored")
                .label(types.span(), format!("does not list `{name}`"))
                .note(format!("the policy does not restrict {field} traffic"))
                .help(format!("add `{name}` to `policyTypes`, or remove `{field}`"));
        judge.report(finding, &path.field(field));
    }
}

fn check_rule(judge: &mut ObjectJudge<'_, '_>, rule: &Node, direction: Direction, path: &Path<'_>) {
    let ports = path.field("ports");
    for (index, port) in items(rule, "ports").iter().enumerate() {
        judge.needed(port, "protocol", Absence::BySchema, &ports.index(index));
    }
    let peers = path.field(direction.peers());
    for (index, peer) in items(rule, direction.peers()).iter().enumerate() {
        let path = peers.index(index);
        for field in ["podSelector", "namespaceSelector"] {
            if let Some(selector) = peer.get(field) {
                check_selector(judge, selector, &path.field(field));
            }
        }
    }
}

fn types(judge: &mut ObjectJudge<'_, '_>, rules: &Node, path: &Path<'_>) {
    let types = items(rules, "policyTypes");
    let path = path.field("policyTypes");
    let help = "list `Ingress` and `Egress` at most once";
    if let Some(third) = types.get(MAX_TYPES) {
        let text = ("`policyTypes` has more than two items", help);
        judge.refuse(&POLICY_TYPES_INVALID, third.span(), text, &path);
        return;
    }
    for (index, node) in types.iter().enumerate().filter(|(_, it)| it.as_str() == Some("")) {
        let text = ("`policyTypes` has an empty item", help);
        judge.refuse(&POLICY_TYPES_INVALID, node.span(), text, &path.index(index));
    }
}
