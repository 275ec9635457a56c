//! The data source of a volume claim.

use super::{Sources, VOLUME_CLAIM_SOURCE_INVALID};
use crate::diag::{Diagnostic, message};
use crate::scalar::{check_dns_label, check_dns_subdomain};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Absence, Judge, filled, shown, text_at};

const CLAIM: &str = "PersistentVolumeClaim";

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node, sources: Sources) {
    let is_settled = sources == Sources::Settled;
    let by_reference = spec.entry("dataSourceRef");
    let namespace = by_reference
        .and_then(|entry| entry.value.get("namespace"))
        .filter(|namespace| namespace.as_str().is_some_and(|it| !it.is_empty()));
    // The server drops a source in another namespace (`CrossNamespaceVolumeDataSource`), and then, or
    // without one, a source that is neither a claim nor a snapshot.
    let by_reference = by_reference.filter(|_| !is_settled || namespace.is_none());
    let data_source = spec.entry("dataSource");
    let plain = data_source
        .filter(|entry| !is_settled || by_reference.is_some() || is_old_kind(&entry.value));
    for entry in [plain, by_reference].into_iter().flatten() {
        check_source(judge, entry);
    }
    let (Some(plain), Some(by_reference)) = (plain, by_reference) else { return };
    let message = match namespace {
        Some(_) => "`dataSource` is set together with a `dataSourceRef` that has a namespace",
        None if is_same(&plain.value, &by_reference.value) => return,
        None => "`dataSource` and `dataSourceRef` differ",
    };
    let finding = Diagnostic::new(&VOLUME_CLAIM_SOURCE_INVALID, plain.key_origin().span(), message)
        .at("one source")
        .label(by_reference.key_origin().span(), "another source")
        .help("remove `dataSource`: `dataSourceRef` replaces it");
    judge.report(finding, spec);
}

fn group_of_source(source: &Node) -> &str {
    text_at(source, &["apiGroup"])
}

fn is_old_kind(source: &Node) -> bool {
    matches!(
        (group_of_source(source), source.str_at(&["kind"])),
        ("", Some(CLAIM)) | ("snapshot.storage.k8s.io", Some("VolumeSnapshot"))
    )
}

/// Compares two sources; an absent group and an empty one differ.
fn is_same(plain: &Node, by_reference: &Node) -> bool {
    let parts = |node: &Node| {
        let text = |field| node.str_at(&[field]).map(str::to_owned);
        (text("apiGroup"), text("kind").unwrap_or_default(), text("name").unwrap_or_default())
    };
    parts(plain) == parts(by_reference)
}

fn check_source(judge: &mut Judge<'_>, entry: &Entry) {
    let source = &entry.value;
    if source.as_map().is_none() {
        return;
    }
    judge.needed(source, "name", Absence::BySchema);
    let kind = judge.needed(source, "kind", Absence::BySchema);
    let rule = &VOLUME_CLAIM_SOURCE_INVALID;
    match (group_of_source(source), kind) {
        ("", Some(kind)) if kind != CLAIM => {
            let at = source.get("kind").map_or(source.span(), Node::span);
            let message = message!("data source of the volume claim is a core `{}`", shown(kind));
            let help = "add `apiGroup: ...`, or write `kind: PersistentVolumeClaim`";
            judge.refuse(rule, (at, (source, "kind")), (message, help));
        }
        ("", _) => {}
        _ => {
            if let Some(node) = source.get("apiGroup") {
                let help = |_: &str| "add the group: `snapshot.storage.k8s.io`".into();
                judge.form(node, (rule, "group"), check_dns_subdomain, help);
            }
        }
    }
    if let Some(node) = filled(source, "namespace") {
        let help = |_: &str| "write a namespace name".into();
        judge.form(node, (rule, "namespace"), check_dns_label, help);
    }
}
