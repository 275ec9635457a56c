//! The update strategy of a controller.

use super::{PROGRESS_DEADLINE_SHORT, ROLLOUT_CONFLICT};
use crate::diag::{Diagnostic, message};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, start, text_node};
use crate::validate::rules::share::{Share, check_share};

/// The first minor version that keeps `maxUnavailable` of a StatefulSet (`MaxUnavailableStatefulSet`).
const UNAVAILABLE_MINOR: u8 = 37;
/// The first minor version whose schema has the strategy `Recreate` of a StatefulSet.
const RECREATE_MINOR: u8 = 37;
/// The default of `progressDeadlineSeconds`, in seconds.
const PROGRESS_DEADLINE: i64 = 600;

pub(super) fn of_deployment(judge: &mut Judge<'_>, spec: &Node) {
    check_progress_deadline(judge, spec);
    let Some(strategy) = spec.get("strategy") else { return };
    if strategy.str_at(&["type"]) == Some("Recreate") {
        return check_beside_other_type(judge, strategy, "Recreate");
    }
    let Some(update) = rolling_update(strategy) else { return };
    let unavailable = share(judge, update, "maxUnavailable", true, Share::Percent(25));
    let surge = share(judge, update, "maxSurge", false, Share::Percent(25));
    if let (Some(unavailable), Some(surge)) = (unavailable, surge)
        && unavailable.is_zero()
        && surge.is_zero()
    {
        check_stuck_rollout(judge, update);
    }
}

pub(super) fn of_daemon_set(judge: &mut Judge<'_>, spec: &Node) {
    let Some(strategy) = spec.get("updateStrategy") else { return };
    let Some(update) = rolling_update(strategy) else { return };
    let unavailable = share(judge, update, "maxUnavailable", true, Share::Number(1));
    let surge = share(judge, update, "maxSurge", true, Share::Number(0));
    let (Some(unavailable), Some(surge)) = (unavailable, surge) else { return };
    match (unavailable.is_zero(), surge.is_zero()) {
        (true, true) => check_stuck_rollout(judge, update),
        (false, false) => {
            let Some(node) = update.get("maxSurge") else { return };
            let mut finding = Diagnostic::new(
                &ROLLOUT_CONFLICT,
                node.span(),
                message!("{} has both `maxSurge` and `maxUnavailable`", judge.object.describe()),
            )
            .at("starts a new Pod first");
            finding = match update.get("maxUnavailable") {
                Some(other) => finding.label(other.span(), "stops the old Pod first"),
                None => finding.note("`maxUnavailable` defaults to 1"),
            };
            finding = finding.help("set one of them to 0: use `maxUnavailable: 0` with a surge");
            judge.report(finding, (spec, "updateStrategy.rollingUpdate.maxSurge"));
        }
        _ => {}
    }
}

pub(super) fn of_stateful_set(judge: &mut Judge<'_>, spec: &Node) {
    let Some(strategy) = spec.get("updateStrategy") else { return };
    match text_node(strategy, "type") {
        Some((_, "OnDelete")) => {
            return check_beside_other_type(judge, strategy, "OnDelete");
        }
        // The gate of the third strategy, `StatefulSetRecreateStrategy`, is off.
        Some((node, "Recreate")) if judge.minor >= RECREATE_MINOR => {
            judge.one_of(node, "type", &["RollingUpdate", "OnDelete"]);
        }
        _ => {}
    }
    let Some(update) = rolling_update(strategy) else { return };
    judge.ranged(update, "partition", 0..=i64::MAX);
    // Earlier servers remove the field without validating it.
    if judge.minor < UNAVAILABLE_MINOR {
        return;
    }
    let unavailable = check_share(judge, update, "maxUnavailable", true);
    if let (Some(node), true) =
        (update.get("maxUnavailable"), unavailable.is_some_and(Share::is_zero))
    {
        let message = message!("{} cannot replace any Pod", judge.object.describe());
        let finding = Diagnostic::new(&ROLLOUT_CONFLICT, node.span(), message)
            .at("no Pod can be unavailable")
            .help("write at least 1, or `type: OnDelete` to replace Pods manually");
        judge.report(finding, (spec, "updateStrategy.rollingUpdate.maxUnavailable"));
    }
}

