//! `FlowSchema` and `PriorityLevelConfiguration`, after `ValidateFlowSchema` and
//! `ValidatePriorityLevelConfiguration` of Kubernetes' `pkg/apis/flowcontrol/validation`. The server
//! drops their status.

mod level;

use super::judge::{Absence, Judge, items, labelled, shown, start, text_at, value_or_start};
use super::names::{NameForm, check_name, needed_name};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::tree::Node;
pub(super) use level::check as check_level;

declare_rules! {
    FLOW_PRECEDENCE_RESERVED = "flow-precedence-reserved", Error;
    FLOW_RULE_INVALID = "flow-rule-invalid", Error;
    FLOW_SUBJECT_INVALID = "flow-subject-invalid", Error;
    PRIORITY_LEVEL_INVALID = "priority-level-invalid", Error;
}

const ALL: &str = "*";
const VERBS: [&str; 9] =
    ["get", "list", "create", "update", "delete", "deletecollection", "patch", "watch", "proxy"];
/// The only FlowSchema with precedence 1.
const EXEMPT: &str = "exempt";

/// Checks one schema.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some(spec) = judge.needed_map(&object.root, "spec") else { return };
    // Zero means the default.
    match spec.get("matchingPrecedence").and_then(|node| Some((node, node.as_i64()?))) {
        None | Some((_, 0)) => {}
        Some((node, 1)) if object.name != EXEMPT => {
            let text = (
                "`matchingPrecedence: 1` is reserved for the FlowSchema `exempt`",
                labelled("must be from 2 to 10000", "write a number from 2 to 10000"),
            );
            judge.refuse(
                &FLOW_PRECEDENCE_RESERVED,
                (node.span(), (&judge.object.root, "spec.matchingPrecedence")),
                text,
            );
        }
        Some(_) => judge.ranged(spec, "matchingPrecedence", 1..=10_000),
    }
    if let Some(method) = spec.get("distinguisherMethod") {
        judge.listed(method, "type", &["ByNamespace", "ByUser"]);
    }
    if let Some(level) = spec.get("priorityLevelConfiguration") {
        needed_name(judge, level, "name", Absence::BySchema, NameForm::OBJECT);
    }
    for rule in items(spec, "rules") {
        check_rule(judge, rule);
    }
}

fn check_rule(judge: &mut Judge<'_>, rule: &Node) {
    check_not_empty(judge, rule, "subjects", "add `subjects: [...]`");
    for subject in items(rule, "subjects") {
        check_subject(judge, subject);
    }
    let lists = ["resourceRules", "nonResourceRules"];
    if lists.iter().all(|list| items(rule, list).is_empty()) {
        let text = ("rule matches no requests", "add `resourceRules` or `nonResourceRules`");
        judge.lacks_all_of(&FLOW_RULE_INVALID, (start(rule), rule), text, (rule, &lists));
    }
    for list in lists {
        for requests in items(rule, list) {
            check_verbs(judge, requests);
            if list == "resourceRules" {
                check_resources(judge, requests);
            } else {
                check_paths(judge, requests);
            }
        }
    }
}

/// Reports an empty list; the schema requires absent ones.
fn check_not_empty(judge: &mut Judge<'_>, owner: &Node, field: &'static str, help: &'static str) {
    if let Some(node) = owner.get(field).filter(|list| list.items().is_empty()) {
        let text = (message!("`{field}` is empty"), help);
        judge.lacks(&FLOW_RULE_INVALID, node, text);
    }
}

/// Whether a list has `*`, which must be its only item.
fn has_all(judge: &mut Judge<'_>, owner: &Node, field: &'static str) -> bool {
    let all = items(owner, field);
    let Some(star) = all.iter().find(|item| item.as_str() == Some(ALL)) else { return false };
    if all.len() > 1 {
        let text =
            (message!("`*` is not the only item of `{field}`"), "keep only `*`, or remove it");
        judge.refuse(&FLOW_RULE_INVALID, (star.span(), (owner, field)), text);
    }
    true
}

