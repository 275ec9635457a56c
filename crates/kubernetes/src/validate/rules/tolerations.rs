//! Tolerations of Pods and of runtime classes, after `ValidateTolerations` of Kubernetes'
//! `pkg/apis/core/validation`.

use super::judge::{Judge, shown, text_at, value_or_start};
use crate::diag::{Message, declare_rules, message};
use crate::scalar::{check_label_value, check_qualified_name};
use crate::tree::Node;

declare_rules! {
    TOLERATION_INVALID = "toleration-invalid", Error;
}

/// The first minor version whose schema has `Lt` and `Gt` (`TaintTolerationComparisonOperators`).
const NUMBERS_MINOR: u8 = 35;

/// Checks one toleration.
pub(super) fn check_toleration(judge: &mut Judge<'_>, toleration: &Node) {
    if toleration.as_map().is_none() {
        return;
    }
    let text = |field: &str| text_at(toleration, &[field]);
    let at = |field: &str| value_or_start(toleration, field);
    let (key, operator, effect, value) =
        (text("key"), text("operator"), text("effect"), text("value"));
    let has_numbers = judge.minor >= NUMBERS_MINOR;
    let mut refuse = |field: &'static str, message: Message, help: &'static str| {
        let text = (message, "tolerates nothing", help);
        judge.fault(&TOLERATION_INVALID, (at(field), (toleration, field)), text);
    };
    if !key.is_empty()
        && let Err(fault) = check_qualified_name(key)
    {
        let message = message!("toleration key `{}` {fault}", shown(key));
        refuse("key", message, "write the key of the taint: `example.com/gpu`");
    }
    if key.is_empty() && operator != "Exists" {
        let message = Message::from("toleration without a key requires `operator: Exists`");
        refuse(
            "operator",
            message,
            "add the taint's key, or write `operator: Exists` to tolerate all taints",
        );
    }
    if toleration.get("tolerationSeconds").is_some() && effect != "NoExecute" {
        let message = Message::from("`tolerationSeconds` is set without `effect: NoExecute`");
        refuse("effect", message, "write `effect: NoExecute`, or remove `tolerationSeconds`");
    }
    match operator {
        "" | "Equal" => {
            if let Err(fault) = check_label_value(value) {
                let message = message!("toleration value `{}` {fault}", shown(value));
                refuse("value", message, "write the taint's value");
            }
        }
        "Exists" if !value.is_empty() => {
            let message = Message::from("toleration with `operator: Exists` has a value");
            refuse("value", message, "remove `value`, or write `operator: Equal`");
        }
        // The schema has them since 1.35, but their feature gate is off.
        "Lt" | "Gt" if has_numbers => {
            let message = message!("toleration operator `{operator}` is disabled");
            refuse("operator", message, "write `Equal` or `Exists`");
        }
        _ => {}
    }
}
