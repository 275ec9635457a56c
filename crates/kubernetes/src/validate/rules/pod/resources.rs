//! Requests and limits: their names, their quantities, and their consistency.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::kube::Container;
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Entry, Map, Node};
use crate::validate::rules::amounts::{HUGE_PAGES, Level, amount, check_entry, check_huge_pages};
use crate::validate::rules::judge::{Absence, entries, items, shown, text_at, value_or_start};

declare_rules! {
    REQUEST_ABOVE_LIMIT = "request-above-limit", Error;
    REQUEST_NOT_LIMIT = "request-not-limit", Error, follows = [Misplaced];
    RESOURCE_CLAIM_INVALID = "resource-claim-invalid", Error, follows = [Misplaced];
    POD_RESOURCES_TOO_SMALL = "pod-resources-too-small", Error;
}

pub(super) fn check(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    let Some(resources) = container.node.get("resources") else { return };
    check_requirements(judge, resources, Level::Container);
    let claims = items(resources, "claims");
    if !claims.is_empty() && judge.minor >= super::CLAIMS_MINOR {
        check_claims(judge, claims);
    }
}

/// Checks requests and limits of a container or a Pod.
pub(super) fn check_requirements(judge: &mut PodJudge<'_>, resources: &Node, level: Level) {
    let list = |name: &str| entries(resources, name);
    let (limits, requests) = (list("limits"), list("requests"));
    for entry in limits.iter().chain(requests) {
        check_entry(judge, entry, level);
    }
    let limits_by_key = Map::of(resources.get("limits"));
    for request in requests {
        // A `null` limit is the zero quantity.
        let limit = limits_by_key.get(&request.key);
        check_pair(judge, request, limit);
    }
    check_huge_pages(judge, limits.iter().chain(requests), resources);
}

fn check_pair(judge: &mut PodJudge<'_>, request: &Entry, limit: Option<&Node>) {
    let name = request.key.as_str();
    let Some(asked) = amount(&request.value) else { return };
    let may_differ =
        !name.starts_with(HUGE_PAGES) && (!name.contains('/') || name.contains("kubernetes.io/"));
    let Some(limit) = limit else {
        if !may_differ {
            let text = (
                message!("`{name}` is requested without a limit"),
                "requires an equal limit",
                message!("add `{name}` to `limits`, with the same quantity"),
            );
            judge.fault(&REQUEST_NOT_LIMIT, request, text);
        }
        return;
    };
    let Some(allowed) = amount(limit) else { return };
    // Negative quantities are reported themselves.
    if asked < 0 || allowed < 0 {
        return;
    }
    let (rule, message, help) = if !may_differ && asked != allowed {
        let message = message!("request of `{name}` differs from its limit");
        (&REQUEST_NOT_LIMIT, message, "set both to the same quantity")
    } else if asked > allowed {
        let message = message!("request of `{name}` is above its limit");
        (&REQUEST_ABOVE_LIMIT, message, "lower the request, or raise the limit")
    } else {
        return;
    };
    let texts = (message, "the request", help);
    judge.conflict(rule, (request.value.span(), request), texts, (limit, "the limit"));
}

/// Checks the resource claims that a container uses.
fn check_claims(judge: &mut PodJudge<'_>, claims: &[Node]) {
    let spec = judge.pod.spec;
    let (has_claims, listed) =
        (spec.get("resourceClaims").is_some(), items(spec, "resourceClaims"));
    let known = || listed.iter().filter_map(|it| it.str_at(&["name"]));
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for claim in claims {
        let Some(name) = judge.needed(claim, "name", Absence::BySchema) else { continue };
        let request = text_at(claim, &["request"]);
        let overlaps = |other: &(&str, &str)| {
            other.0 == name && (other.1.is_empty() || request.is_empty() || other.1 == request)
        };
        // A container has few claims; a claim can be listed once per request of it.
        let message = if seen.iter().take(256).any(overlaps) {
            Some(message!("duplicate resource claim `{}`", shown(name)))
        } else if !judge.has_claim(name) {
            Some(message!("resource claim `{}` not found in the Pod", shown(name)))
        } else {
            None
        };
        if let Some(message) = message {
            let at = value_or_start(claim, "name");
            let finding = Diagnostic::new(&RESOURCE_CLAIM_INVALID, at, message)
                .at("cannot be used")
                .suggest_near_or(at, name, known().take(50), || {
                    "use each entry of the Pod's `resourceClaims` once".into()
                });
            let finding = if has_claims {
                finding
            } else {
                judge.missing(finding, judge.pod.spec, &["resourceClaims"])
            };
            judge.report(finding, claim);
        }
        if let Some(node) = claim.get("request").filter(|_| !request.is_empty()) {
            let rule = (&RESOURCE_CLAIM_INVALID, "request name");
            judge.form(node, rule, check_dns_label, near_dns_label);
        }
        seen.push((name, request));
    }
}
