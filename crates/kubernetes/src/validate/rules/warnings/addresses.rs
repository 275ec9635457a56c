//! IP addresses and blocks that are not in canonical form: `GetWarningsForIP` and
//! `GetWarningsForCIDR` of Kubernetes' apimachinery.

use super::super::network_policy::STRICT_CIDR_MINOR;
use super::{ADDRESS_NOT_CANONICAL, Judging, ObjectJudge, items, shown};
use crate::diag::{Diagnostic, Safety};
use crate::scalar::{Cidr, canonical_ip_address, lax_ip_address};
use crate::tree::{Node, Path};

/// Checks one address.
pub(super) fn check_address(judge: &mut ObjectJudge<'_, '_>, node: Option<&Node>, path: &Path<'_>) {
    let Some(node) = node else { return };
    let Some(text) = node.as_str() else { return };
    if let Some((lax, instead)) = lax_ip_address(text) {
        report(judge, node, ("address", lax.describe()), &instead, path);
    } else if let Some(instead) = canonical_ip_address(text) {
        report(judge, node, ("address", "is not in its shortest form"), &instead, path);
    }
}

/// Checks one CIDR block.
pub(super) fn check_block(judge: &mut ObjectJudge<'_, '_>, node: Option<&Node>, path: &Path<'_>) {
    let Some(node) = node else { return };
    let Some(text) = node.as_str() else { return };
    if let Some((lax, instead)) = Cidr::lax(text) {
        report(judge, node, ("block", lax.describe()), &instead, path);
    } else if let Some(instead) = Cidr::canonical(text) {
        report(judge, node, ("block", "is not in its shortest form"), &instead, path);
    }
}

fn report(
    judge: &mut ObjectJudge<'_, '_>,
    node: &Node,
    (what, fault): (&str, &str),
    instead: &str,
    path: &Path<'_>,
) {
    let is_short = fault.starts_with("is not in");
    // Since this version a nonstandard address is an error, which another rule reports.
    if !is_short && judge.minor >= STRICT_CIDR_MINOR {
        return;
    }
    let text = node.as_str().unwrap_or_default();
    let message = format!("{what} `{}` {fault}", shown(text));
    let finding = Diagnostic::new(&ADDRESS_NOT_CANONICAL, node.span(), message);
    let finding = if is_short {
        finding.at("other programs compare it as a string")
    } else {
        finding.at("programs read it differently").note("Kubernetes 1.36 rejects it")
    };
    let instead = instead.to_string();
    judge.report(finding.write_instead(node.span(), text, &instead, Safety::Unsafe), path);
}

pub(super) fn check_pod(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    if let Some(dns) = spec.get("dnsConfig") {
        let path = path.field("dnsConfig");
        let field = path.field("nameservers");
        for (index, node) in items(dns, "nameservers").iter().enumerate() {
            check_address(judge, Some(node), &field.index(index));
        }
    }
    let field = path.field("hostAliases");
    for (index, alias) in items(spec, "hostAliases").iter().enumerate() {
        check_address(judge, alias.get("ip"), &field.index(index).field("ip"));
    }
}

pub(super) fn check_node(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("podCIDRs");
    for (index, node) in items(spec, "podCIDRs").iter().enumerate() {
        check_block(judge, Some(node), &field.index(index));
    }
}

pub(super) fn check_policy(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        let field = path.field(direction);
        for (index, rule) in items(spec, direction).iter().enumerate() {
            let path = field.index(index);
            let field = path.field(peers);
            for (index, peer) in items(rule, peers).iter().enumerate() {
                let Some(block) = peer.get("ipBlock") else { continue };
                let path = field.index(index);
                let path = path.field("ipBlock");
                check_block(judge, block.get("cidr"), &path.field("cidr"));
                let field = path.field("except");
                for (index, except) in items(block, "except").iter().enumerate() {
                    check_block(judge, Some(except), &field.index(index));
                }
            }
        }
    }
}

pub(super) fn check_endpoints(judge: &mut ObjectJudge<'_, '_>) {
    let root = Path::root();
    let field = root.field("subsets");
    for (index, subset) in items(&judge.object.root, "subsets").iter().enumerate() {
        let path = field.index(index);
        for list in ["addresses", "notReadyAddresses"] {
            let field = path.field(list);
            for (index, address) in items(subset, list).iter().enumerate() {
                check_address(judge, address.get("ip"), &field.index(index).field("ip"));
            }
        }
    }
}
