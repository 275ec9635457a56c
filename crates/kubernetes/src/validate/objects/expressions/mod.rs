//! Validation rules in the Common Expression Language: of definitions, and on their objects.

mod definition;

use std::sync::OnceLock;

use super::ObjectContext;
use crate::crd::{Breach, CustomKind, CustomVersion, Finding};
use crate::diag::{Diagnostic, Sink, brief, declare_rules, message};
use crate::kube::Object;

pub(super) use definition::check as check_definition;

declare_rules! {
    CEL_RULE_BROKEN = "cel-rule-broken", Error;
    CEL_RULE_FIELD_INVALID = "cel-rule-field-invalid", Error;
    CEL_RULE_INVALID = "cel-rule-invalid", Error;
    CEL_RULE_NOT_CHECKED = "cel-rule-not-checked", Warning;
    CEL_RULE_TOO_EXPENSIVE = "cel-rule-too-expensive", Error;
}

/// The longest rule that a message shows, in characters.
const LONGEST_SHOWN: usize = 120;

/// The violated rules of an object, which are the same for all target versions.
pub type RuleFindings = OnceLock<Vec<Diagnostic>>;

/// Runs the rules of its definition on a new object. Like the API server, it is called only for an
/// object without other faults.
pub(super) fn check(
    cx: ObjectContext<'_>,
    object: &Object,
    kind: &CustomKind<'_>,
    version: &CustomVersion<'_>,
    sink: &mut Sink,
) {
    let Some(expressions) = &version.expressions else { return };
    let run = |sink: &mut Sink| {
        expressions.run(&object.root, object.document, cx.fuel, &mut |finding| {
            sink.report(report(cx, kind, &finding));
        });
    };
    let Some(known) = cx.rule_findings else { return run(sink) };
    let known = known.get_or_init(|| {
        let mut part = sink.part();
        run(&mut part);
        part.iter().cloned().collect()
    });
    for finding in known {
        sink.keep(finding.clone());
    }
}

fn report(cx: ObjectContext<'_>, kind: &CustomKind<'_>, finding: &Finding<'_>) -> Diagnostic {
    let what = if finding.path.is_empty() {
        "the object".to_owned()
    } else {
        format!("`{}`", finding.path)
    };
    let rule = shown_rule(&finding.rule.text);
    let (declared, message, at) = match &finding.breach {
        Breach::False(Some(message)) => {
            let message = message!("{what} violates a validation rule: {}", brief(message));
            (&CEL_RULE_BROKEN, message, "violates the rule")
        }
        Breach::False(None) => {
            let message = message!("{what} violates the validation rule `{rule}`");
            (&CEL_RULE_BROKEN, message, "violates the rule")
        }
        Breach::NoValue(error) => {
            let message = message!("validation rule fails for {what}: {error}");
            (&CEL_RULE_BROKEN, message, "the rule cannot be evaluated here")
        }
        Breach::TooLong => {
            let message = message!("validation rules exceed the cost limit for {what}");
            (&CEL_RULE_BROKEN, message, "the object is too large for them")
        }
        Breach::NotChecked(needs) => {
            let message =
                message!("validation rule is not checked for {what}: it requires {needs}");
            (&CEL_RULE_NOT_CHECKED, message, "may violate the rule")
        }
    };
    let diagnostic = Diagnostic::new(declared, finding.span, message).at(at).path(&finding.path);
    // A definition outside the input has no span to show.
    let is_shown = kind.definition.is_some() && !cx.texts.slice(finding.rule.place).is_empty();
    if is_shown {
        diagnostic.label(finding.rule.place, "the rule")
    } else {
        diagnostic.note(message!("the rule is `{rule}`"))
    }
}

/// A rule on one line, shortened.
fn shown_rule(rule: &str) -> String {
    let line = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{} ...", line.get(..end).unwrap_or("")),
        None => line,
    }
}
