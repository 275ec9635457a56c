//! IP addresses and CIDR blocks in the older fields (`IsValidIPForLegacyField`,
//! `IsValidCIDRForLegacyField`, `ValidateEndpointIP` of Kubernetes' `pkg/apis/core/validation`).

use super::judging::{Judging, shown};
use super::network_policy::STRICT_CIDR_MINOR;
use crate::diag::{Diagnostic, Safety, declare_rules};
use crate::scalar::{Cidr, LaxCidr, lax_ip_address, parse_ip_address};
use crate::source::Span;
use crate::tree::Path;
use core::net::IpAddr;

declare_rules! {
    ADDRESS_INVALID = "address-invalid", Error;
    ADDRESS_LAX = "address-lax", Error;
    ADDRESS_SPECIAL = "address-special", Error;
}

/// A string that must be an address or a block, with its path and the reporter.
#[derive(Clone, Copy)]
pub(super) struct Written<'n> {
    pub(super) text: &'n str,
    pub(super) span: Span,
    pub(super) minor: u8,
}

/// Reports an invalid IP address, or one that newer API servers reject.
pub(super) fn check_address(
    judge: &mut impl Judging,
    written: Written<'_>,
    path: &Path<'_>,
) -> Option<IpAddr> {
    let Some(address) = parse_ip_address(written.text) else {
        let help = "write it like `10.9.8.7` or `2001:db8::1`".to_owned();
        not_valid(judge, written, "an IP address", help, path);
        return None;
    };
    lax(judge, written, "address", lax_ip_address(written.text), path);
    Some(address)
}

/// Reports an invalid CIDR block, or one that newer API servers reject.
pub(super) fn check_block(judge: &mut impl Judging, written: Written<'_>, path: &Path<'_>) {
    if Cidr::parse(written.text).is_none() {
        let help = match parse_ip_address(written.text) {
            Some(IpAddr::V4(one)) => format!("write `{one}/32` for this single address"),
            Some(IpAddr::V6(one)) => format!("write `{one}/128` for this single address"),
            None => "write it like `10.9.8.0/24` or `2001:db8::/64`".to_owned(),
        };
        not_valid(judge, written, "a CIDR block", help, path);
        return;
    }
    lax(judge, written, "block", Cidr::lax(written.text), path);
}

/// Reports an address that other machines cannot reach.
pub(super) fn check_reachable(
    judge: &mut impl Judging,
    address: IpAddr,
    span: Span,
    path: &Path<'_>,
) {
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
        format!("the address `{address}` {kind}"),
        "write an address that other machines can reach",
    );
    judge.refuse(&ADDRESS_SPECIAL, span, text, path);
}

fn not_valid(
    judge: &mut impl Judging,
    written: Written<'_>,
    what: &str,
    help: String,
    path: &Path<'_>,
) {
    let message = format!("`{}` is not {what}", shown(written.text));
    let finding = Diagnostic::new(&ADDRESS_INVALID, written.span, message)
        .at(format!("must be {what}"))
        .help(help);
    judge.report(finding, path);
}

fn lax(
    judge: &mut impl Judging,
    written: Written<'_>,
    what: &str,
    lax: Option<(LaxCidr, String)>,
    path: &Path<'_>,
) {
    let Some((lax, repaired)) = lax.filter(|_| written.minor >= STRICT_CIDR_MINOR) else { return };
    let message = format!("the {what} `{}` {}", shown(written.text), lax.describe());
    let finding = Diagnostic::new(&ADDRESS_LAX, written.span, message)
        .at("rejected since Kubernetes 1.36")
        .write_instead(written.span, written.text, &repaired, Safety::Safe);
    judge.report(finding, path);
}
