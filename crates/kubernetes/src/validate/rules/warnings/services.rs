//! Services with fields that their type ignores: `GetWarningsForService` of Kubernetes'
//! `pkg/api/service`.

use super::addresses::{check_address, check_block};
use super::{FIELD_DEPRECATED, FIELD_WITHOUT_EFFECT, ObjectJudge, items, text, warn};
use crate::tree::{Entry, Node, Path};

/// The first minor versions that warn about fields ignored by headless Services, about
/// `PreferClose`, and about `externalIPs`.
const HEADLESS_MINOR: u8 = 34;
const PREFER_CLOSE_MINOR: u8 = 35;
const EXTERNAL_ADDRESSES_MINOR: u8 = 36;

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let kind = text(spec, "type").unwrap_or("ClusterIP");
    let is_headless = kind == "ClusterIP" && is_none(spec);
    let is_external_name = kind == "ExternalName";
    if is_headless && judge.minor >= HEADLESS_MINOR {
        for field in ["loadBalancerIP", "externalIPs", "sessionAffinity"] {
            let entry = spec.entry(field).filter(|it| is_set(&it.value));
            if let Some(entry) = entry.filter(|it| it.value.as_str() != Some("None")) {
                without_effect(judge, entry, "a headless Service", path);
            }
        }
    }
    if let Some(entry) = spec.entry("externalIPs").filter(|it| is_set(&it.value)) {
        if is_external_name {
            without_effect(judge, entry, "a Service of type `ExternalName`", path);
        } else if !is_headless && judge.minor >= EXTERNAL_ADDRESSES_MINOR {
            let message = "`externalIPs` of a Service is deprecated";
            let help = "use a Service of type `LoadBalancer`, or a Gateway";
            deprecated(judge, (entry.key_origin.span(), message), help, &path.field("externalIPs"));
        }
    }
    if let Some(entry) = spec.entry("externalName").filter(|it| is_set(&it.value))
        && !is_external_name
    {
        without_effect(judge, entry, &format!("a Service of type `{kind}`"), path);
    }
    if let Some(node) = spec.get("trafficDistribution")
        && node.as_str() == Some("PreferClose")
        && judge.minor >= PREFER_CLOSE_MINOR
    {
        let message = "`PreferClose` is deprecated";
        let help = "write `PreferSameZone`, which has the same meaning";
        deprecated(judge, (node.span(), message), help, &path.field("trafficDistribution"));
    }
    check_addresses(judge, spec, path);
}

/// Checks for `EndpointSlice` objects of type `FQDN`, which were never used.
pub(super) fn check_endpoint_slice(judge: &mut ObjectJudge<'_, '_>) {
    let Some(node) = judge.object.root.get("addressType") else { return };
    if node.as_str() == Some("FQDN") {
        let message = "EndpointSlices of type `FQDN` are deprecated";
        let help = "use addresses of type `IPv4` or `IPv6`";
        let root = Path::root();
        deprecated(judge, (node.span(), message), help, &root.field("addressType"));
    }
}

fn check_addresses(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    if !is_none(spec) {
        // The server copies `clusterIP` into `clusterIPs`.
        if items(spec, "clusterIPs").is_empty() {
            check_address(judge, spec.get("clusterIP"), &path.field("clusterIP"));
        }
        let field = path.field("clusterIPs");
        for (index, node) in items(spec, "clusterIPs").iter().enumerate() {
            check_address(judge, Some(node), &field.index(index));
        }
    }
    let field = path.field("externalIPs");
    for (index, node) in items(spec, "externalIPs").iter().enumerate() {
        check_address(judge, Some(node), &field.index(index));
    }
    check_address(judge, spec.get("loadBalancerIP"), &path.field("loadBalancerIP"));
    let field = path.field("loadBalancerSourceRanges");
    for (index, node) in items(spec, "loadBalancerSourceRanges").iter().enumerate() {
        check_block(judge, Some(node), &field.index(index));
    }
}

fn is_none(spec: &Node) -> bool {
    spec.str_at(&["clusterIP"]) == Some("None")
}

/// Whether the value is set: not `null`, nor an empty string or list.
fn is_set(node: &Node) -> bool {
    node.as_str().is_some_and(|text| !text.is_empty()) || !node.items().is_empty()
}

fn without_effect(judge: &mut ObjectJudge<'_, '_>, entry: &Entry, owner: &str, path: &Path<'_>) {
    warn(
        judge,
        &FIELD_WITHOUT_EFFECT,
        (entry.key_origin.span(), "ignored"),
        format!("{owner} ignores `{}`", entry.key),
        format!("remove `{}`, or change the type of the Service", entry.key),
        &path.field(&entry.key),
    );
}

fn deprecated(
    judge: &mut ObjectJudge<'_, '_>,
    (span, message): (crate::source::Span, &str),
    help: &str,
    path: &Path<'_>,
) {
    warn(judge, &FIELD_DEPRECATED, (span, "deprecated"), message, help, path);
}
