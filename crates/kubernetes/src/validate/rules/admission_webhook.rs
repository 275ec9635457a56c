//! `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration`, after Kubernetes'
//! `pkg/apis/admissionregistration/validation`.

pub(super) mod scope;

use super::admission_expressions;
use super::judging::{Absence, Judging, items, shown};
use super::of_object::ObjectJudge;
use super::qualified::check_name;
use super::repeated::repeated;
use super::selectors::check_selector;
use super::webhook_client;
use crate::cel::{Environment, Wanted};
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::check_dns_subdomain;
use crate::tree::{Node, Path};

declare_rules! {
    WEBHOOK_CLIENT_INVALID = "webhook-client-invalid", Error, follows = [Misplaced];
    WEBHOOK_CONDITION_INVALID = "webhook-condition-invalid", Error;
    WEBHOOK_NAME_INVALID = "webhook-name-invalid", Error;
    WEBHOOK_RULE_INVALID = "webhook-rule-invalid", Error, follows = [Misplaced, SamePlace];
}

/// The maximum number of match conditions of a webhook.
const MAX_CONDITIONS: usize = 64;

/// Checks one configuration.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let webhooks = items(&judge.object.root, "webhooks");
    let root = Path::root();
    let path = root.field("webhooks");
    for (index, webhook) in webhooks.iter().enumerate() {
        check_webhook(judge, webhook, &path.index(index));
    }
    repeated(named(webhooks), |name, (index, node), (_, first)| {
        let message = format!("duplicate webhook name `{}`", shown(name));
        let finding = Diagnostic::new(&WEBHOOK_NAME_INVALID, node.span(), message)
            .at("duplicate name")
            .label(first.span(), "first used here")
            .help("give each webhook a unique name");
        judge.report(finding, &path.index(index).field("name"));
    });
}

/// The named items: name, index, and the node of the name.
fn named(list: &[Node]) -> impl Iterator<Item = (&str, (usize, &Node))> + Clone {
    list.iter().enumerate().filter_map(|(index, item)| {
        let node = item.get("name")?;
        Some((node.as_str().filter(|it| !it.is_empty())?, (index, node)))
    })
}

fn check_webhook(judge: &mut ObjectJudge<'_, '_>, webhook: &Node, path: &Path<'_>) {
    name(judge, webhook, path);
    let field = path.field("rules");
    for (index, rule) in items(webhook, "rules").iter().enumerate() {
        scope::check(judge, rule, &field.index(index));
    }
    for field in ["failurePolicy", "matchPolicy", "reinvocationPolicy", "sideEffects"] {
        judge.needed(webhook, field, Absence::BySchema, path);
    }
    // Older versions allowed more values, which the schema still has.
    if matches!(webhook.str_at(&["sideEffects"]), Some("Some" | "Unknown")) {
        judge.listed(webhook, "sideEffects", &["None", "NoneOnDryRun"], path);
    }
    judge.ranged(webhook, "timeoutSeconds", 1..=30, path);
    for field in ["namespaceSelector", "objectSelector"] {
        if let Some(selector) = webhook.get(field) {
            check_selector(judge, selector, &path.field(field));
        }
    }
    let rule = &WEBHOOK_CLIENT_INVALID;
    if let Some(client) = webhook.get("clientConfig") {
        webhook_client::check(judge, rule, client, &path.field("clientConfig"));
    }
    let field = "admissionReviewVersions";
    webhook_client::check_reviews(judge, rule, webhook, field, path);
    conditions(judge, webhook, &Environment::new(false, true), path);
}

/// Checks a DNS name of at least three labels.
fn name(judge: &mut ObjectJudge<'_, '_>, webhook: &Node, path: &Path<'_>) {
    let Some(text) = judge.needed(webhook, "name", Absence::BySchema, path) else { return };
    let Some(node) = webhook.get("name") else { return };
    let fault = match check_dns_subdomain(text) {
        Err(fault) => fault.to_string(),
        Ok(()) if text.split('.').count() < 3 => "has fewer than three labels".to_owned(),
        Ok(()) => return,
    };
    let message = format!("webhook name `{}` {fault}", shown(text));
    let finding = Diagnostic::new(&WEBHOOK_NAME_INVALID, node.span(), message)
        .at("must be a fully qualified name")
        .help("write it with your domain: `pods.example.com`");
    judge.report(finding, &path.field("name"));
}

/// Checks the conditions under which a webhook or a policy applies.
pub(super) fn conditions(
    judge: &mut ObjectJudge<'_, '_>,
    webhook: &Node,
    environment: &Environment,
    path: &Path<'_>,
) {
    let conditions = items(webhook, "matchConditions");
    let field = path.field("matchConditions");
    if let Some(node) = conditions.get(MAX_CONDITIONS) {
        let text = (
            format!("more than {MAX_CONDITIONS} match conditions"),
            "combine some of them with `&&`",
        );
        judge.refuse(&WEBHOOK_CONDITION_INVALID, node.span(), text, &field);
    }
    for (index, condition) in conditions.iter().enumerate() {
        let path = field.index(index);
        let expression = judge.needed(condition, "expression", Absence::BySchema, &path);
        if let (Some(text), Some(node)) = (expression, condition.get("expression"))
            && text.trim().is_empty()
        {
            let text = ("empty expression in a match condition", "write a CEL expression");
            judge.refuse(&WEBHOOK_CONDITION_INVALID, node.span(), text, &path.field("expression"));
        }
        if let Some(node) = condition.get("expression") {
            let path = path.field("expression");
            admission_expressions::check(judge, environment, (node, Wanted::Bool), &path);
        }
        if judge.needed(condition, "name", Absence::BySchema, &path).is_some()
            && let Some(node) = condition.get("name")
        {
            check_name(judge, node, "condition name", &path.field("name"));
        }
    }
    repeated(named(conditions), |name, (index, node), (_, first)| {
        let message = format!("duplicate condition name `{}`", shown(name));
        let finding = Diagnostic::new(&WEBHOOK_CONDITION_INVALID, node.span(), message)
            .at("duplicate name")
            .label(first.span(), "first used here")
            .help("give each condition a unique name");
        judge.report(finding, &field.index(index).field("name"));
    });
}
