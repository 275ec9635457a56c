//! Where a webhook is reached, after `ValidateWebhookURL` and `ValidateWebhookService` of apiserver's
//! `pkg/util/webhook`.

use super::pages::names::CRD_CONVERSION_INVALID;
use crate::diag::Diagnostic;
use crate::scalar::{Url, check_dns_subdomain};
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, shown, start};
use crate::validate::rules::of_object::ObjectJudge;

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, client: &Node, path: &Path<'_>) {
    match (client.entry("url"), client.entry("service")) {
        (Some(url), None) => check_url(judge, &url.value, &path.field("url")),
        (None, Some(service)) => check_service(judge, &service.value, &path.field("service")),
        (Some(url), Some(service)) => {
            let message = "a webhook has both an address and a Service";
            let finding =
                Diagnostic::new(&CRD_CONVERSION_INVALID, service.key_origin.span(), message)
                    .at("one of the two")
                    .label(url.key_origin.span(), "the other one")
                    .help("remove `url`, or `service`");
            judge.report(finding, path);
        }
        (None, None) => {
            let message = "a webhook has neither an address nor a Service";
            let help = "add `service: {namespace: ..., name: ...}`, or `url: https://...`";
            judge.refuse(&CRD_CONVERSION_INVALID, start(client), (message, help), path);
        }
    }
}

fn check_url(judge: &mut ObjectJudge<'_, '_>, node: &Node, path: &Path<'_>) {
    let Some(text) = node.as_str() else { return };
    let fault = match Url::parse(text) {
        None => "is no address",
        Some(url) if url.scheme != "https" => "is not reached by `https`",
        Some(url) if url.host.is_empty() => "names no host",
        Some(url) if url.user.is_some() => "has user information",
        Some(url) if !url.fragment.is_empty() => "has a fragment",
        Some(url) if !url.query.is_empty() => "has a query",
        Some(_) => return,
    };
    let message = format!("the webhook `{}` {fault}", shown(text));
    let help = "write it as `https://host[:port][/path]`";
    judge.refuse(&CRD_CONVERSION_INVALID, node.span(), (message, help), path);
}

fn check_service(judge: &mut ObjectJudge<'_, '_>, service: &Node, path: &Path<'_>) {
    judge.needed(service, "name", Absence::BySchema, path);
    judge.needed(service, "namespace", Absence::BySchema, path);
    judge.ranged(service, "port", 1..=65535, path);
    let Some(node) = service.get("path") else { return };
    let Some(text) = node.as_str() else { return };
    let Some(fault) = path_fault(text) else { return };
    let message = format!("the path `{}` of a webhook {fault}", shown(text));
    let help = "write parts of lower-case letters, digits, `-` and `.`, with `/` before each";
    judge.refuse(&CRD_CONVERSION_INVALID, node.span(), (message, help), &path.field("path"));
}

fn path_fault(text: &str) -> Option<String> {
    if matches!(text, "" | "/") {
        return None;
    }
    let Some(parts) = text.strip_prefix('/') else {
        return Some("does not begin with `/`".to_owned());
    };
    let parts = parts.strip_suffix('/').unwrap_or(parts);
    parts.split('/').find_map(|part| match check_dns_subdomain(part) {
        Ok(()) => None,
        Err(_) if part.is_empty() => Some("has an empty part".to_owned()),
        Err(fault) => Some(format!("has a part that {fault}")),
    })
}
