//! `LimitRange`, after `ValidateLimitRange` of Kubernetes' `pkg/apis/core/validation` and the defaults
//! that come before it.

mod bounds;

use super::amounts::{Level, check_resource_name};
use super::judge::{Absence, Judge, entries, shown, start, texts_in, value_or_start};
use super::repeated::repeated;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_qualified_name;
use crate::tree::Node;

declare_rules! {
    LIMIT_TYPE_INVALID = "limit-type-invalid", Error;
    LIMIT_INCOMPLETE = "limit-incomplete", Error, follows = [Misplaced];
    LIMIT_CONTRADICTION = "limit-contradiction", Error;
}

const TYPES: [&str; 3] = ["Pod", "Container", "PersistentVolumeClaim"];

/// Checks one range.
pub(super) fn check(judge: &mut Judge<'_>) {
    let limits = judge.object.root.items_at(&["spec", "limits"]);
    for limit in limits {
        check_limit(judge, limit);
    }
    let types = texts_in(limits, "type");
    repeated(types, |kind, node, first| {
        let message = message!("duplicate limit for type `{}`", shown(kind));
        let texts = (message, "defined again here", "merge the two limits");
        judge.conflict(&LIMIT_TYPE_INVALID, node, texts, (first, "first defined here"));
    });
}

fn check_limit(judge: &mut Judge<'_>, limit: &Node) {
    let Some(kind) = judge.needed(limit, "type", Absence::BySchema) else { return };
    check_type(judge, limit, kind);
    let level = if matches!(kind, "Pod" | "Container") { Level::Container } else { Level::Other };
    let defaults: &[_] = if kind == "Pod" { &[] } else { &["default", "defaultRequest"] };
    for field in ["max", "min", "maxLimitRequestRatio"].into_iter().chain(defaults.iter().copied())
    {
        for entry in entries(limit, field) {
            check_resource_name(judge, &entry.key, level, entry);
        }
    }
    if kind == "Pod" {
        for field in ["default", "defaultRequest"] {
            let Some(entry) = limit.entry(field).filter(|entry| !entry.value.entries().is_empty())
            else {
                continue;
            };
            let text = (
                message!("limit for type `Pod` has `{field}`"),
                "remove it: defaults apply only to containers",
            );
            judge.refuse(&LIMIT_TYPE_INVALID, entry, text);
        }
    }
    let has_storage = |field: &str| {
        limit.get(field).and_then(Node::as_map).is_some_and(|map| map.entry("storage").is_some())
    };
    if kind == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
        let text = (
            "limit for volume claims has neither `min` nor `max` for `storage`",
            "limits nothing",
            "add `max: {storage: ...}`",
        );
        judge.fault(&LIMIT_INCOMPLETE, (start(limit), limit), text);
    }
    bounds::check(judge, limit, kind);
}

fn check_type(judge: &mut Judge<'_>, limit: &Node, kind: &str) {
    let fault = match check_qualified_name(kind) {
        Err(fault) => message!("{fault}"),
        Ok(()) if kind.contains('/') || TYPES.contains(&kind) => return,
        Ok(()) => "is unknown".into(),
    };
    let at = value_or_start(limit, "type");
    let message = message!("limit type `{}` {fault}", shown(kind));
    let help = "write `Container`, `Pod` or `PersistentVolumeClaim`".into();
    let finding = Diagnostic::new(&LIMIT_TYPE_INVALID, at, message)
        .at("unknown type")
        .suggest_near_or(at, kind, TYPES, || help);
    judge.report(finding, (limit, "type"));
}
