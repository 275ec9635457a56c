//! The rules of a NetworkPolicy, or of a template from which a controller creates one.
//!
//! Follows `ValidateNetworkPolicySpec` of Kubernetes' `pkg/apis/networking/validation`.

mod parts;

use super::judge::{Judge, items, text_of};
use crate::diag::{Diagnostic, Safety, declare_rules, message};
use crate::kube::{Direction, PolicyRules};
use crate::scalar::{Cidr, check_port_name};
use crate::tree::Node;

declare_rules! {
    IP_BLOCK_WITH_SELECTOR = "ip-block-with-selector", Error;
    NETWORK_POLICY_PEER_EMPTY = "network-policy-peer-empty", Error, follows = [Misplaced];
    IP_BLOCK_CIDR_INVALID = "ip-block-cidr-invalid", Error;
    IP_BLOCK_CIDR_LAX = "ip-block-cidr-lax", Error;
    IP_BLOCK_EXCEPT_OUTSIDE = "ip-block-except-outside", Error;
    NETWORK_POLICY_PORT_INVALID = "network-policy-port-invalid", Error;
    END_PORT_INVALID = "end-port-invalid", Error;
    POLICY_TYPES_INVALID = "policy-types-invalid", Error;
    POLICY_TYPES_LEAVE_OUT_RULES = "policy-types-leave-out-rules", Warning;
}

/// The first minor version that rejects nonstandard addresses (`StrictIPCIDRValidation`).
pub(super) const STRICT_CIDR_MINOR: u8 = 36;

/// Checks the rules of a NetworkPolicy, or of a template of one.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(rules) = PolicyRules::of(judge.object) else { return };
    parts::check(judge, rules.node);
    for direction in Direction::ALL {
        for rule in items(rules.node, direction.field()) {
            for port in items(rule, "ports") {
                check_port(judge, port);
            }
            for peer in items(rule, direction.peers()) {
                check_peer(judge, peer);
            }
        }
    }
}

fn check_peer(judge: &mut Judge<'_>, peer: &Node) {
    let selector = peer.entry("podSelector").or_else(|| peer.entry("namespaceSelector"));
    match (peer.entry("ipBlock"), selector) {
        (None, None) => {
            let text = (
                "NetworkPolicy peer selects nothing",
                "neither `ipBlock` nor a selector",
                "write `podSelector: {}` for all Pods in the namespace, or remove the list of peers to allow all traffic",
            );
            judge.fault(&NETWORK_POLICY_PEER_EMPTY, peer, text);
        }
        (Some(block), Some(selector)) => {
            let message = message!("NetworkPolicy peer has both `ipBlock` and `{}`", selector.key);
            let finding =
                Diagnostic::new(&IP_BLOCK_WITH_SELECTOR, block.key_origin().span(), message)
                    .at("selects addresses")
                    .label(selector.key_origin().span(), "selects Pods")
                    .help("split it into two peers: traffic that matches either is allowed");
            judge.report(finding, peer);
        }
        _ => {}
    }
    if let Some(block) = peer.get("ipBlock") {
        check_block(judge, block);
    }
}

fn check_block(judge: &mut Judge<'_>, block: &Node) {
    let Some(node) = block.get("cidr") else { return };
    let Some(whole) = check_cidr(judge, node) else { return };
    for except in items(block, "except") {
        let Some(part) = check_cidr(judge, except) else { continue };
        if !whole.admits_except(part) {
            let (text, outer) = (text(except), text(node));
            let message = message!("`except` block `{text}` is not a proper subset of `{outer}`");
            let texts = (
                message,
                "must be inside `cidr`",
                "write a smaller block inside `cidr`, or remove it",
            );
            judge.conflict(&IP_BLOCK_EXCEPT_OUTSIDE, except, texts, (node, "the enclosing block"));
        }
    }
}

fn check_cidr(judge: &mut Judge<'_>, node: &Node) -> Option<Cidr> {
    let text = node.as_str()?;
    let Some(cidr) = Cidr::parse(text) else {
        let message = message!("`{text}` is not a valid CIDR block");
        let is_address = text.parse::<core::net::IpAddr>().ok();
        let mut finding = Diagnostic::new(&IP_BLOCK_CIDR_INVALID, node.span(), message)
            .at("must be `<address>/<prefix length>`");
        finding = match is_address {
            Some(address) => {
                let whole = format!("{text}/{}", if address.is_ipv4() { 32 } else { 128 });
                finding.help(message!("write `{whole}` for this single address"))
            }
            None if text.contains(' ') => {
                finding.help("write each block as an item of its own: `- 10.9.8.0/24`")
            }
            None => finding.help("write it like `10.9.8.0/24` or `2001:db8::/64`"),
        };
        judge.report(finding, node);
        return None;
    };
    if let Some((lax, repaired)) = Cidr::lax(text).filter(|_| judge.minor >= STRICT_CIDR_MINOR) {
        let message = message!("CIDR block `{text}` {}", lax.describe());
        let finding = Diagnostic::new(&IP_BLOCK_CIDR_LAX, node.span(), message)
            .at("rejected since Kubernetes 1.36")
            .write_instead(node.span(), text, &repaired, Safety::Safe);
        judge.report(finding, node);
    }
    Some(cidr)
}

fn check_port(judge: &mut Judge<'_>, port: &Node) {
    let number = port.get("port");
    if let Some(node) = number {
        let fault = match (node.as_i64(), node.as_str()) {
            (Some(1..=65535), _) | (None, None) => None,
            (Some(other), _) => Some(message!("port {other} is outside 1-65535")),
            (None, Some(name)) => {
                check_port_name(name).err().map(|fault| message!("port name `{name}` {fault}"))
            }
        };
        if let Some(message) = fault {
            let finding = Diagnostic::new(&NETWORK_POLICY_PORT_INVALID, node.span(), message)
                .at("not a port number or port name")
                .help("write a number, or the name of a container port");
            judge.report(finding, node);
        }
    }
    if let Some(end) = port.get("endPort") {
        check_end_port(judge, number, end);
    }
}

fn check_end_port(judge: &mut Judge<'_>, port: Option<&Node>, end: &Node) {
    let Some(last) = end.as_i64() else { return };
    let (message, help) = match port.map(|node| (node.as_i64(), node.as_str())) {
        None => {
            ("`endPort` is set without `port`".into(), "set `port` to the first port of the range")
        }
        Some((None, Some(name))) => (
            message!("`endPort` is set together with the named port `{name}`"),
            "write `port` as a number: a range requires numbers",
        ),
        Some((Some(first), _)) if last < first => (
            message!("`endPort` {last} is below `port` {first}"),
            "set `port` to the smaller number",
        ),
        Some((Some(_), _)) if !(1..=65535).contains(&last) => {
            (message!("`endPort` {last} is outside 1-65535"), "write a number between 1 and 65535")
        }
        Some(_) => return,
    };
    let mut finding = Diagnostic::new(&END_PORT_INVALID, end.span(), message)
        .at("invalid end of the range")
        .help(help);
    if let Some(port) = port {
        let text = if port.as_str().is_some() { "not a number" } else { "the range begins here" };
        finding = finding.label(port.span(), text);
    }
    judge.report(finding, end);
}

fn text(node: &Node) -> &str {
    text_of(node)
}
