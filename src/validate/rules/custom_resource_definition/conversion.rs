//! How objects get from one version to another: by nobody, or by a webhook.

use super::pages::names::CRD_CONVERSION_INVALID;
use super::webhook;
use crate::diag::Diagnostic;
use crate::scalar::check_service_name;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Judging, items, shown, start};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::repeated::repeated;

/// The versions of `ConversionReview` that API servers send.
const REVIEWS: &[&str] = &["v1", "v1beta1"];

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
            webhook::check(judge, client, &at.field("clientConfig"));
        } else {
            let message = "objects are converted by a webhook that is not named";
            let help =
                "add `webhook: {clientConfig: {service: ...}, conversionReviewVersions: [v1]}`";
            let place = webhook.map_or_else(|| start(conversion), start);
            let rule = &CRD_CONVERSION_INVALID;
            judge.refuse(rule, place, (message, help), &at.field("clientConfig"));
        }
        if let Some(webhook) = webhook {
            check_reviews(judge, webhook, &at);
        }
    } else if let Some(entry) = webhook.and_then(|webhook| {
        let reviews = webhook.entry("conversionReviewVersions");
        let reviews = reviews.filter(|it| !it.value.items().is_empty());
        webhook.entry("clientConfig").or(reviews)
    }) {
        let message = "a webhook is named, and not used";
        let help = "write `strategy: Webhook`, or remove `webhook`";
        let (rule, place) = (&CRD_CONVERSION_INVALID, entry.key_origin.span());
        judge.refuse(rule, place, (message, help), &at.field(&entry.key));
    }
}

fn check_reviews(judge: &mut ObjectJudge<'_, '_>, webhook: &Node, path: &Path<'_>) {
    let Some(list) = webhook.get("conversionReviewVersions") else { return };
    let path = path.field("conversionReviewVersions");
    let versions = list.items();
    for (index, version) in versions.iter().enumerate() {
        let help = |_: &str| "write `v1`".to_owned();
        let what = (&CRD_CONVERSION_INVALID, "name of a version");
        judge.form(version, what, check_service_name, help, &path.index(index));
    }
    let names = versions.iter().enumerate();
    let names = names.filter_map(|(index, node)| Some((node.as_str()?, (index, node))));
    repeated(names.clone(), |name, (index, node), (_, first)| {
        let message = format!("`{}` is listed twice", shown(name));
        let finding = Diagnostic::new(&CRD_CONVERSION_INVALID, node.span(), message)
            .at("repeated")
            .label(first.span(), "the first is here")
            .help("remove one of them");
        judge.report(finding, &path.index(index));
    });
    if items(webhook, "conversionReviewVersions").len() == names.clone().count()
        && !names.clone().any(|(name, _)| REVIEWS.contains(&name))
    {
        let message = "the webhook understands no review that the API server sends";
        let help = "add `v1` to the list";
        judge.refuse(&CRD_CONVERSION_INVALID, list.span(), (message, help), &path);
    }
}
