//! `Node`, after `ValidateNode` of Kubernetes' `pkg/apis/core/validation`.

use super::addresses::{Written, check_block};
use super::amounts::check_amount;
use super::judge::{Absence, Judge, entries, items, labelled, shown};
use super::repeated::repeated;
use crate::diag::{declare_rules, message};
use crate::scalar::{Cidr, check_label_value, check_qualified_name};
use crate::tree::Node;

declare_rules! {
    TAINT_INVALID = "taint-invalid", Error;
    POD_BLOCKS_INVALID = "pod-blocks-invalid", Error;
    NODE_FEATURE_INVALID = "node-feature-invalid", Error;
}

/// The first minor version that keeps `status.declaredFeatures` (`NodeDeclaredFeatures`).
const FEATURES_MINOR: u8 = 36;
const LONGEST_FEATURE: usize = 253;

/// Checks one node.
pub(super) fn check(judge: &mut Judge<'_>) {
    let node = &judge.object.root;
    if let Some(spec) = node.get("spec") {
        check_taints(judge, spec);
        check_pod_blocks(judge, spec);
    }
    if let Some(status) = node.get("status") {
        check_status(judge, status);
    }
}

fn check_taints(judge: &mut Judge<'_>, spec: &Node) {
    let all = items(spec, "taints");
    for taint in all {
        if let Some(key) = taint.get("key") {
            let what = (&TAINT_INVALID, "taint key");
            let help = |_: &str| "write it like the key of a label: `example.com/gpu`".into();
            judge.form(key, what, check_qualified_name, help);
        }
        if let Some(value) = taint.get("value") {
            let what = (&TAINT_INVALID, "taint value");
            let help = |_: &str| "write it like the value of a label: `a100`".into();
            judge.form(value, what, check_label_value, help);
        }
        judge.needed(taint, "effect", Absence::BySchema);
    }
    let pairs = all.iter().filter_map(|taint| {
        let text = |field: &str| taint.str_at(&[field]);
        Some(((text("key")?, text("effect")?), taint))
    });
    repeated(pairs, |(key, effect), taint, first| {
        let message = message!("duplicate taint `{}` with effect `{effect}`", shown(key));
        let texts = (message, "repeated", "remove one of them");
        judge.conflict(&TAINT_INVALID, (taint.span(), spec), texts, (first, "first defined here"));
    });
}

/// Checks the Pod CIDRs of the node: at most one of each IP family.
fn check_pod_blocks(judge: &mut Judge<'_>, spec: &Node) {
    let (one, list) = (spec.get("podCIDR"), items(spec, "podCIDRs"));
    let one = one.filter(|block| block.as_str().is_some_and(|it| !it.is_empty()));
    // If both are set and differ, the server drops the list.
    let is_list =
        list.first().is_some_and(|first| one.is_none_or(|one| first.as_str() == one.as_str()));
    let blocks: Vec<&Node> =
        if is_list { list.iter().collect() } else { one.into_iter().collect() };
    for node in blocks.iter().copied() {
        let Some(text) = node.as_str() else { continue };
        let written = Written { node, text, minor: judge.minor };
        check_block(judge, written);
    }
    let Some(second) = blocks.get(1) else { return };
    let is_ipv6 = |node: &&Node| node.as_str().is_some_and(|it| it.contains(':'));
    let is_pair = blocks.len() == 2 && blocks.iter().filter(|block| is_ipv6(block)).count() == 1;
    let are_read =
        blocks.iter().all(|block| block.as_str().is_some_and(|text| Cidr::parse(text).is_some()));
    if are_read && !is_pair {
        let text = (
            "the node has two Pod CIDRs of one IP family",
            "keep one IPv4 block and one IPv6 block",
        );
        judge.refuse(
            &POD_BLOCKS_INVALID,
            (second.span(), (spec, if is_list { "podCIDRs" } else { "podCIDR" })),
            text,
        );
    }
}

fn check_status(judge: &mut Judge<'_>, status: &Node) {
    for field in ["capacity", "allocatable"] {
        for entry in entries(status, field) {
            check_amount(judge, entry);
        }
    }
    if let Some(swap) = status.at(&["nodeInfo", "swap"]) {
        judge.ranged(swap, "capacity", 1..=i64::MAX);
    }
    if judge.minor >= FEATURES_MINOR {
        check_features(judge, items(status, "declaredFeatures"));
    }
}

/// Checks that the names are sorted by their bytes and unique.
fn check_features(judge: &mut Judge<'_>, all: &[Node]) {
    let mut before: Option<&str> = None;
    for node in all {
        let Some(name) = node.as_str() else { continue };
        let (message, help) = if !is_feature(name) {
            (
                message!("invalid feature name `{}`", shown(name)),
                "write it like `UserNamespaces`".into(),
            )
        } else if before == Some(name) {
            (message!("duplicate feature `{name}`"), labelled("duplicate", "remove one of them"))
        } else if before.is_some_and(|before| before > name) {
            (message!("feature `{name}` is not in alphabetical order"), "sort the list".into())
        } else {
            before = Some(name);
            continue;
        };
        before = Some(name);
        judge.refuse(&NODE_FEATURE_INVALID, node, (message, help));
    }
}

/// Segments of letters and digits that begin with a letter, the first one in uppercase.
fn is_feature(name: &str) -> bool {
    let is_segment = |segment: &str| {
        segment.starts_with(|character: char| character.is_ascii_alphabetic())
            && segment.bytes().all(|it| it.is_ascii_alphanumeric())
    };
    name.len() <= LONGEST_FEATURE
        && name.starts_with(|character: char| character.is_ascii_uppercase())
        && name.split('/').all(is_segment)
}
