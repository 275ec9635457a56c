//! Services with fields that their type ignores: `GetWarningsForService` of Kubernetes'
//! `pkg/api/service`.

use super::addresses::{check_address, check_block};
use super::{FIELD_DEPRECATED, FIELD_WITHOUT_EFFECT, filled_text, items};
use crate::diag::{Message, message};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Judge, Spot};

/// The first minor versions that warn about fields ignored by headless Services, about
/// `PreferClose`, and about `externalIPs`.
const HEADLESS_MINOR: u8 = 34;
const PREFER_CLOSE_MINOR: u8 = 35;
const EXTERNAL_ADDRESSES_MINOR: u8 = 36;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let kind = filled_text(spec, "type").unwrap_or("ClusterIP");
    let is_headless = kind == "ClusterIP" && is_none(spec);
    let is_external_name = kind == "ExternalName";
    if is_headless && judge.minor >= HEADLESS_MINOR {
        for field in ["loadBalancerIP", "externalIPs", "sessionAffinity"] {
            let entry = spec.entry(field).filter(|entry| is_set(&entry.value));
            if let Some(entry) = entry.filter(|entry| entry.value.as_str() != Some("None")) {
                check_without_effect(judge, entry, "a headless Service");
            }
        }
    }
    if let Some(entry) = spec.entry("externalIPs").filter(|entry| is_set(&entry.value)) {
        if is_external_name {
            check_without_effect(judge, entry, "a Service of type `ExternalName`");
        } else if !is_headless && judge.minor >= EXTERNAL_ADDRESSES_MINOR {
            let message = "`externalIPs` of a Service is deprecated";
            let help = "use a Service of type `LoadBalancer`, or a Gateway";
            check_deprecated(judge, entry, message, help);
        }
    }
    if let Some(entry) = spec.entry("externalName").filter(|entry| is_set(&entry.value))
        && !is_external_name
    {
        check_without_effect(judge, entry, &format!("a Service of type `{kind}`"));
    }
    if let Some(node) = spec.get("trafficDistribution")
        && node.as_str() == Some("PreferClose")
        && judge.minor >= PREFER_CLOSE_MINOR
    {
        let message = "`PreferClose` is deprecated";
        let help = "write `PreferSameZone`, which has the same meaning";
        check_deprecated(judge, node, message, help);
    }
    check_addresses(judge, spec);
}

/// Checks for `EndpointSlice` objects of type `FQDN`, which were never used.
pub(super) fn check_endpoint_slice(judge: &mut Judge<'_>) {
    let Some(node) = judge.object.root.get("addressType") else { return };
    if node.as_str() == Some("FQDN") {
        let message = "EndpointSlices of type `FQDN` are deprecated";
        let help = "use addresses of type `IPv4` or `IPv6`";
        check_deprecated(judge, node, message, help);
    }
}

fn check_addresses(judge: &mut Judge<'_>, spec: &Node) {
    if !is_none(spec) {
        // The server copies `clusterIP` into `clusterIPs`.
        if items(spec, "clusterIPs").is_empty() {
            check_address(judge, spec.get("clusterIP"));
        }
        for node in items(spec, "clusterIPs") {
            check_address(judge, Some(node));
        }
    }
    for node in items(spec, "externalIPs") {
        check_address(judge, Some(node));
    }
    check_address(judge, spec.get("loadBalancerIP"));
    for node in items(spec, "loadBalancerSourceRanges") {
        check_block(judge, Some(node));
    }
}

fn is_none(spec: &Node) -> bool {
    spec.str_at(&["clusterIP"]) == Some("None")
}

/// Whether the value is set: not `null`, nor an empty string or list.
fn is_set(node: &Node) -> bool {
    node.as_str().is_some_and(|text| !text.is_empty()) || !node.items().is_empty()
}

fn check_without_effect(judge: &mut Judge<'_>, entry: &Entry, owner: &str) {
    let text = (
        message!("{owner} ignores `{}`", entry.key),
        "ignored",
        message!("remove `{}`, or change the type of the Service", entry.key),
    );
    judge.fault(&FIELD_WITHOUT_EFFECT, entry, text);
}

fn check_deprecated<'n>(
    judge: &mut Judge<'_>,
    spot: impl Into<Spot<'n>>,
    message: impl Into<Message>,
    help: &'static str,
) {
    judge.fault(&FIELD_DEPRECATED, spot, (message, "deprecated", help));
}