fn check_verbs(judge: &mut Judge<'_>, requests: &Node) {
    check_not_empty(judge, requests, "verbs", "list the verbs, or write `*` for all");
    if has_all(judge, requests, "verbs") {
        return;
    }
    for verb in items(requests, "verbs") {
        judge.one_of(verb, "verbs", &VERBS);
    }
}

fn check_resources(judge: &mut Judge<'_>, requests: &Node) {
    for field in ["apiGroups", "resources"] {
        check_not_empty(judge, requests, field, "list the values, or write `*` for all");
        has_all(judge, requests, field);
    }
    let namespaces = items(requests, "namespaces");
    let is_cluster_wide = requests.get("clusterScope").and_then(Node::as_bool) == Some(true);
    if namespaces.is_empty() && !is_cluster_wide {
        let at = value_or_start(requests, "namespaces");
        let text = (
            "resource rule names no namespace",
            "add `namespaces: [...]`, or `clusterScope: true` for cluster-scoped resources",
        );
        let missing = (requests, &["namespaces", "clusterScope"][..]);
        judge.lacks_all_of(&FLOW_RULE_INVALID, (at, (requests, "namespaces")), text, missing);
    }
    if !has_all(judge, requests, "namespaces") {
        for namespace in namespaces {
            check_name(judge, namespace, NameForm::LABEL);
        }
    }
}

/// Checks paths of the API server, after `ValidateNonResourceURLPath`.
fn check_paths(judge: &mut Judge<'_>, requests: &Node) {
    check_not_empty(judge, requests, "nonResourceURLs", "list the paths, or write `*` for all");
    if has_all(judge, requests, "nonResourceURLs") {
        return;
    }
    for node in items(requests, "nonResourceURLs") {
        let Some(text) = node.as_str() else { continue };
        let stars = text.matches('*').count();
        let fault = if text == "/" {
            continue;
        } else if !text.starts_with('/') {
            "does not start with `/`"
        } else if text.contains(' ') {
            "has a space"
        } else if text.contains("//") {
            "has `//`"
        } else if stars > 1 || (stars == 1 && !text.ends_with("/*")) {
            "has a `*` before its last segment"
        } else {
            continue;
        };
        let text =
            (message!("path `{}` {fault}", shown(text)), "write it like `/healthz` or `/apis/*`");
        judge.refuse(&FLOW_RULE_INVALID, node, text);
    }
}

/// The kinds of subjects, and the field of each.
const KINDS: [(&str, &str); 3] =
    [("User", "user"), ("Group", "group"), ("ServiceAccount", "serviceAccount")];

fn check_subject(judge: &mut Judge<'_>, subject: &Node) {
    judge.listed(subject, "kind", &KINDS.map(|it| it.0));
    let kind = text_at(subject, &["kind"]);
    let Some((_, field)) = KINDS.into_iter().find(|known| known.0 == kind) else { return };
    for (_, other) in KINDS.into_iter().filter(|known| known.1 != field) {
        if let Some(entry) = subject.entry(other) {
            let message = message!("subject of kind `{kind}` has `{other}`");
            let finding =
                Diagnostic::new(&FLOW_SUBJECT_INVALID, entry.key_origin().span(), message)
                    .at("belongs to another kind")
                    .help(message!("remove `{other}`, or move it to its own subject"));
            judge.report(finding, (subject, other));
        }
    }
    let Some(named) = subject.get(field) else {
        let message = message!("subject of kind `{kind}` has no `{field}`");
        let text = (message, message!("add `{field}: {{name: ...}}`"));
        let (at, missing) = (start(subject), (subject, &[field][..]));
        judge.lacks_all_of(&FLOW_SUBJECT_INVALID, (at, (subject, field)), text, missing);
        return;
    };
    let name = judge.needed(named, "name", Absence::BySchema);
    if field == "serviceAccount" {
        check_name(
            judge,
            named.get("name").filter(|_| name.is_some_and(|name| name != ALL)),
            NameForm::OBJECT,
        );
        needed_name(judge, named, "namespace", Absence::BySchema, NameForm::LABEL);
    }
}
