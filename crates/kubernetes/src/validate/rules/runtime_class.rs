//! `RuntimeClass`, after Kubernetes' `pkg/apis/node/validation`.

use super::amounts::{Level, check_entry, check_huge_pages};
use super::judge::{Absence, Judge, entries, items, start, text_at};
use super::repeated::repeated;
use super::selectors::{NODE_SELECTOR_INVALID, check_label};
use super::tolerations::{TOLERATION_INVALID, check_toleration};
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::check_dns_label;
use crate::tree::Node;

declare_rules! {
    RUNTIME_HANDLER_INVALID = "runtime-handler-invalid", Error;
}

/// Checks one class.
pub(super) fn check(judge: &mut Judge<'_>) {
    let class = &judge.object.root;
    if let Some((handler, _)) = judge.needed_node(class, "handler", Absence::BySchema) {
        let rule = (&RUNTIME_HANDLER_INVALID, "handler name");
        let help = |_: &str| {
            "write the runtime's name in the containerd or CRI-O configuration: `runsc`".into()
        };
        judge.form(handler, rule, check_dns_label, help);
    }
    if let Some(overhead) = class.at(&["overhead", "podFixed"]) {
        for entry in overhead.entries() {
            check_entry(judge, entry, Level::Container);
        }
        check_huge_pages(
            judge,
            overhead.entries().iter(),
            (&judge.object.root, "overhead.podFixed"),
        );
    }
    if let Some(scheduling) = class.get("scheduling") {
        check_scheduling(judge, scheduling);
    }
}

fn check_scheduling(judge: &mut Judge<'_>, scheduling: &Node) {
    for entry in entries(scheduling, "nodeSelector") {
        check_label(judge, entry, &NODE_SELECTOR_INVALID);
    }
    let tolerations = items(scheduling, "tolerations");
    for toleration in tolerations {
        check_toleration(judge, toleration);
    }
    let all = tolerations.iter().map(|toleration| {
        let text = |field: &str| text_at(toleration, &[field]);
        ((text("key"), text("operator"), text("value"), text("effect")), toleration)
    });
    repeated(all, |_, node, first| {
        let finding = Diagnostic::new(&TOLERATION_INVALID, start(node), "duplicate toleration")
            .at("already listed")
            .label(start(first), "here")
            .help("remove one of them");
        judge.report(finding, node);
    });
}
