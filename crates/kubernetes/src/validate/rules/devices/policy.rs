//! The `requestPolicy` of a capacity that several claims share: after `validateRequestPolicy` of
//! Kubernetes' `pkg/apis/resource/validation`.

use super::RESOURCE_SLICE_INVALID;
use super::slice::refuse;
use crate::diag::{Message, message};
use crate::tree::Node;
use crate::validate::rules::amounts::billionths;
use crate::validate::rules::judge::{Judge, items, labelled, start};
use crate::validate::rules::repeated::repeated;

/// The maximum number of `validValues`.
const MAX_VALUES: usize = 10;
/// The first minor version that compares fractions exactly, up to a thousandth
/// (`DRAFractionalCapacityRange`).
const FRACTIONAL_MINOR: u8 = 37;
const ONE: i128 = 1_000_000_000;
const THOUSANDTH: i128 = 1_000_000;
/// The largest integer that the server computes with.
const LARGEST: i128 = i64::MAX as i128 * ONE;

/// A quantity of the policy, in billionths, with its node.
type Amount<'n> = (i128, &'n Node);

/// Checks the policy of one capacity.
pub(super) fn check(judge: &mut Judge<'_>, capacity: &Node, policy: &Node) {
    let most = capacity.get("value").map_or(Some(0), billionths);
    let values = items(policy, "validValues");
    match (values.is_empty(), policy.get("validRange")) {
        (false, Some(range)) => {
            let message = "`validValues` and `validRange` are set together".into();
            refuse(judge, range, (message, "remove one of the two"));
        }
        (true, None) => {}
        (_, range) => {
            let Some(default) = policy.get("default") else {
                let text = ("a request policy has no `default`", "set `default`");
                let fields = (policy, &["default"][..]);
                judge.lacks_all_of(&RESOURCE_SLICE_INVALID, (start(policy), policy), text, fields);
                return;
            };
            let (Some(most), Some(amount)) = (most, billionths(default)) else { return };
            match range {
                Some(range) => check_range(judge, range, (amount, default), most),
                None => check_values(judge, values, (amount, default), most),
            }
        }
    }
}

fn check_values(judge: &mut Judge<'_>, values: &[Node], default: Amount<'_>, most: i128) {
    let amounts: Vec<Amount<'_>> =
        values.iter().filter_map(|node| Some((billionths(node)?, node))).collect();
    if amounts.len() < values.len() {
        return;
    }
    if let Some(node) = values.get(MAX_VALUES) {
        let message = message!("more than {MAX_VALUES} `validValues`");
        refuse(judge, node, (message, "remove some of them"));
    }
    for pair in amounts.windows(2) {
        if let [(before, _), (after, node)] = pair
            && before > after
        {
            let message = "`validValues` are not in ascending order".into();
            refuse(judge, node, (message, "sort them"));
        }
    }
    for (_, node) in amounts.iter().filter(|(amount, _)| *amount > most) {
        let message = message!("`{}` exceeds the capacity", node.brief_json());
        let limit = "must be at most the `value` of the capacity";
        let remedy = labelled(limit, "write at most the `value` of the capacity");
        refuse(judge, node, (message, remedy));
    }
    repeated(amounts.iter().copied(), |_, node, _| {
        let message = message!("duplicate value `{}`", node.brief_json());
        refuse(judge, node, (message, labelled("duplicate", "remove it")));
    });
    if amounts.iter().all(|(amount, _)| *amount != default.0) {
        let message = "`default` is not one of `validValues`".into();
        refuse(judge, default.1, (message, "write one of the values"));
    }
}

fn check_range(judge: &mut Judge<'_>, range: &Node, default: Amount<'_>, most: i128) {
    let field = |name: &str| range.get(name).map(|node| (billionths(node), node));
    // The schema requires it.
    let Some((Some(least), node)) = field("min") else { return };
    let min = (least, node);
    let given = |name: &str| field(name).and_then(|(amount, node)| Some((amount?, node)));
    let (max, step) = (given("max"), given("step"));
    let help = "keep `min` <= `default` <= `max` <= `value` of the capacity";
    let mut fault = |is_fault: bool, node: &Node, message: Message| {
        if is_fault {
            refuse(judge, node, (message, help));
        }
    };
    fault(min.0 > most, min.1, "`min` exceeds the capacity".into());
    fault(default.0 < min.0, default.1, "`default` is less than `min`".into());
    if let Some((amount, node)) = max {
        fault(min.0 > amount, node, "`max` is less than `min`".into());
        fault(amount > most, node, "`max` exceeds the capacity".into());
        fault(default.0 > amount, default.1, "`default` is more than `max`".into());
    }
    let all = [Some(default), Some(min), max, step];
    let is_fractional = all.iter().flatten().any(|(amount, _)| amount % ONE != 0);
    if is_fractional && judge.minor >= FRACTIONAL_MINOR {
        let mut fine =
            all.iter().flatten().filter(|(amount, _)| amount % THOUSANDTH != 0).peekable();
        if fine.peek().is_some() {
            for (_, node) in fine {
                let message = message!("`{}` has a part below a thousandth", node.brief_json());
                refuse(judge, node, (message, "round it to thousandths"));
            }
            return;
        }
    }
    if let Some(step) = step {
        check_step(judge, default, min, max, step, most, is_fractional);
    }
}

fn check_step(
    judge: &mut Judge<'_>,
    default: Amount<'_>,
    min: Amount<'_>,
    max: Option<Amount<'_>>,
    step: Amount<'_>,
    most: i128,
    is_fractional: bool,
) {
    let is_exact = judge.minor >= FRACTIONAL_MINOR;
    if step.0 <= 0 {
        if is_exact || step.0 == 0 {
            refuse(judge, step.1, ("`step` is not above 0".into(), "write a positive quantity"));
        }
        return;
    }
    if min.0.saturating_add(step.0) > most {
        let message = "`min` and one `step` exceed the capacity".into();
        refuse(judge, step.1, (message, "lower `step`"));
    }
    // Earlier versions round fractions up first.
    if is_fractional && !is_exact {
        return;
    }
    let all = [Some(default), Some(min), max, Some(step)];
    let mut outside =
        all.iter().flatten().filter(|(amount, _)| !(0..=LARGEST).contains(amount)).peekable();
    if !is_fractional && outside.peek().is_some() {
        for (_, node) in outside.filter(|_| is_exact) {
            let message = message!("`{}` is outside 0-{}", node.brief_json(), i64::MAX);
            refuse(judge, node, (message, "write a smaller quantity that is not negative"));
        }
        return;
    }
    for (amount, node) in [Some(default), max].into_iter().flatten() {
        if amount.saturating_sub(min.0) % step.0 != 0 {
            let message = message!("`{}` is not `min` and a number of `step`", node.brief_json());
            refuse(judge, node, (message, "write `min`, or add `step` to it some times"));
        }
    }
}
