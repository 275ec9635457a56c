//! Volumes of storage vendors: rules that only apply to those of Pods.

use super::judge::PodJudge;
use super::volumes::{VOLUME_NAME_INVALID, VOLUME_SOURCE_INVALID};
use crate::diag::{Diagnostic, message};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Absence, filled, value_or_start};

/// The maximum length of a volume name and a portal, joined with `:`, in bytes.
const LONGEST_INITIATOR: usize = 64;

pub(super) fn check(judge: &mut PodJudge<'_>, volume: &Node, source: &Entry) {
    let node = &source.value;
    if node.as_map().is_none() {
        return;
    }
    match source.key.as_str() {
        "azureDisk" => {
            judge.needed(node, "cachingMode", Absence::BySchema);
            judge.needed(node, "kind", Absence::BySchema);
        }
        "cinder" => check_secret(judge, node),
        "iscsi" => check_initiator(judge, volume, node),
        "storageos" => check_storage_os(judge, node),
        _ => {}
    }
}

/// Checks that a Secret reference has a name.
fn check_secret(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some(secret) = source.get("secretRef") {
        judge.needed(secret, "name", Absence::Here);
    }
}

fn check_initiator(judge: &mut PodJudge<'_>, volume: &Node, source: &Node) {
    let length_of = |node: &Node, field: &str| node.str_at(&[field]).map_or(0, str::len);
    let length = length_of(volume, "name") + 1 + length_of(source, "targetPortal");
    if source.get("initiatorName").is_none() || length <= LONGEST_INITIATOR {
        return;
    }
    let at = value_or_start(volume, "name");
    let message = message!("volume name and iSCSI portal total {length} bytes, more than 64");
    let finding = Diagnostic::new(&VOLUME_SOURCE_INVALID, at, message)
        .at("becomes part of an interface name")
        .help("shorten the volume name: together with the portal and a `:` it must have at most 64 bytes");
    judge.report(finding, source);
}

fn check_storage_os(judge: &mut PodJudge<'_>, source: &Node) {
    for field in ["volumeName", "volumeNamespace"] {
        if let Some(node) = filled(source, field) {
            let rule = (&VOLUME_NAME_INVALID, "volume name");
            judge.form(node, rule, check_dns_label, near_dns_label);
        }
    }
    check_secret(judge, source);
}
