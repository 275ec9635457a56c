//! `RuntimeClass`, after Kubernetes' `pkg/apis/node/validation`.

use super::amounts::{Level, check_entry, check_huge_pages};
use super::judging::{Absence, Judging, items, start};
use super::of_object::ObjectJudge;
use super::repeated::repeated;
use super::selectors::{NODE_SELECTOR_INVALID, check_label};
use super::tolerations::{TOLERATION_INVALID, check_toleration};
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::check_dns_label;
use crate::tree::{Node, Path};

declare_rules! {
    RUNTIME_HANDLER_INVALID = "runtime-handler-invalid", Error;
}

/// Checks one class.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let class = &judge.object.root;
    let root = Path::root();
    if judge.needed(class, "handler", Absence::BySchema, &root).is_some()
        && let Some(handler) = class.get("handler")
    {
        let rule = (&RUNTIME_HANDLER_INVALID, "handler name");
        let help = |_: &str| {
            "write the runtime's name in the containerd or CRI-O configuration: `runsc`".to_owned()
        };
        judge.form(handler, rule, check_dns_label, help, &root.field("handler"));
    }
    if let Some(overhead) = class.at(&["overhead", "podFixed"]) {
        let path = root.field("overhead");
        let path = path.field("podFixed");
        for entry in overhead.entries() {
            check_entry(judge, entry, Level::Container, &path.key(&entry.key));
        }
        check_huge_pages(judge, overhead.entries().iter(), &path);
    }
    if let Some(scheduling) = class.get("scheduling") {
        check_scheduling(judge, scheduling, &root.field("scheduling"));
    }
}

fn check_scheduling(judge: &mut ObjectJudge<'_, '_>, scheduling: &Node, path: &Path<'_>) {
    let field = path.field("nodeSelector");
    for entry in scheduling.get("nodeSelector").map_or(&[][..], Node::entries) {
        check_label(judge, entry, &NODE_SELECTOR_INVALID, &field.key(&entry.key));
    }
    let field = path.field("tolerations");
    let tolerations = items(scheduling, "tolerations");
    let minor = judge.minor;
    for (index, toleration) in tolerations.iter().enumerate() {
        check_toleration(judge, toleration, minor, &field.index(index));
    }
    let all = tolerations.iter().enumerate().map(|(index, it)| {
        let text = |field: &str| it.str_at(&[field]).unwrap_or_default();
        ((text("key"), text("operator"), text("value"), text("effect")), (index, it))
    });
    repeated(all, |_, (index, node), (_, first)| {
        let finding = Diagnostic::new(&TOLERATION_INVALID, start(node), "duplicate toleration")
            .at("already listed")
            .label(start(first), "here")
            .help("remove one of them");
        judge.report(finding, &field.index(index));
    });
}
