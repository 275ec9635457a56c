//! `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration`, after Kubernetes'
//! `pkg/apis/admissionregistration/validation`.

pub(super) mod scope;

use super::admission_expressions;
use super::judge::{Absence, Judge, items, shown, texts_in};
use super::qualified::check_name;
use super::repeated::repeated;
use super::selectors::check_selector;
use super::webhook_client;
use crate::cel::{Environment, Wanted};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_dns_subdomain;
use crate::tree::Node;

declare_rules! {
    WEBHOOK_CLIENT_INVALID = "webhook-client-invalid", Error, follows = [Misplaced];
    WEBHOOK_CONDITION_INVALID = "webhook-condition-invalid", Error;
    WEBHOOK_NAME_INVALID = "webhook-name-invalid", Error;
    WEBHOOK_RULE_INVALID = "webhook-rule-invalid", Error, follows = [Misplaced, SamePlace];
}

/// The maximum number of match conditions of a webhook.
const MAX_CONDITIONS: usize = 64;

/// Checks one configuration.
pub(super) fn check(judge: &mut Judge<'_>) {
    let webhooks = items(&judge.object.root, "webhooks");
    for webhook in webhooks {
        check_webhook(judge, webhook);
    }
    repeated(names_of(webhooks), |name, node, first| {
        let message = message!("duplicate webhook name `{}`", shown(name));
        let texts = (message, "duplicate name", "give each webhook a unique name");
        judge.conflict(&WEBHOOK_NAME_INVALID, node, texts, (first, "first used here"));
    });
}

/// The names of the items that have one, and their nodes.
fn names_of(list: &[Node]) -> impl Iterator<Item = (&str, &Node)> + Clone {
    texts_in(list, "name").filter(|(text, _)| !text.is_empty())
}

fn check_webhook(judge: &mut Judge<'_>, webhook: &Node) {
    check_webhook_name(judge, webhook);
    for rule in items(webhook, "rules") {
        scope::check(judge, rule);
    }
    for field in ["failurePolicy", "matchPolicy", "reinvocationPolicy", "sideEffects"] {
        judge.needed(webhook, field, Absence::BySchema);
    }
    // Older versions allowed more values, which the schema still has.
    if matches!(webhook.str_at(&["sideEffects"]), Some("Some" | "Unknown")) {
        judge.listed(webhook, "sideEffects", &["None", "NoneOnDryRun"]);
    }
    judge.ranged(webhook, "timeoutSeconds", 1..=30);
    for field in ["namespaceSelector", "objectSelector"] {
        check_selector(judge, webhook.get(field));
    }
    let rule = &WEBHOOK_CLIENT_INVALID;
    if let Some(client) = webhook.get("clientConfig") {
        webhook_client::check(judge, rule, client);
    }
    let field = "admissionReviewVersions";
    webhook_client::check_reviews(judge, rule, webhook, field);
    conditions(judge, webhook, &Environment::new(false, true));
}

/// Checks a DNS name of at least three labels.
fn check_webhook_name(judge: &mut Judge<'_>, webhook: &Node) {
    let Some((node, text)) = judge.needed_node(webhook, "name", Absence::BySchema) else { return };
    let fault = match check_dns_subdomain(text) {
        Err(fault) => message!("{fault}"),
        Ok(()) if text.split('.').count() < 3 => "has fewer than three labels".into(),
        Ok(()) => return,
    };
    let message = message!("webhook name `{}` {fault}", shown(text));
    let finding = Diagnostic::new(&WEBHOOK_NAME_INVALID, node.span(), message)
        .at("must be a fully qualified name")
        .help("write it with your domain: `pods.example.com`");
    judge.report(finding, (webhook, "name"));
}

/// Checks the conditions under which a webhook or a policy applies.
pub(super) fn conditions(judge: &mut Judge<'_>, webhook: &Node, environment: &Environment) {
    let conditions = items(webhook, "matchConditions");
    if let Some(node) = conditions.get(MAX_CONDITIONS) {
        let text = (
            message!("more than {MAX_CONDITIONS} match conditions"),
            "combine some of them with `&&`",
        );
        judge.refuse(&WEBHOOK_CONDITION_INVALID, (node.span(), (webhook, "matchConditions")), text);
    }
    for condition in conditions {
        if let Some((node, text)) = judge.needed_node(condition, "expression", Absence::BySchema)
            && text.trim().is_empty()
        {
            let text = ("empty expression in a match condition", "write a CEL expression");
            judge.refuse(
                &WEBHOOK_CONDITION_INVALID,
                (node.span(), (condition, "expression")),
                text,
            );
        }
        if let Some(node) = condition.get("expression") {
            admission_expressions::check(judge, environment, node, Wanted::Bool);
        }
        if let Some((node, _)) = judge.needed_node(condition, "name", Absence::BySchema) {
            check_name(judge, node, "condition name");
        }
    }
    repeated(names_of(conditions), |name, node, first| {
        let message = message!("duplicate condition name `{}`", shown(name));
        let texts = (message, "duplicate name", "give each condition a unique name");
        judge.conflict(&WEBHOOK_CONDITION_INVALID, node, texts, (first, "first used here"));
    });
}
