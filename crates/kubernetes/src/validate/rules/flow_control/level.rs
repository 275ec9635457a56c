//! `PriorityLevelConfiguration`, after `ValidatePriorityLevelConfigurationSpec`.

use super::{EXEMPT, PRIORITY_LEVEL_INVALID};
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, value_or_start};

/// The type that only the level [`EXEMPT`] has.
const EXEMPT_TYPE: &str = "Exempt";
/// The annotation that is reserved for the API server.
const RESERVED_ANNOTATION: &str = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const MAX_QUEUES: i64 = 10_000_000;
/// The number of hash bits that select the queues of a flow (`shufflesharding.MaxHashBits`).
const HASH_BITS: u32 = 60;

/// Checks one level.
pub(in crate::validate::rules) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let annotations = object.root.at(&["metadata", "annotations"]);
    if let Some(entry) = annotations.and_then(|it| it.entry(RESERVED_ANNOTATION)) {
        let text = ("the annotation is reserved for the API server", "remove it");
        let at = entry.key_origin().span();
        judge.refuse(
            &PRIORITY_LEVEL_INVALID,
            (at, (&judge.object.root, "metadata.annotations")),
            text,
        );
    }
    let Some(spec) = judge.needed_map(&object.root, "spec") else { return };
    let Some(kind) = judge.needed(spec, "type", Absence::BySchema) else { return };
    judge.listed(spec, "type", &["Exempt", "Limited"]);
    if (kind == EXEMPT_TYPE) != (object.name == EXEMPT) {
        let at = spec.get("type").map_or_else(|| spec.span(), Node::span);
        let help = if kind == EXEMPT_TYPE {
            "write `type: Limited`"
        } else {
            "write `type: Exempt`, or another name"
        };
        let text = ("type `Exempt` is reserved for the level `exempt`", help);
        judge.refuse(&PRIORITY_LEVEL_INVALID, (at, (&judge.object.root, "spec.type")), text);
    }
    match kind {
        EXEMPT_TYPE => {
            report_of_other_type(judge, spec, "limited", kind);
            if let Some(exempt) = spec.get("exempt") {
                judge.ranged(exempt, "nominalConcurrencyShares", 0..=i64::MAX);
                judge.ranged(exempt, "lendablePercent", 0..=100);
            }
        }
        "Limited" => {
            report_of_other_type(judge, spec, "exempt", kind);
            let Some(limited) = spec.get("limited") else {
                report_missing(judge, spec, "limited", kind);
                return;
            };
            check_limited(judge, limited);
        }
        _ => {}
    }
}

fn report_of_other_type(judge: &mut Judge<'_>, owner: &Node, field: &'static str, kind: &str) {
    let Some(entry) = owner.entry(field).filter(|entry| !entry.value.is_null()) else { return };
    let text =
        (message!("`{field}` is set together with `type: {kind}`"), message!("remove `{field}`"));
    judge.refuse(&PRIORITY_LEVEL_INVALID, entry, text);
}

fn report_missing(judge: &mut Judge<'_>, owner: &Node, field: &'static str, kind: &str) {
    let at = value_or_start(owner, "type");
    let text =
        (message!("`type: {kind}` is set without `{field}`"), message!("add `{field}: {{...}}`"));
    let missing = (owner, &[field][..]);
    judge.lacks_all_of(&PRIORITY_LEVEL_INVALID, (at, (owner, field)), text, missing);
}

fn check_limited(judge: &mut Judge<'_>, limited: &Node) {
    judge.ranged(limited, "nominalConcurrencyShares", 0..=i64::MAX);
    judge.ranged(limited, "lendablePercent", 0..=100);
    judge.ranged(limited, "borrowingLimitPercent", 0..=i64::MAX);
    let Some(response) = limited.get("limitResponse") else {
        judge.needed(limited, "limitResponse", Absence::Here);
        return;
    };
    let Some(kind) = judge.needed(response, "type", Absence::BySchema) else { return };
    judge.listed(response, "type", &["Queue", "Reject"]);
    match (kind, response.get("queuing")) {
        ("Reject", _) => report_of_other_type(judge, response, "queuing", kind),
        ("Queue", None) => report_missing(judge, response, "queuing", kind),
        ("Queue", Some(queuing)) => check_queues(judge, queuing),
        _ => {}
    }
}

/// Checks the numbers of queues. Zero means the default.
fn check_queues(judge: &mut Judge<'_>, queuing: &Node) {
    judge.ranged(queuing, "queueLengthLimit", 0..=i64::MAX);
    judge.ranged(queuing, "queues", 0..=MAX_QUEUES);
    judge.ranged(queuing, "handSize", 0..=i64::MAX);
    let number = |field: &str, default: i64| {
        queuing.get(field).and_then(Node::as_i64).filter(|number| *number != 0).unwrap_or(default)
    };
    let (queues, hand) = (number("queues", 64), number("handSize", 8));
    if queues <= 0 || hand <= 0 {
        return;
    }
    let at = queuing.get("handSize").or_else(|| queuing.get("queues")).unwrap_or(queuing).span();
    let (message, help) = if hand > queues {
        let message = message!("`handSize` {hand} is above the number of queues, {queues}");
        (message, "lower `handSize`, or raise `queues`")
    } else if !fits_hash(queues, hand) {
        let message = message!("`handSize` {hand} is too large for {queues} queues");
        (message, "lower `handSize` or `queues`")
    } else {
        return;
    };
    judge.fault(&PRIORITY_LEVEL_INVALID, (at, (queuing, "handSize")), (message, "too large", help));
}

/// Whether a hash has enough bits to select `hand` of this many queues.
fn fits_hash(queues: i64, hand: i64) -> bool {
    let (Ok(queues), Ok(hand)) = (u128::try_from(queues), u32::try_from(hand)) else {
        return false;
    };
    queues.checked_pow(hand).is_some_and(|ways| ways <= 1 << HASH_BITS)
}
