//! The conversion of objects between versions: none, or a webhook.

use super::CRD_CONVERSION_INVALID;
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, start};
use crate::validate::rules::webhook_client;

pub(super) fn check(judge: &mut Judge<'_>, conversion: &Node) {
    judge.listed(conversion, "strategy", &["None", "Webhook"]);
    let is_webhook = match conversion.str_at(&["strategy"]) {
        Some("Webhook") => true,
        Some("None") => false,
        _ => return,
    };
    let webhook = conversion.get("webhook");
    if is_webhook {
        let client = webhook.and_then(|it| it.get("clientConfig"));
        if let Some(client) = client {
            webhook_client::check(judge, &CRD_CONVERSION_INVALID, client);
        } else {
            let message = "`strategy: Webhook` is set without `webhook`";
            let help =
                "add `webhook: {clientConfig: {service: ...}, conversionReviewVersions: [v1]}`";
            let place = webhook.map_or_else(|| start(conversion), start);
            let rule = &CRD_CONVERSION_INVALID;
            judge.refuse(rule, (place, (conversion, "webhook.clientConfig")), (message, help));
        }
        if let Some(webhook) = webhook {
            let field = "conversionReviewVersions";
            webhook_client::check_reviews(judge, &CRD_CONVERSION_INVALID, webhook, field);
        }
    } else if let Some(entry) = webhook.and_then(|webhook| {
        let versions = webhook.entry("conversionReviewVersions");
        let reviews = versions.filter(|reviews| !reviews.value.items().is_empty());
        webhook.entry("clientConfig").or(reviews)
    }) {
        let message = "`webhook` is set, but `strategy` is not `Webhook`";
        let help = "write `strategy: Webhook`, or remove `webhook`";
        judge.refuse(&CRD_CONVERSION_INVALID, entry, (message, help));
    }
}
