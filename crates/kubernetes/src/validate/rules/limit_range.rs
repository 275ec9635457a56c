//! `LimitRange`, after `ValidateLimitRange` of Kubernetes' `pkg/apis/core/validation` and the defaults
//! that come before it.

mod bounds;

use super::amounts::{Level, check_resource_name};
use super::judging::{Absence, Judging, items, shown, start};
use super::of_object::ObjectJudge;
use super::repeated::repeated;
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::check_qualified_name;
use crate::tree::{Node, Path};

declare_rules! {
    LIMIT_TYPE_INVALID = "limit-type-invalid", Error;
    LIMIT_INCOMPLETE = "limit-incomplete", Error, follows = [Misplaced];
    LIMIT_CONTRADICTION = "limit-contradiction", Error;
}

const TYPES: [&str; 3] = ["Pod", "Container", "PersistentVolumeClaim"];

/// Checks one range.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let limits = judge.object.root.get("spec").map_or(&[][..], |it| items(it, "limits"));
    let root = Path::root();
    let path = root.field("spec");
    let path = path.field("limits");
    for (index, limit) in limits.iter().enumerate() {
        check_limit(judge, limit, &path.index(index));
    }
    let types = limits.iter().enumerate().filter_map(|(index, limit)| {
        let node = limit.get("type")?;
        Some((node.as_str()?, (index, node)))
    });
    repeated(types, |kind, (index, node), (_, first)| {
        let message = format!("duplicate limit for type `{}`", shown(kind));
        let finding = Diagnostic::new(&LIMIT_TYPE_INVALID, node.span(), message)
            .at("defined again here")
            .label(first.span(), "first defined here")
            .help("merge the two limits");
        judge.report(finding, &path.index(index).field("type"));
    });
}

fn check_limit(judge: &mut ObjectJudge<'_, '_>, limit: &Node, path: &Path<'_>) {
    let Some(kind) = judge.needed(limit, "type", Absence::BySchema, path) else { return };
    check_type(judge, limit, kind, path);
    let level = if matches!(kind, "Pod" | "Container") { Level::Container } else { Level::Other };
    let defaults: &[_] = if kind == "Pod" { &[] } else { &["default", "defaultRequest"] };
    for field in ["max", "min", "maxLimitRequestRatio"].into_iter().chain(defaults.iter().copied())
    {
        let field_path = path.field(field);
        for entry in limit.get(field).map_or(&[][..], Node::entries) {
            let name = (entry.key.as_str(), entry.key_origin.span());
            check_resource_name(judge, name, level, &field_path.key(&entry.key));
        }
    }
    if kind == "Pod" {
        for field in ["default", "defaultRequest"] {
            let Some(entry) = limit.entry(field).filter(|it| !it.value.entries().is_empty()) else {
                continue;
            };
            let text = (
                format!("limit for type `Pod` has `{field}`"),
                "remove it: defaults apply only to containers",
            );
            let path = path.field(field);
            judge.refuse(&LIMIT_TYPE_INVALID, entry.key_origin.span(), text, &path);
        }
    }
    let has_storage = |field: &str| {
        limit.get(field).and_then(Node::as_map).is_some_and(|it| it.entry("storage").is_some())
    };
    if kind == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
        let finding = Diagnostic::new(
            &LIMIT_INCOMPLETE,
            start(limit),
            "limit for volume claims has neither `min` nor `max` for `storage`",
        )
        .at("limits nothing")
        .help("add `max: {storage: ...}`");
        judge.report(finding, path);
    }
    bounds::check(judge, limit, kind, path);
}

fn check_type(judge: &mut ObjectJudge<'_, '_>, limit: &Node, kind: &str, path: &Path<'_>) {
    let fault = match check_qualified_name(kind) {
        Err(fault) => fault.to_string(),
        Ok(()) if kind.contains('/') || TYPES.contains(&kind) => return,
        Ok(()) => "is unknown".to_owned(),
    };
    let at = limit.get("type").map_or_else(|| start(limit), Node::span);
    let message = format!("limit type `{}` {fault}", shown(kind));
    let help = "write `Container`, `Pod` or `PersistentVolumeClaim`".to_owned();
    let finding = Diagnostic::new(&LIMIT_TYPE_INVALID, at, message)
        .at("unknown type")
        .suggest_near_or(at, kind, TYPES, || help);
    judge.report(finding, &path.field("type"));
}
