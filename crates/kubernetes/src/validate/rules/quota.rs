//! `ResourceQuota`, after `ValidateResourceQuota` of Kubernetes' `pkg/apis/core/validation`.

mod counted;

use super::amounts::{HUGE_PAGES, Level, check_entry};
use super::judge::{Absence, Judge, Place, entries, items};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    QUOTA_RESOURCE_NOT_COUNTED = "quota-resource-not-counted", Warning;
    QUOTA_SCOPE_CONFLICT = "quota-scope-conflict", Error;
    SCOPE_SELECTOR_INVALID = "scope-selector-invalid", Error;
}

/// Checks one quota.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let hard = entries(spec, "hard");
    for entry in hard {
        check_entry(judge, entry, Level::Quota);
    }
    let scopes: Vec<_> = texts(items(spec, "scopes").iter()).collect();
    check_scopes(judge, &scopes, hard, (spec, "scopes").into());
    let selector = spec.get("scopeSelector");
    let expressions = selector.map_or(&[][..], |selector| items(selector, "matchExpressions"));
    let selected: Vec<_> = texts(expressions.iter().filter_map(|it| it.get("scopeName"))).collect();
    let all: Vec<_> = scopes.iter().chain(&selected).map(|(name, _)| *name).collect();
    counted::check(judge, hard, &all);
    for expression in expressions {
        check_expression(judge, expression);
    }
    check_scopes(judge, &selected, hard, (spec, "scopeSelector.matchExpressions").into());
}

fn texts<'n>(nodes: impl Iterator<Item = &'n Node>) -> impl Iterator<Item = (&'n str, Span)> {
    nodes.filter_map(|node| Some((node.as_str()?, node.span())))
}

/// Checks that the scopes are compatible with each other and with the limited resources.
fn check_scopes(judge: &mut Judge<'_>, scopes: &[(&str, Span)], hard: &[Entry], place: Place<'_>) {
    // A scope can be repeated.
    let mut outside_of: SortedMap<&str, Option<&Entry>> = SortedMap::new();
    for &(scope, at) in scopes {
        if scope.is_empty() {
            let text = ("a scope of the quota is empty", "remove it");
            judge.refuse(&QUOTA_SCOPE_CONFLICT, (at, place), text);
        }
        let find = || hard.iter().find(|entry| !is_in_scope(scope, &entry.key));
        let outside = *outside_of.entry(scope_class(scope)).or_insert_with(find);
        let Some(entry) = outside else { continue };
        let message = message!("scope `{scope}` cannot be combined with `{}`", entry.key);
        let finding = Diagnostic::new(&QUOTA_SCOPE_CONFLICT, at, message)
            .at("applies to the whole quota")
            .label(entry.key_origin().span(), "cannot be counted in this scope")
            .help(message!("{}, or split it into two quotas", advice_for_scope(scope)));
        judge.report(finding, place);
    }
    for [first, second] in [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]] {
        let at = |name: &str| scopes.iter().find(|(scope, _)| *scope == name).map(|(_, at)| *at);
        if let (Some(one), Some(other)) = (at(first), at(second)) {
            let message = message!("quota has both scopes `{first}` and `{second}`");
            let finding = Diagnostic::new(&QUOTA_SCOPE_CONFLICT, one.max(other), message)
                .at("excludes the other scope")
                .label(one.min(other), "the other")
                .help("remove one of them: no Pod matches both");
            judge.report(finding, place);
        }
    }
}

fn advice_for_scope(scope: &str) -> &'static str {
    match scope {
        "BestEffort" => "count only `pods`",
        "VolumeAttributesClass" => "count only `persistentvolumeclaims` and `requests.storage`",
        _ => "count only `pods`, CPU and memory",
    }
}

/// The scopes that can limit only some resources.
const LIMITING: [&str; 7] = [
    "BestEffort",
    "VolumeAttributesClass",
    "Terminating",
    "NotTerminating",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
];

/// The scope, or the empty one for all that can limit any resource.
fn scope_class(scope: &str) -> &str {
    if LIMITING.contains(&scope) { scope } else { "" }
}

/// Whether a scope can limit a resource. Names with a `/` are valid in every scope.
fn is_in_scope(scope: &str, resource: &str) -> bool {
    let pages = resource.strip_prefix("requests.").unwrap_or(resource);
    let is_standard = !resource.contains('/')
        && (pages.starts_with(HUGE_PAGES)
            || matches!(
                resource,
                "cpu"
                    | "memory"
                    | "ephemeral-storage"
                    | "requests.cpu"
                    | "requests.memory"
                    | "requests.storage"
                    | "requests.ephemeral-storage"
                    | "limits.cpu"
                    | "limits.memory"
                    | "limits.ephemeral-storage"
                    | "pods"
                    | "resourcequotas"
                    | "services"
                    | "replicationcontrollers"
                    | "secrets"
                    | "persistentvolumeclaims"
                    | "configmaps"
                    | "services.nodeports"
                    | "services.loadbalancers"
            ));
    let is_of_pods = matches!(
        resource,
        "pods"
            | "cpu"
            | "memory"
            | "limits.cpu"
            | "limits.memory"
            | "requests.cpu"
            | "requests.memory"
    );
    match scope {
        _ if !is_standard || !LIMITING.contains(&scope) => true,
        "BestEffort" => resource == "pods",
        "VolumeAttributesClass" => {
            matches!(resource, "persistentvolumeclaims" | "requests.storage")
        }
        _ => is_of_pods,
    }
}

fn check_expression(judge: &mut Judge<'_>, expression: &Node) {
    let rule = &SCOPE_SELECTOR_INVALID;
    let scope = judge.needed(expression, "scopeName", Absence::BySchema);
    let Some(operator) = judge.needed(expression, "operator", Absence::BySchema) else {
        return;
    };
    let at = |field: &str| expression.get(field).map_or(expression.span(), Node::span);
    // Only a priority class has a value to compare.
    let has_values = matches!(scope, Some("PriorityClass" | "VolumeAttributesClass") | None);
    if !has_values && operator != "Exists" {
        let text = (
            message!("scope `{}` does not compare values", scope.unwrap_or_default()),
            "write `operator: Exists`",
        );
        judge.refuse(rule, (at("operator"), (expression, "operator")), text);
    }
    let count = items(expression, "values").len();
    let text = match operator {
        "In" | "NotIn" if count == 0 => {
            (message!("`operator: {operator}` has no values"), "add `values: [...]`")
        }
        "Exists" | "DoesNotExist" if count > 0 => {
            (message!("`operator: {operator}` has values"), "remove `values`")
        }
        _ => return,
    };
    let node = if count > 0 { "values" } else { "operator" };
    judge.refuse(rule, (at(node), (expression, "values")), text);
}
