//! `FlowSchema` and `PriorityLevelConfiguration`, after `ValidateFlowSchema` and
//! `ValidatePriorityLevelConfiguration` of Kubernetes' `pkg/apis/flowcontrol/validation`. The server
//! drops their status.

mod level;

use super::judging::{Absence, Judging, items, shown, start};
use super::names::{NameForm, check_name, needed_name};
use super::of_object::ObjectJudge;
use crate::diag::{Diagnostic, declare_rules};
use crate::tree::{Node, Path};
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
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let root = Path::root();
    let Some(spec) = judge.needed_map(&object.root, "spec", &root) else { return };
    let path = root.field("spec");
    // Zero means the default.
    match spec.get("matchingPrecedence").and_then(|it| Some((it, it.as_i64()?))) {
        None | Some((_, 0)) => {}
        Some((node, 1)) if object.name != EXEMPT => {
            let text = (
                "`matchingPrecedence: 1` is reserved for the FlowSchema `exempt`",
                "write a number from 2 to 10000",
            );
            let path = path.field("matchingPrecedence");
            judge.refuse(&FLOW_PRECEDENCE_RESERVED, node.span(), text, &path);
        }
        Some(_) => judge.ranged(spec, "matchingPrecedence", 1..=10_000, &path),
    }
    if let Some(method) = spec.get("distinguisherMethod") {
        let path = path.field("distinguisherMethod");
        judge.listed(method, "type", &["ByNamespace", "ByUser"], &path);
    }
    if let Some(level) = spec.get("priorityLevelConfiguration") {
        let path = path.field("priorityLevelConfiguration");
        needed_name(judge, level, ("name", Absence::BySchema), NameForm::OBJECT, &path);
    }
    let path = path.field("rules");
    for (index, rule) in items(spec, "rules").iter().enumerate() {
        check_rule(judge, rule, &path.index(index));
    }
}

fn check_rule(judge: &mut ObjectJudge<'_, '_>, rule: &Node, path: &Path<'_>) {
    let subjects = path.field("subjects");
    some(judge, rule, "subjects", "add `subjects: [...]`", path);
    for (index, subject) in items(rule, "subjects").iter().enumerate() {
        check_subject(judge, subject, &subjects.index(index));
    }
    let lists = ["resourceRules", "nonResourceRules"];
    if lists.iter().all(|it| items(rule, it).is_empty()) {
        let text = ("rule matches no requests", "add `resourceRules` or `nonResourceRules`");
        judge.lacks_all_of(&FLOW_RULE_INVALID, start(rule), text, (rule, &lists), path);
    }
    for list in lists {
        let path = path.field(list);
        for (index, requests) in items(rule, list).iter().enumerate() {
            let path = path.index(index);
            verbs(judge, requests, &path);
            if list == "resourceRules" {
                resources(judge, requests, &path);
            } else {
                paths(judge, requests, &path);
            }
        }
    }
}

/// Reports an empty list; the schema requires absent ones.
fn some(
    judge: &mut ObjectJudge<'_, '_>,
    owner: &Node,
    field: &'static str,
    help: &str,
    path: &Path<'_>,
) {
    if let Some(node) = owner.get(field).filter(|it| it.items().is_empty()) {
        let text = (format!("`{field}` is empty"), help);
        judge.lacks(&FLOW_RULE_INVALID, node.span(), text, &path.field(field));
    }
}

/// Whether a list has `*`, which must be its only item.
fn has_all(
    judge: &mut ObjectJudge<'_, '_>,
    owner: &Node,
    field: &'static str,
    path: &Path<'_>,
) -> bool {
    let all = items(owner, field);
    let Some(star) = all.iter().find(|it| it.as_str() == Some(ALL)) else { return false };
    if all.len() > 1 {
        let text =
            (format!("`*` is not the only item of `{field}`"), "keep only `*`, or remove it");
        judge.refuse(&FLOW_RULE_INVALID, star.span(), text, &path.field(field));
    }
    true
}

