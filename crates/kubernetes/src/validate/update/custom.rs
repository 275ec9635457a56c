//! Custom resources: the rules of their definition that compare an object with the stored one.
//!
//! Follows `Validator.Validate` in apiextensions-apiserver's `pkg/apiserver/schema/cel/validation.go`.
//! All other rules, which the server does not apply to values that stay (`CRDValidationRatcheting`),
//! are those of a new object.

use super::UpdateContext;
use super::judge::Update;
use crate::crd::Breach;
use crate::diag::{Message, brief, message};

/// Checks a custom resource by its new definition.
pub(super) fn check(cx: UpdateContext<'_>, update: &mut Update<'_>) {
    let [_, known] = cx.custom;
    let Some(expressions) = known.rules_of_updates(&update.object.gvk) else { return };
    let (old, new, document) = (update.old, update.new, update.object.document);
    expressions.run_update(old, new, document, cx.fuel, &mut |finding| {
        let what = match &*finding.path {
            "" => message!("the change of {}", update.object.title()),
            path => message!("the change of `{path}`"),
        };
        if let Some(message) = violation(&what, &finding.breach) {
            update.violated(&finding, message);
        }
    });
}

/// The headline about a rule that something violates.
pub(super) fn violation(what: &Message, breach: &Breach) -> Option<Message> {
    match breach {
        Breach::False(Some(message)) => {
            Some(message!("{what} violates a validation rule: {}", brief(message)))
        }
        Breach::False(None) => Some(message!("{what} violates a validation rule")),
        Breach::NoValue(error) => Some(message!("validation rule fails for {what}: {error}")),
        // The rest is not known to be rejected.
        Breach::TooLong | Breach::NotChecked(_) => None,
    }
}
