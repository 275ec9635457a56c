//! Taints of devices: those of a `ResourceSlice`, and the one of a `DeviceTaintRule`.

use super::{DEVICE_TAINT_RULE_INVALID, is_label, is_pool};
use crate::diag::{Message, Rule, message};
use crate::scalar::{check_label_value, check_qualified_name};
use crate::tree::Node;
use crate::validate::rules::csi::is_driver;
use crate::validate::rules::judge::{Absence, Judge, shown, text_of};

/// A field, whether a name is valid in it, and what is.
type NamedField = (&'static str, fn(&str) -> bool, &'static str);

/// Checks one rule.
pub(in crate::validate::rules) fn check_rule(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    if let Some(selector) = spec.get("deviceSelector") {
        let fields: [NamedField; 3] = [
            ("driver", is_driver, "use at most 63 lowercase letters, digits, `-` and `.`"),
            ("pool", is_pool, "use lowercase letters, digits, `-`, `.` and `/`"),
            ("device", is_label, "use at most 63 lowercase letters, digits and `-`"),
        ];
        for (field, is_valid, help) in fields {
            if judge.needed(selector, field, Absence::BySchema).is_some_and(|name| !is_valid(name))
            {
                check_invalid(judge, &DEVICE_TAINT_RULE_INVALID, selector, field, help.into());
            }
        }
    }
    if let Some(taint) = spec.get("taint") {
        check_taint(judge, &DEVICE_TAINT_RULE_INVALID, taint);
    }
}

/// Checks one taint; `rule` is that of the object.
pub(super) fn check_taint(judge: &mut Judge<'_>, rule: &'static Rule, taint: &Node) {
    let key = judge.needed(taint, "key", Absence::BySchema);
    if key.is_some_and(|key| check_qualified_name(key).is_err()) {
        let help =
            "write it like a label: letters, digits, `-`, `_` and `.`, after a domain and `/`";
        check_invalid(judge, rule, taint, "key", help.into());
    }
    if taint.str_at(&["value"]).is_some_and(|value| check_label_value(value).is_err()) {
        let help = "use at most 63 letters, digits, `-`, `_` and `.`";
        check_invalid(judge, rule, taint, "value", help.into());
    }
    judge.needed(taint, "effect", Absence::BySchema);
}

fn check_invalid(
    judge: &mut Judge<'_>,
    rule: &'static Rule,
    owner: &Node,
    field: &str,
    help: Message,
) {
    let Some(node) = owner.get(field) else { return };
    let message = message!("invalid `{field}` `{}`", shown(text_of(node)));
    judge.refuse(rule, node, (message, help));
}
