//! `Event` of both groups, after Kubernetes' `pkg/apis/core/validation/events.go`.

use super::judge::{Absence, Judge, shown, text_at};
use super::qualified::check_name;
use crate::diag::{declare_rules, message};
use crate::tree::Node;

declare_rules! {
    EVENT_INVALID = "event-invalid", Error;
}

/// The maximum length of most strings, and of the note, in bytes.
const LONGEST: usize = 128;
const LONGEST_NOTE: usize = 1024;

/// Checks one event.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = &judge.object.root;
    let is_new = judge.object.gvk.group == "events.k8s.io";
    let has_time = object.get("eventTime").is_some();
    check_namespace(judge, if is_new { "regarding" } else { "involvedObject" }, has_time);
    if has_time {
        let reporter = if is_new { "reportingController" } else { "reportingComponent" };
        if let Some((node, _)) = judge.needed_node(object, reporter, Absence::Here) {
            check_name(judge, node, "reporting controller");
        }
        for field in ["reportingInstance", "action", "reason"] {
            judge.needed(object, field, Absence::Here);
            check_at_most(judge, field, LONGEST);
        }
        check_at_most(judge, if is_new { "note" } else { "message" }, LONGEST_NOTE);
    }
    if is_new {
        check_strictly(judge);
    }
}

/// Checks that the event is in the namespace of its object.
fn check_namespace(judge: &mut Judge<'_>, field: &'static str, has_time: bool) {
    let object = &judge.object.root;
    let own = match judge.object.namespace.as_str() {
        "" => "default",
        own => own,
    };
    let about = object.get(field);
    let other = about.map_or("", |about| text_at(about, &["namespace"]));
    let is_fine = match other {
        "" => own == "default" || has_time && own == "kube-system",
        other => has_time || other == own,
    };
    if is_fine {
        return;
    }
    let node = about.and_then(|it| it.get("namespace")).or(about).unwrap_or(object);
    let text = (
        message!("`{field}` has another namespace than the event"),
        message!("write `namespace: {}`", shown(own)),
    );
    judge.refuse(&EVENT_INVALID, (node.span(), (about.unwrap_or(object), "namespace")), text);
}

fn check_at_most(judge: &mut Judge<'_>, field: &'static str, most: usize) {
    let Some(node) = judge.object.root.get(field) else { return };
    if node.as_str().is_some_and(|text| text.len() > most) {
        let text = (message!("`{field}` is longer than {most} bytes"), "shorten it");
        judge.refuse(&EVENT_INVALID, node, text);
    }
}

/// The checks of the new group only.
fn check_strictly(judge: &mut Judge<'_>) {
    let object = &judge.object.root;
    judge.needed_map(object, "eventTime");
    if judge.needed(object, "type", Absence::Here).is_some() {
        judge.listed(object, "type", &["Normal", "Warning"]);
    }
    if let Some(series) = object.get("series") {
        judge.ranged(series, "count", 2..=i64::MAX);
    }
    let is_set = |node: &Node| node.as_i64() != Some(0) && !is_empty_source(node);
    for field in [
        "deprecatedFirstTimestamp",
        "deprecatedLastTimestamp",
        "deprecatedCount",
        "deprecatedSource",
    ] {
        if let Some(entry) = object.entry(field).filter(|entry| is_set(&entry.value)) {
            let text = (message!("`{field}` is set in `events.k8s.io/v1`"), "remove it");
            judge.refuse(
                &EVENT_INVALID,
                (entry.key_origin().span(), (&judge.object.root, field)),
                text,
            );
        }
    }
}

/// Whether a source names neither a component nor a host.
fn is_empty_source(node: &Node) -> bool {
    node.as_map().is_some()
        && ["component", "host"].iter().all(|field| text_at(node, &[field]).is_empty())
}
