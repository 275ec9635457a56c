//! The conversion of objects between versions: none, or a webhook.

use super::CRD_CONVERSION_INVALID;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Judging, start};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::webhook_client;

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, conversion: &Node, path: &Path<'_>) {
    judge.listed(conversion, "strategy", &["None", "Webhook"], path);
    let is_webhook = match conversion.str_at(&["strategy"]) {
        Some("Webhook") => true,
        Some("None") => false,
        _ => return,
    };
    let webhook = conversion.get("webhook");
    let at = path.field("webhook");
    if is_webhook {
        let client = webhook.and_then(|it| it.get("clientConfig"));
        if let Some(client) = client {
            webhook_client::check(
                judge,
                &CRD_CONVERSION_INVALID,
                client,
                &at.field("clientConfig"),
            );
        } else {
            let message = "`strategy: Webhook` is set without `webhook`";
            let help =
                "add `webhook: {clientConfig: {service: ...}, conversionReviewVersions: [v1]}`";
            let place = webhook.map_or_else(|| start(conversion), start);
            let rule = &CRD_CONVERSION_INVALID;
            judge.refuse(rule, place, (message, help), &at.field("clientConfig"));
        }
        if let Some(webhook) = webhook {
            let field = "conversionReviewVersions";
            webhook_client::check_reviews(judge, &CRD_CONVERSION_INVALID, webhook, field, &at);
        }
    } else if let Some(entry) = webhook.and_then(|webhook| {
        let reviews = webhook.entry("conversionReviewVersions");
        let reviews = reviews.filter(|it| !it.value.items().is_empty());
        webhook.entry("clientConfig").or(reviews)
    }) {
        let message = "`webhook` is set, but `strategy` is not `Webhook`";
        let help = "write `strategy: Webhook`, or remove `webhook`";
        let (rule, place) = (&CRD_CONVERSION_INVALID, entry.key_origin.span());
        judge.refuse(rule, place, (message, help), &at.field(&entry.key));
    }
}
