//! The requests that a webhook receives (`validateRuleWithOperations`).

use super::WEBHOOK_RULE_INVALID;
use crate::diag::message;
use crate::sorted::SortedSet;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, items, texts, value_or_start};

pub(in crate::validate::rules) fn check(judge: &mut Judge<'_>, rule: &Node) {
    for field in ["operations", "apiGroups", "apiVersions", "resources"] {
        let list = items(rule, field);
        if list.is_empty() {
            // The schema does not require any of them.
            let at = value_or_start(rule, field);
            let help = message!("write `{field}: [\"*\"]` for all of them");
            let text = (message!("admission rule has no `{field}`"), help);
            judge.lacks_all_of(&WEBHOOK_RULE_INVALID, (at, (rule, field)), text, (rule, &[field]));
        } else if field != "resources" {
            check_wildcard_alone(judge, list, field);
        }
        for node in list {
            check_entry(judge, node, field);
        }
    }
    check_resources(judge, rule);
    judge.needed(rule, "scope", Absence::BySchema);
}

/// Requires `*` to be the only item.
fn check_wildcard_alone(judge: &mut Judge<'_>, list: &[Node], field: &str) {
    let all = list.iter().find(|item| item.as_str() == Some("*"));
    if let Some(all) = all.filter(|_| list.len() > 1) {
        let text =
            (message!("`*` is not the only item of `{field}`"), "keep only `*`, or remove it");
        judge.refuse(&WEBHOOK_RULE_INVALID, all, text);
    }
}

fn check_entry(judge: &mut Judge<'_>, node: &Node, field: &str) {
    let Some(text) = node.as_str() else { return };
    // The empty string is the core group.
    if text.is_empty() && field != "apiGroups" {
        let text = (message!("`{field}` has an empty item"), "write a value, or remove the item");
        judge.refuse(&WEBHOOK_RULE_INVALID, node, text);
    }
}

/// Reports resources that another entry already covers.
fn check_resources(judge: &mut Judge<'_>, rule: &Node) {
    let list = items(rule, "resources");
    let texts: Vec<_> = texts(list).collect();
    let (mut of_resource, mut of_part) = (SortedSet::new(), SortedSet::new());
    for (text, node) in &texts {
        let Some((resource, part)) = text.split_once('/') else { continue };
        let covered = if of_resource.contains(resource) {
            Some(format!("{resource}/*"))
        } else if of_part.contains(part) {
            Some(format!("*/{part}"))
        } else {
            None
        };
        if let Some(covered) = covered {
            let text = (message!("`{covered}` already covers `{text}`"), "remove one of them");
            judge.refuse(&WEBHOOK_RULE_INVALID, *node, text);
        }
        if part == "*" {
            of_resource.insert(resource);
        }
        if resource == "*" {
            of_part.insert(part);
        }
    }
    let find = |wanted: &str| texts.iter().find(|(text, _)| *text == wanted).map(|(_, node)| *node);
    let help = "keep only this item, or remove it";
    if let Some(all) = find("*/*").filter(|_| list.len() > 1) {
        let text = ("`*/*` already covers the other resources", help);
        judge.refuse(&WEBHOOK_RULE_INVALID, (all.span(), (rule, "resources")), text);
    }
    // The server checks the last one without a `/`.
    let final_one = texts.iter().rev().find(|(text, _)| !text.is_empty() && !text.contains('/'));
    if let Some(all) = find("*").filter(|_| final_one.is_some_and(|(text, _)| *text != "*")) {
        let text = ("`*` already covers the other resources without subresources", help);
        judge.refuse(&WEBHOOK_RULE_INVALID, (all.span(), (rule, "resources")), text);
    }
}
