//! IP addresses and CIDR blocks in the older fields (`IsValidIPForLegacyField`,
//! `IsValidCIDRForLegacyField`, `ValidateEndpointIP` of Kubernetes' `pkg/apis/core/validation`).

use super::judge::{Judge, shown};
use super::network_policy::STRICT_CIDR_MINOR;
use crate::diag::{Diagnostic, Message, Safety, declare_rules, message};
use crate::scalar::{Cidr, LaxCidr, lax_ip_address, parse_ip_address};
use crate::tree::Node;
use core::net::IpAddr;

declare_rules! {
    ADDRESS_INVALID = "address-invalid", Error;
    ADDRESS_LAX = "address-lax", Error;
    ADDRESS_SPECIAL = "address-special", Error;
}

/// A string that must be an address or a block, and the minor version whose grammar applies.
#[derive(Clone, Copy)]
pub(super) struct Written<'n> {
    pub(super) node: &'n Node,
    pub(super) text: &'n str,
    pub(super) minor: u8,
}

/// Reports an invalid IP address, or one that newer API servers reject.
pub(super) fn check_address(judge: &mut Judge<'_>, written: Written<'_>) -> Option<IpAddr> {
    let Some(address) = parse_ip_address(written.text) else {
        let help = "write it like `10.9.8.7` or `2001:db8::1`".into();
        report_not_valid(judge, written, "an IP address", help);
        return None;
    };
    report_lax(judge, written, "address", lax_ip_address(written.text));
    Some(address)
}

/// Reports an invalid CIDR block, or one that newer API servers reject.
pub(super) fn check_block(judge: &mut Judge<'_>, written: Written<'_>) {
    if Cidr::parse(written.text).is_none() {
        let help = match parse_ip_address(written.text) {
            Some(IpAddr::V4(one)) => message!("write `{one}/32` for this single address"),
            Some(IpAddr::V6(one)) => message!("write `{one}/128` for this single address"),
            None => "write it like `10.9.8.0/24` or `2001:db8::/64`".into(),
        };
        report_not_valid(judge, written, "a CIDR block", help);
        return;
    }
    report_lax(judge, written, "block", Cidr::lax(written.text));
}

/// Reports an address that other machines cannot reach.
pub(super) fn check_reachable(judge: &mut Judge<'_>, address: IpAddr, node: &Node) {
    let (is_link_local, is_link_multicast) = match address {
        IpAddr::V4(short) => (short.is_link_local(), matches!(short.octets(), [224, 0, 0, _])),
        IpAddr::V6(long) => {
            let [first, second, ..] = long.octets();
            let is_multicast = first == 0xff && second & 0x0f == 0x02;
            (long.is_unicast_link_local(), is_multicast)
        }
    };
    let kind = if address.is_unspecified() {
        "is the unspecified address"
    } else if address.is_loopback() {
        "is a loopback address"
    } else if is_link_local || is_link_multicast {
        "is a link-local address"
    } else {
        return;
    };
    let text = (
        message!("the address `{address}` {kind}"),
        "write an address that other machines can reach",
    );
    judge.refuse(&ADDRESS_SPECIAL, node, text);
}

fn report_not_valid(judge: &mut Judge<'_>, written: Written<'_>, what: &str, help: Message) {
    let message = message!("`{}` is not {what}", shown(written.text));
    let text = (message, message!("must be {what}"), help);
    judge.fault(&ADDRESS_INVALID, (written.node.span(), written.node), text);
}

fn report_lax(
    judge: &mut Judge<'_>,
    written: Written<'_>,
    what: &str,
    lax: Option<(LaxCidr, String)>,
) {
    let Some((lax, repaired)) = lax.filter(|_| written.minor >= STRICT_CIDR_MINOR) else { return };
    let message = message!("the {what} `{}` {}", shown(written.text), lax.describe());
    let finding = Diagnostic::new(&ADDRESS_LAX, written.node.span(), message)
        .at("rejected since Kubernetes 1.36")
        .write_instead(written.node.span(), written.text, &repaired, Safety::Safe);
    judge.report(finding, written.node);
}