/// The fields of a rolling update, the default strategy.
fn rolling_update(strategy: &Node) -> Option<&Node> {
    let is_rolling =
        strategy.get("type").is_none_or(|node| matches!(node.as_str(), Some("" | "RollingUpdate")));
    strategy.get("rollingUpdate").filter(|_| is_rolling)
}

/// The number or percentage of a field, or its default; `None` if it was reported.
fn share(
    judge: &mut Judge<'_>,
    update: &Node,
    field: &'static str,
    is_part: bool,
    default: Share,
) -> Option<Share> {
    let read = check_share(judge, update, field, is_part);
    if update.get(field).is_none() { Some(default) } else { read }
}

fn check_beside_other_type(judge: &mut Judge<'_>, strategy: &Node, kind: &str) {
    let Some(entry) = strategy.entry("rollingUpdate") else { return };
    let message = message!("`rollingUpdate` is set together with `type: {kind}`");
    let mut finding = Diagnostic::new(&ROLLOUT_CONFLICT, entry.key_origin().span(), message)
        .at("belongs to `type: RollingUpdate`")
        .help("remove `rollingUpdate`, or write `type: RollingUpdate`");
    if let Some(node) = strategy.get("type") {
        finding = finding.label(node.span(), "another strategy");
    }
    judge.report(finding, (strategy, "rollingUpdate"));
}

/// Reports a strategy that allows neither an unavailable nor an additional Pod.
fn check_stuck_rollout(judge: &mut Judge<'_>, update: &Node) {
    let places = ["maxUnavailable", "maxSurge"].map(|field| update.get(field));
    let message = message!("{} cannot replace any Pod", judge.object.describe());
    let [first, second] = places;
    let at = first.or(second).map_or_else(|| start(update), Node::span);
    let mut finding = Diagnostic::new(&ROLLOUT_CONFLICT, at, message)
        .at(if first.is_some() { "no Pod can be unavailable" } else { "no Pod can be added" })
        .help("set `maxUnavailable` or `maxSurge` to 1 or more");
    if let (Some(_), Some(second)) = (first, second) {
        finding = finding.label(second.span(), "no Pod can be added");
    }
    judge.report(finding, (update, "maxUnavailable"));
}

/// Checks that `progressDeadlineSeconds`, after which a rollout fails, exceeds `minReadySeconds`,
/// after which a Pod counts as available.
fn check_progress_deadline(judge: &mut Judge<'_>, spec: &Node) {
    let seconds = |field| spec.get(field).map(Node::as_i64);
    let deadline = seconds("progressDeadlineSeconds").unwrap_or(Some(PROGRESS_DEADLINE));
    let ready = seconds("minReadySeconds").unwrap_or(Some(0));
    let (Some(deadline), Some(ready)) = (deadline, ready) else { return };
    // Negative numbers are reported elsewhere.
    if deadline < 0 || ready < 0 || deadline > ready {
        return;
    }
    let own = spec.get("progressDeadlineSeconds");
    let Some(at) = own.or_else(|| spec.get("minReadySeconds")) else { return };
    let message =
        message!("`progressDeadlineSeconds` {deadline} is not above `minReadySeconds` {ready}");
    let mut finding = Diagnostic::new(&PROGRESS_DEADLINE_SHORT, at.span(), message)
        .at("the rollout fails before a Pod becomes available")
        .help(message!("set `progressDeadlineSeconds` to more than {ready}"));
    if own.is_none() {
        finding = finding.note("`progressDeadlineSeconds` defaults to 600");
    } else if let Some(other) = spec.get("minReadySeconds") {
        finding = finding.label(other.span(), "minimum ready time");
    }
    judge.report(finding, (spec, "progressDeadlineSeconds"));
}
