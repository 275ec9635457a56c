//! Webhook configurations of `admissionregistration.k8s.io/v1beta1`.

use super::edits::{Edits, Refused, check_list, items_mut, set_default};
use crate::diag::message;
use crate::tree::{Node, Origin, Value};

pub(super) fn webhooks(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_list(edits.root, &["webhooks"])?;
    let origin = edits.origin;
    let mut kept = Vec::new();
    for webhook in items_mut(edits.root, &["webhooks"]) {
        check_side_effects(webhook)?;
        for (field, value) in old_defaults(origin) {
            let shown = value.to_json().to_string();
            if is_empty_list(webhook, field)
                && let Some(map) = webhook.as_map_mut()
            {
                map.remove(field);
            }
            if set_default(webhook, &[field], value, origin) {
                kept.push((format!("webhooks[].{field}"), shown));
            }
        }
    }
    kept.sort();
    kept.dedup();
    edits.kept.append(&mut kept);
    Ok(())
}

fn is_empty_list(webhook: &Node, field: &str) -> bool {
    webhook
        .get(field)
        .is_some_and(|value| matches!(&value.value, Value::List(items) if items.is_empty()))
}

/// The defaults that the new version does not have.
fn old_defaults(origin: Origin) -> [(&'static str, Node); 4] {
    let versions = Node::list([Node::string("v1beta1", origin)], origin);
    [
        ("failurePolicy", Node::string("Ignore", origin)),
        ("matchPolicy", Node::string("Exact", origin)),
        ("timeoutSeconds", Node::int(30, origin)),
        ("admissionReviewVersions", versions),
    ]
}

/// Only the author of a webhook knows whether it has side effects.
fn check_side_effects(webhook: &Node) -> Result<(), Refused> {
    let name = webhook.text_at(&["name"]);
    let found = webhook.get("sideEffects");
    if found
        .and_then(Node::as_str)
        .is_some_and(|effects| effects == "None" || effects == "NoneOnDryRun")
    {
        return Ok(());
    }
    let message = match found.and_then(Node::as_str) {
        Some(value) => message!("`v1` does not allow `sideEffects: {value}` of webhook `{name}`"),
        None => message!(
            "`v1` requires `sideEffects` of webhook `{name}`, and its default was `Unknown`"
        ),
    };
    let span = found.map_or_else(|| webhook.span().start_point(), Node::span);
    let help = "set it to `None`, or to `NoneOnDryRun` if the webhook has side effects except in a dry \
        run, and migrate again";
    Err(Refused::new(span, message, help))
}
