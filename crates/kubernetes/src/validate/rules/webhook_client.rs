//! The address of a webhook, after `ValidateWebhookURL` and `ValidateWebhookService` of apiserver's
//! `pkg/util/webhook`, and the review versions that it supports.

use super::judge::{Absence, Judge, items, shown, start, text_node, texts};
use super::repeated::repeated;
use crate::diag::{About, Diagnostic, Message, Rule, message};
use crate::scalar::{Url, check_dns_subdomain, check_service_name};
use crate::tree::Node;

/// The review versions that API servers send.
const REVIEWS: &[&str] = &["v1", "v1beta1"];

/// Checks the address of a webhook, with findings of `rule`.
pub(super) fn check(judge: &mut Judge<'_>, rule: &'static Rule, client: &Node) {
    match (client.entry("url"), client.entry("service")) {
        (Some(url), None) => check_url(judge, rule, &url.value),
        (None, Some(service)) => check_service(judge, rule, &service.value),
        (Some(url), Some(service)) => {
            let message = "webhook has both `url` and `service`";
            let finding = Diagnostic::new(rule, service.key_origin().span(), message)
                .at("the second target")
                .label(url.key_origin().span(), "the first target")
                .help("remove `url`, or `service`");
            judge.report(finding, client);
        }
        (None, None) => {
            let message = "webhook has neither `url` nor `service`";
            let help = "add `service: {namespace: ..., name: ...}`, or `url: https://...`";
            let finding = Diagnostic::new(rule, start(client), message)
                .at("no target")
                .help(help)
                .about(About::MissingField("service".into()));
            judge.report(finding, client);
        }
    }
}

fn check_url(judge: &mut Judge<'_>, rule: &'static Rule, node: &Node) {
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
    let message = message!("webhook URL `{}` {fault}", shown(text));
    let help = "write it as `https://host[:port][/path]`";
    judge.refuse(rule, node, (message, help));
}

fn check_service(judge: &mut Judge<'_>, rule: &'static Rule, service: &Node) {
    judge.needed(service, "name", Absence::BySchema);
    judge.needed(service, "namespace", Absence::BySchema);
    judge.ranged(service, "port", 1..=65535);
    let Some((node, text)) = text_node(service, "path") else { return };
    let Some(fault) = path_fault(text) else { return };
    let message = message!("webhook path `{}` {fault}", shown(text));
    let help = "write segments of lowercase letters, digits, `-` and `.`, each after a `/`";
    judge.refuse(rule, node, (message, help));
}

fn path_fault(text: &str) -> Option<Message> {
    if matches!(text, "" | "/") {
        return None;
    }
    let Some(parts) = text.strip_prefix('/') else {
        return Some("does not start with `/`".into());
    };
    let parts = parts.strip_suffix('/').unwrap_or(parts);
    parts.split('/').find_map(|part| match check_dns_subdomain(part) {
        Ok(()) => None,
        Err(_) if part.is_empty() => Some("has an empty segment".into()),
        Err(fault) => Some(message!("has a segment that {fault}")),
    })
}

/// Checks the review versions of a webhook.
pub(super) fn check_reviews(
    judge: &mut Judge<'_>,
    rule: &'static Rule,
    webhook: &Node,
    field: &str,
) {
    let Some(list) = webhook.get(field) else { return };
    let versions = list.items();
    for version in versions {
        let help = |_: &str| "write `v1`".into();
        let what = (rule, "version name");
        judge.form(version, what, check_service_name, help);
    }
    let names = texts(versions);
    repeated(names.clone(), |name, node, first| {
        let message = message!("duplicate version `{}`", shown(name));
        let texts = (message, "repeated", "remove one of them");
        judge.conflict(rule, node, texts, (first, "first listed here"));
    });
    if items(webhook, field).len() == names.clone().count()
        && !names.clone().any(|(name, _)| REVIEWS.contains(&name))
    {
        let message = "webhook accepts no review version that the API server sends";
        let help = "add `v1` to the list";
        judge.refuse(rule, list, (message, help));
    }
}