fn verbs(judge: &mut ObjectJudge<'_, '_>, requests: &Node, path: &Path<'_>) {
    some(judge, requests, "verbs", "list the verbs, or write `*` for all", path);
    if has_all(judge, requests, "verbs", path) {
        return;
    }
    let path = path.field("verbs");
    for (index, verb) in items(requests, "verbs").iter().enumerate() {
        judge.one_of(verb, "verbs", &VERBS, &path.index(index));
    }
}

fn resources(judge: &mut ObjectJudge<'_, '_>, requests: &Node, path: &Path<'_>) {
    for field in ["apiGroups", "resources"] {
        some(judge, requests, field, "list the values, or write `*` for all", path);
        has_all(judge, requests, field, path);
    }
    let namespaces = items(requests, "namespaces");
    let is_cluster_wide = requests.get("clusterScope").and_then(Node::as_bool) == Some(true);
    if namespaces.is_empty() && !is_cluster_wide {
        let at = requests.get("namespaces").map_or_else(|| start(requests), Node::span);
        let text = (
            "resource rule names no namespace",
            "add `namespaces: [...]`, or `clusterScope: true` for cluster-scoped resources",
        );
        let missing = (requests, &["namespaces", "clusterScope"][..]);
        judge.lacks_all_of(&FLOW_RULE_INVALID, at, text, missing, &path.field("namespaces"));
    }
    if !has_all(judge, requests, "namespaces", path) {
        let path = path.field("namespaces");
        for (index, namespace) in namespaces.iter().enumerate() {
            check_name(judge, namespace, NameForm::LABEL, &path.index(index));
        }
    }
}

/// Checks paths of the API server, after `ValidateNonResourceURLPath`.
fn paths(judge: &mut ObjectJudge<'_, '_>, requests: &Node, path: &Path<'_>) {
    some(judge, requests, "nonResourceURLs", "list the paths, or write `*` for all", path);
    if has_all(judge, requests, "nonResourceURLs", path) {
        return;
    }
    let path = path.field("nonResourceURLs");
    for (index, node) in items(requests, "nonResourceURLs").iter().enumerate() {
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
            (format!("path `{}` {fault}", shown(text)), "write it like `/healthz` or `/apis/*`");
        judge.refuse(&FLOW_RULE_INVALID, node.span(), text, &path.index(index));
    }
}

/// The kinds of subjects, and the field of each.
const KINDS: [(&str, &str); 3] =
    [("User", "user"), ("Group", "group"), ("ServiceAccount", "serviceAccount")];

fn check_subject(judge: &mut ObjectJudge<'_, '_>, subject: &Node, path: &Path<'_>) {
    judge.listed(subject, "kind", &KINDS.map(|it| it.0), path);
    let kind = subject.str_at(&["kind"]).unwrap_or("");
    let Some((_, field)) = KINDS.into_iter().find(|it| it.0 == kind) else { return };
    for (_, other) in KINDS.into_iter().filter(|it| it.1 != field) {
        if let Some(entry) = subject.entry(other) {
            let message = format!("subject of kind `{kind}` has `{other}`");
            let finding = Diagnostic::new(&FLOW_SUBJECT_INVALID, entry.key_origin.span(), message)
                .at("belongs to another kind")
                .help(format!("remove `{other}`, or move it to its own subject"));
            judge.report(finding, &path.field(other));
        }
    }
    let path_of_kind = path.field(field);
    let Some(named) = subject.get(field) else {
        let message = format!("subject of kind `{kind}` has no `{field}`");
        let text = (message, format!("add `{field}: {{name: ...}}`"));
        let (at, missing) = (start(subject), (subject, &[field][..]));
        judge.lacks_all_of(&FLOW_SUBJECT_INVALID, at, text, missing, &path_of_kind);
        return;
    };
    let name = judge.needed(named, "name", Absence::BySchema, &path_of_kind);
    if field == "serviceAccount" {
        if let Some(node) = named.get("name").filter(|_| name.is_some_and(|it| it != ALL)) {
            check_name(judge, node, NameForm::OBJECT, &path_of_kind.field("name"));
        }
        let namespace = ("namespace", Absence::BySchema);
        needed_name(judge, named, namespace, NameForm::LABEL, &path_of_kind);
    }
}
