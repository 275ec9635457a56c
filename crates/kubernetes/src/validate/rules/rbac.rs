//! Roles and their bindings, after Kubernetes' `pkg/apis/rbac/validation`.

mod known;

use super::judge::{Absence, Judge, filled, filled_text, items, key_or_start, value_or_start};
use super::names::{NameForm, needed_name};
use super::selectors::check_selector;
use crate::diag::{About, Diagnostic, declare_rules, message};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    POLICY_RULE_INCOMPLETE = "policy-rule-incomplete", Error, follows = [Misplaced];
    POLICY_RULE_MIXED = "policy-rule-mixed", Error;
    AGGREGATION_EMPTY = "aggregation-empty", Error;
    BINDING_SUBJECT_INVALID = "binding-subject-invalid", Error;
    ROLE_RESOURCE_UNKNOWN = "role-resource-unknown", Warning;
    ROLE_VERB_UNKNOWN = "role-verb-unknown", Warning;
}

const GROUP: &str = "rbac.authorization.k8s.io";

/// Checks a `Role` or a `ClusterRole`.
pub(super) fn check_role(judge: &mut Judge<'_>) {
    let role = judge.object;
    for rule in items(&role.root, "rules") {
        check_policy_rule(judge, rule);
    }
    if role.gvk.kind == "ClusterRole"
        && let Some(aggregation) = role.root.entry("aggregationRule")
    {
        check_aggregation_rule(judge, &aggregation.value, aggregation.key_origin().span());
    }
}

fn check_policy_rule(judge: &mut Judge<'_>, rule: &Node) {
    let has = |field: &str| !items(rule, field).is_empty();
    // Absent `verbs` are reported by the schema.
    if rule.get("verbs").is_some() && !has("verbs") {
        report_incomplete(judge, rule, "verbs", "add `verbs: [get, list, ...]`");
    }
    if has("nonResourceURLs") {
        return check_paths(judge, rule);
    }
    for (field, help) in [
        ("apiGroups", "add `apiGroups: [...]`, with `\"\"` for the core group"),
        ("resources", "add `resources: [...]`"),
    ] {
        if !has(field) {
            report_incomplete(judge, rule, field, help);
        }
    }
    known::check(judge, rule);
}

fn report_incomplete(judge: &mut Judge<'_>, rule: &Node, field: &'static str, help: &'static str) {
    let at = key_or_start(rule, field);
    let finding =
        Diagnostic::new(&POLICY_RULE_INCOMPLETE, at, message!("role rule has no `{field}`"))
            .at("allows nothing")
            .help(help);
    judge.report(judge.missing(finding, rule, &[field]), (rule, field));
}

/// Checks a rule for API server paths instead of resources.
fn check_paths(judge: &mut Judge<'_>, rule: &Node) {
    let Some(entry) = rule.entry("nonResourceURLs") else { return };
    if judge.object.gvk.kind == "Role" {
        let text = (
            "Role rule has `nonResourceURLs`",
            "move the rule to a ClusterRole: these paths are not namespaced",
        );
        judge.refuse(&POLICY_RULE_MIXED, entry, text);
    }
    let resources = ["apiGroups", "resources", "resourceNames"]
        .into_iter()
        .find_map(|field| rule.entry(field).filter(|entry| !entry.value.items().is_empty()));
    if let Some(other) = resources {
        let message = message!("role rule has both `nonResourceURLs` and `{}`", other.key);
        let finding = Diagnostic::new(&POLICY_RULE_MIXED, entry.key_origin().span(), message)
            .at("names API server paths")
            .label(other.key_origin().span(), "names resources")
            .help("split it into two rules");
        judge.report(finding, (rule, "nonResourceURLs"));
    }
}

fn check_aggregation_rule(judge: &mut Judge<'_>, aggregation: &Node, at: Span) {
    let selectors = items(aggregation, "clusterRoleSelectors");
    if selectors.is_empty() {
        let message = "`aggregationRule` selects no ClusterRoles";
        let finding = Diagnostic::new(&AGGREGATION_EMPTY, at, message)
            .at("without selectors")
            .help("add `clusterRoleSelectors: [{matchLabels: ...}]`, or remove `aggregationRule`");
        judge.report(
            judge.missing(finding, aggregation, &["clusterRoleSelectors"]),
            (aggregation, "clusterRoleSelectors"),
        );
    }
    for selector in selectors {
        check_selector(judge, selector);
    }
}

/// Checks a `RoleBinding` or a `ClusterRoleBinding`.
pub(super) fn check_binding(judge: &mut Judge<'_>) {
    let binding = judge.object;
    let is_namespaced = binding.gvk.kind == "RoleBinding";
    if let Some(role) = binding.root.get("roleRef") {
        let kinds: &[_] = if is_namespaced { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
        judge.listed(role, "kind", kinds);
        check_group(judge, role);
        needed_name(judge, role, "name", Absence::BySchema, NameForm::ROLE);
    }
    for subject in items(&binding.root, "subjects") {
        check_subject(judge, subject, is_namespaced);
    }
}

/// Checks the group of roles, users and groups, which the server defaults.
fn check_group(judge: &mut Judge<'_>, owner: &Node) {
    if owner.str_at(&["apiGroup"]) != Some("") {
        judge.listed(owner, "apiGroup", &[GROUP]);
    }
}

fn check_subject(judge: &mut Judge<'_>, subject: &Node, is_namespaced: bool) {
    judge.listed(subject, "kind", &["ServiceAccount", "User", "Group"]);
    match subject.str_at(&["kind"]) {
        Some("ServiceAccount") => check_account(judge, subject, is_namespaced),
        Some("User" | "Group") => {
            judge.needed(subject, "name", Absence::BySchema);
            check_group(judge, subject);
        }
        _ => {
            judge.needed(subject, "name", Absence::BySchema);
        }
    }
}

fn check_account(judge: &mut Judge<'_>, subject: &Node, is_namespaced: bool) {
    needed_name(judge, subject, "name", Absence::BySchema, NameForm::OBJECT);
    if let Some(group) = filled(subject, "apiGroup") {
        let text = (
            "ServiceAccount subject has an `apiGroup`",
            "remove it: ServiceAccount is in the core group",
        );
        judge.refuse(&BINDING_SUBJECT_INVALID, group, text);
    }
    let has_namespace = filled_text(subject, "namespace").is_some();
    if !is_namespaced && !has_namespace {
        let at = value_or_start(subject, "namespace");
        let message = "ServiceAccount subject of a ClusterRoleBinding has no namespace";
        let finding = Diagnostic::new(&BINDING_SUBJECT_INVALID, at, message)
            .at("needs `namespace`")
            .about(About::MissingField("namespace".into()))
            .help("add `namespace: ...`: the binding itself has none");
        judge.report(judge.missing(finding, subject, &["namespace"]), subject);
    }
}
