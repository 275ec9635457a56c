//! The address of a webhook, after `ValidateWebhookURL` and `ValidateWebhookService` of apiserver's
//! `pkg/util/webhook`, and the review versions that it supports.

use super::judging::{Absence, Judging, items, shown, start};
use super::of_object::ObjectJudge;
use super::repeated::repeated;
use crate::diag::{About, Diagnostic, Rule};
use crate::scalar::{Url, check_dns_subdomain, check_service_name};
use crate::tree::{Node, Path};

/// The review versions that API servers send.
const REVIEWS: &[&str] = &["v1", "v1beta1"];

/// Checks the address of a webhook, with findings of `rule`.
pub(super) fn check(
    judge: &mut ObjectJudge<'_, '_>,
    rule: &'static Rule,
    client: &Node,
    path: &Path<'_>,
) {
    match (client.entry("url"), client.entry("service")) {
        (Some(url), None) => check_url(judge, rule, &url.value, &path.field("url")),
        (None, Some(service)) => check_service(judge, rule, &service.value, &path.field("service")),
        (Some(url), Some(service)) => {
            let message = "webhook has both `url` and `service`";
            let finding = Diagnostic::new(rule, service.key_origin.span(), message)
                .at("the second target")
                .label(url.key_origin.span(), "the first target")
                .help("remove `url`, or `service`");
            judge.report(finding, path);
        }
        (None, None) => {
            let message = "webhook has neither `url` nor `service`";
            let help = "add `service: {namespace: ..., name: ...}`, or `url: https://...`";
            let finding = Diagnostic::new(rule, start(client), message)
                .at("no target")
                .help(help)
                .about(About::MissingField("service".into()));
            judge.report(finding, path);
        }
    }
}

fn check_url(judge: &mut ObjectJudge<'_, '_>, rule: &'static Rule, node: &Node, path: &Path<'_>) {
    let Some(text) = node.as_str() else { return };
    let fault = match Url::parse(text) {
        None => "is not a valid URL",
        Some(url) if url.scheme != "https" => "does not use `https`",
        Some(url) if url.host.is_empty() => "has no host",
        Some(url) if url.user.is_some() => "has user information",
        Some(url) if !url.fragment.is_empty() => "has a fragment",
        Some(url) if !url.query.is_empty() => "has a query",
        Some(_) => return,
    };
    let message = format!("webhook URL `{}` {fault}", shown(text));
    let help = "write it as `https://host[:port][/path]`";
    judge.refuse(rule, node.span(), (message, help), path);
}

fn check_service(
    judge: &mut ObjectJudge<'_, '_>,
    rule: &'static Rule,
    service: &Node,
    path: &Path<'_>,
) {
    judge.needed(service, "name", Absence::BySchema, path);
    judge.needed(service, "namespace", Absence::BySchema, path);
    judge.ranged(service, "port", 1..=65535, path);
    let Some(node) = service.get("path") else { return };
    let Some(text) = node.as_str() else { return };
    let Some(fault) = path_fault(text) else { return };
    let message = format!("webhook path `{}` {fault}", shown(text));
    let help = "write segments of lowercase letters, digits, `-` and `.`, each after a `/`";
    judge.refuse(rule, node.span(), (message, help), &path.field("path"));
}

fn path_fault(text: &str) -> Option<String> {
    if matches!(text, "" | "/") {
        return None;
    }
    let Some(parts) = text.strip_prefix('/') else {
        return Some("does not start with `/`".to_owned());
    };
    let parts = parts.strip_suffix('/').unwrap_or(parts);
    parts.split('/').find_map(|part| match check_dns_subdomain(part) {
        Ok(()) => None,
        Err(_) if part.is_empty() => Some("has an empty segment".to_owned()),
        Err(fault) => Some(format!("has a segment that {fault}")),
    })
}

/// Checks the review versions of a webhook.
pub(super) fn check_reviews(
    judge: &mut ObjectJudge<'_, '_>,
    rule: &'static Rule,
    webhook: &Node,
    field: &str,
    path: &Path<'_>,
) {
    let Some(list) = webhook.get(field) else { return };
    let path = path.field(field);
    let versions = list.items();
    for (index, version) in versions.iter().enumerate() {
        let help = |_: &str| "write `v1`".to_owned();
        let what = (rule, "version name");
        judge.form(version, what, check_service_name, help, &path.index(index));
    }
    let names = versions.iter().enumerate();
    let names = names.filter_map(|(index, node)| Some((node.as_str()?, (index, node))));
    repeated(names.clone(), |name, (index, node), (_, first)| {
        let message = format!("duplicate version `{}`", shown(name));
        let finding = Diagnostic::new(rule, node.span(), message)
            .at("repeated")
            .label(first.span(), "first listed here")
            .help("remove one of them");
        judge.report(finding, &path.index(index));
    });
    if items(webhook, field).len() == names.clone().count()
        && !names.clone().any(|(name, _)| REVIEWS.contains(&name))
    {
        let message = "webhook accepts no review version that the API server sends";
        let help = "add `v1` to the list";
        judge.refuse(rule, list.span(), (message, help), &path);
    }
}
