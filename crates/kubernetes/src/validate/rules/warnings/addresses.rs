//! IP addresses and blocks that are not in canonical form: `GetWarningsForIP` and
//! `GetWarningsForCIDR` of Kubernetes' apimachinery.

use super::super::network_policy::STRICT_CIDR_MINOR;
use super::{ADDRESS_NOT_CANONICAL, items, shown};
use crate::diag::{Diagnostic, Safety, message};
use crate::scalar::{Cidr, canonical_ip_address, lax_ip_address};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, text_of};

/// Checks one address.
pub(super) fn check_address(judge: &mut Judge<'_>, node: Option<&Node>) {
    let Some(node) = node else { return };
    let Some(text) = node.as_str() else { return };
    if let Some((lax, instead)) = lax_ip_address(text) {
        report(judge, node, ("address", lax.describe()), &instead);
    } else if let Some(instead) = canonical_ip_address(text) {
        report(judge, node, ("address", "is not in its shortest form"), &instead);
    }
}

/// Checks one CIDR block.
pub(super) fn check_block(judge: &mut Judge<'_>, node: Option<&Node>) {
    let Some(node) = node else { return };
    let Some(text) = node.as_str() else { return };
    if let Some((lax, instead)) = Cidr::lax(text) {
        report(judge, node, ("block", lax.describe()), &instead);
    } else if let Some(instead) = Cidr::canonical(text) {
        report(judge, node, ("block", "is not in its shortest form"), &instead);
    }
}

fn report(judge: &mut Judge<'_>, node: &Node, (what, fault): (&str, &str), instead: &str) {
    let is_short = fault.starts_with("is not in");
    // Since this version a nonstandard address is an error, which another rule reports.
    if !is_short && judge.minor >= STRICT_CIDR_MINOR {
        return;
    }
    let text = text_of(node);
    let message = message!("{what} `{}` {fault}", shown(text));
    let finding = Diagnostic::new(&ADDRESS_NOT_CANONICAL, node.span(), message);
    let finding = if is_short {
        finding.at("other programs compare it as a string")
    } else {
        finding.at("programs read it differently").note("Kubernetes 1.36 rejects it")
    };
    let instead = instead.to_string();
    judge.report(finding.write_instead(node.span(), text, &instead, Safety::Unsafe), node);
}

pub(super) fn check_pod(judge: &mut Judge<'_>, spec: &Node) {
    if let Some(dns) = spec.get("dnsConfig") {
        for node in items(dns, "nameservers") {
            check_address(judge, Some(node));
        }
    }
    for alias in items(spec, "hostAliases") {
        check_address(judge, alias.get("ip"));
    }
}

pub(super) fn check_node(judge: &mut Judge<'_>, spec: &Node) {
    for node in items(spec, "podCIDRs") {
        check_block(judge, Some(node));
    }
}

pub(super) fn check_policy(judge: &mut Judge<'_>, spec: &Node) {
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        for rule in items(spec, direction) {
            for peer in items(rule, peers) {
                let Some(block) = peer.get("ipBlock") else { continue };
                check_block(judge, block.get("cidr"));
                for except in items(block, "except") {
                    check_block(judge, Some(except));
                }
            }
        }
    }
}

pub(super) fn check_endpoints(judge: &mut Judge<'_>) {
    for subset in items(&judge.object.root, "subsets") {
        for list in ["addresses", "notReadyAddresses"] {
            for address in items(subset, list) {
                check_address(judge, address.get("ip"));
            }
        }
    }
}
