//! Roles and their bindings, after Kubernetes' `pkg/apis/rbac/validation`.

mod known;

use super::judging::{Absence, Judging, items, start};
use super::names::{NameForm, needed_name};
use super::of_object::ObjectJudge;
use super::selectors::check_selector;
use crate::diag::{About, Diagnostic, declare_rules};
use crate::source::Span;
use crate::tree::{Node, Path};

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
pub(super) fn check_role(judge: &mut ObjectJudge<'_, '_>) {
    let role = judge.object;
    let root = Path::root();
    let rules = root.field("rules");
    for (index, rule) in items(&role.root, "rules").iter().enumerate() {
        policy_rule(judge, rule, &rules.index(index));
    }
    if role.gvk.kind == "ClusterRole"
        && let Some(aggregation) = role.root.entry("aggregationRule")
    {
        let path = root.field("aggregationRule");
        aggregation_rule(judge, &aggregation.value, aggregation.key_origin.span(), &path);
    }
}

fn policy_rule(judge: &mut ObjectJudge<'_, '_>, rule: &Node, path: &Path<'_>) {
    let has = |field: &str| !items(rule, field).is_empty();
    // Absent `verbs` are reported by the schema.
    if rule.get("verbs").is_some() && !has("verbs") {
        incomplete(judge, rule, "verbs", "add `verbs: [get, list, ...]`", path);
    }
    if has("nonResourceURLs") {
        return paths(judge, rule, path);
    }
    for (field, help) in [
        ("apiGroups", "add `apiGroups: [...]`, with `\"\"` for the core group"),
        ("resources", "add `resources: [...]`"),
    ] {
        if !has(field) {
            incomplete(judge, rule, field, help, path);
        }
    }
    known::check(judge, rule, path);
}

fn incomplete(
    judge: &mut ObjectJudge<'_, '_>,
    rule: &Node,
    field: &'static str,
    help: &str,
    path: &Path<'_>,
) {
    let at = rule.entry(field).map_or_else(|| start(rule), |it| it.key_origin.span());
    let finding =
        Diagnostic::new(&POLICY_RULE_INCOMPLETE, at, format!("role rule has no `{field}`"))
            .at("allows nothing")
            .help(help);
    judge.report(judge.missing(finding, rule, &[field]), &path.field(field));
}

/// Checks a rule for API server paths instead of resources.
fn paths(judge: &mut ObjectJudge<'_, '_>, rule: &Node, path: &Path<'_>) {
    let Some(entry) = rule.entry("nonResourceURLs") else { return };
    let at = entry.key_origin.span();
    let path = path.field("nonResourceURLs");
    if judge.object.gvk.kind == "Role" {
        let text = (
            "Role rule has `nonResourceURLs`",
            "move the rule to a ClusterRole: these paths are not namespaced",
        );
        judge.refuse(&POLICY_RULE_MIXED, at, text, &path);
    }
    let resources = ["apiGroups", "resources", "resourceNames"]
        .into_iter()
        .find_map(|field| rule.entry(field).filter(|it| !it.value.items().is_empty()));
    if let Some(other) = resources {
        let message = format!("role rule has both `nonResourceURLs` and `{}`", other.key);
        let finding = Diagnostic::new(&POLICY_RULE_MIXED, at, message)
            .at("names API server paths")
            .label(other.key_origin.span(), "names resources")
            .help("split it into two rules");
        judge.report(finding, &path);
    }
}

fn aggregation_rule(
    judge: &mut ObjectJudge<'_, '_>,
    aggregation: &Node,
    at: Span,
    path: &Path<'_>,
) {
    let path = path.field("clusterRoleSelectors");
    let selectors = items(aggregation, "clusterRoleSelectors");
    if selectors.is_empty() {
        let message = "`aggregationRule` selects no ClusterRoles";
        let finding = Diagnostic::new(&AGGREGATION_EMPTY, at, message)
            .at("without selectors")
            .help("add `clusterRoleSelectors: [{matchLabels: ...}]`, or remove `aggregationRule`");
        judge.report(judge.missing(finding, aggregation, &["clusterRoleSelectors"]), &path);
    }
    for (index, selector) in selectors.iter().enumerate() {
        check_selector(judge, selector, &path.index(index));
    }
}

/// Checks a `RoleBinding` or a `ClusterRoleBinding`.
pub(super) fn check_binding(judge: &mut ObjectJudge<'_, '_>) {
    let binding = judge.object;
    let root = Path::root();
    let is_namespaced = binding.gvk.kind == "RoleBinding";
    if let Some(role) = binding.root.get("roleRef") {
        let path = root.field("roleRef");
        let kinds: &[_] = if is_namespaced { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
        judge.listed(role, "kind", kinds, &path);
        group(judge, role, &path);
        needed_name(judge, role, ("name", Absence::BySchema), NameForm::ROLE, &path);
    }
    let path = root.field("subjects");
    for (index, subject) in items(&binding.root, "subjects").iter().enumerate() {
        check_subject(judge, subject, is_namespaced, &path.index(index));
    }
}

/// Checks the group of roles, users and groups, which the server defaults.
fn group(judge: &mut ObjectJudge<'_, '_>, owner: &Node, path: &Path<'_>) {
    if owner.str_at(&["apiGroup"]) != Some("") {
        judge.listed(owner, "apiGroup", &[GROUP], path);
    }
}

fn check_subject(
    judge: &mut ObjectJudge<'_, '_>,
    subject: &Node,
    is_namespaced: bool,
    path: &Path<'_>,
) {
    judge.listed(subject, "kind", &["ServiceAccount", "User", "Group"], path);
    match subject.str_at(&["kind"]) {
        Some("ServiceAccount") => account(judge, subject, is_namespaced, path),
        Some("User" | "Group") => {
            judge.needed(subject, "name", Absence::BySchema, path);
            group(judge, subject, path);
        }
        _ => {
            judge.needed(subject, "name", Absence::BySchema, path);
        }
    }
}

fn account(judge: &mut ObjectJudge<'_, '_>, subject: &Node, is_namespaced: bool, path: &Path<'_>) {
    needed_name(judge, subject, ("name", Absence::BySchema), NameForm::OBJECT, path);
    if let Some(group) = subject.get("apiGroup").filter(|it| it.as_str() != Some("")) {
        let text = (
            "ServiceAccount subject has an `apiGroup`",
            "remove it: ServiceAccount is in the core group",
        );
        judge.refuse(&BINDING_SUBJECT_INVALID, group.span(), text, &path.field("apiGroup"));
    }
    let has_namespace = subject.str_at(&["namespace"]).is_some_and(|it| !it.is_empty());
    if !is_namespaced && !has_namespace {
        let at = subject.get("namespace").map_or_else(|| start(subject), Node::span);
        let message = "ServiceAccount subject of a ClusterRoleBinding has no namespace";
        let finding = Diagnostic::new(&BINDING_SUBJECT_INVALID, at, message)
            .at("needs `namespace`")
            .about(About::MissingField("namespace".into()))
            .help("add `namespace: ...`: the binding itself has none");
        judge.report(judge.missing(finding, subject, &["namespace"]), path);
    }
}
