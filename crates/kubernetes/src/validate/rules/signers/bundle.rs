//! The certificates of a trust bundle. Their signatures are not verified.

use super::der::is_certificate;
use super::pem::{Block, blocks};
use crate::sorted::SortedSet;

/// The maximum size of a bundle, in bytes.
const LARGEST: usize = 1024 * 1024;
/// The identifier of the extension `basicConstraints` in DER.
const CONSTRAINTS: [u8; 5] = [0x06, 0x03, 0x55, 0x1d, 0x13];
/// The boolean `true` in DER.
const TRUE: [u8; 3] = [0x01, 0x01, 0xff];

/// Why the API server rejects a bundle. Text around the certificates is allowed.
pub(super) fn fault(text: &str) -> Option<&'static str> {
    if text.len() > LARGEST {
        return Some("is larger than 1 MiB");
    }
    let mut known = SortedSet::new();
    let mut is_repeated = false;
    for Block { label, has_headers, contents } in blocks(text) {
        if label != "CERTIFICATE" {
            return Some("has a PEM block that is not a certificate");
        }
        if has_headers {
            return Some("has a PEM block with headers");
        }
        if !is_certificate(&contents) {
            return Some("has a PEM block that is not an X.509 certificate");
        }
        if !is_authority(&contents) {
            return Some("has a certificate that is not one of an authority");
        }
        is_repeated |= !known.insert(contents);
    }
    match (known.is_empty(), is_repeated) {
        (true, _) => Some("has no certificate"),
        (_, true) => Some("has the same certificate more than once"),
        _ => None,
    }
}

/// Whether the basic constraints of a certificate say that it is one of an authority.
fn is_authority(certificate: &[u8]) -> bool {
    let mut windows = certificate.windows(CONSTRAINTS.len());
    let Some(at) = windows.position(|window| window == CONSTRAINTS) else { return false };
    let Some(rest) = certificate.get(at + CONSTRAINTS.len()..) else { return false };
    // The tags and lengths of a string of bytes and of the sequence in it.
    matches!(rest.strip_prefix(&TRUE).unwrap_or(rest), [0x04, _, 0x30, _, inner @ ..] if inner.starts_with(&TRUE))
}
