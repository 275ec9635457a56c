//! Memory limits in Docker's notation, as the server converts them for Kubernetes.
//!
//! Docker's `512m` means mebibytes; for Kubernetes `m` means thousandths, so the string cannot be passed on.

use crate::scalar::is_digits;

const UNITS: [(char, u32, &str); 3] = [('k', 10, "Ki"), ('m', 20, "Mi"), ('g', 30, "Gi")];

/// The minimum that container runtimes accept for a limit is a few mebibytes.
pub(super) const MINIMUM_BYTES: u64 = 4 << 20;

/// A valid memory limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    /// The Kubernetes quantity: `1536Mi`.
    pub(super) quantity: String,
    /// The limit in bytes.
    pub(super) bytes: u64,
}

/// The fault of a memory limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MemoryFault {
    /// Not Docker's notation.
    Invalid,
    /// `2i`: the server reads it as two bytes.
    UnitMissing,
    /// A fraction that the server rounds down; with the rounded limit in Docker's notation.
    Fraction(String),
    /// Less than [`MINIMUM_BYTES`], possibly zero.
    TooSmall,
    /// More than 8 EiB.
    TooLarge,
}

impl Memory {
    /// Parses `2g`, `512m`, `1.5g`, `1048576`, `2Gi`. Case and surrounding whitespace are ignored.
    pub(super) fn parse(text: &str) -> Result<Self, MemoryFault> {
        let lower = text.trim().to_ascii_lowercase();
        let (amount, has_i) = match lower.strip_suffix('i') {
            Some(rest) => (rest, true),
            None => (lower.as_str(), false),
        };
        let unit = UNITS
            .iter()
            .find_map(|(letter, shift, name)| Some((amount.strip_suffix(*letter)?, *shift, *name)));
        let (number, shift, name) = unit.unwrap_or((amount, 0, ""));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        if !is_digits(whole) || !is_digits(fraction) {
            return Err(MemoryFault::Invalid);
        }
        if unit.is_none() && has_i {
            return Err(MemoryFault::UnitMissing);
        }
        let whole: u64 = whole.parse().map_err(|_| MemoryFault::TooLarge)?;
        Self::of(whole, fraction.trim_end_matches('0'), shift, name)
    }

    fn of(whole: u64, fraction: &str, shift: u32, name: &str) -> Result<Self, MemoryFault> {
        let bytes = whole.checked_mul(1 << shift).filter(|bytes| i64::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or(MemoryFault::TooLarge)?;
        let (quantity, bytes, is_exact) = if fraction.is_empty() {
            (format!("{whole}{name}"), bytes, true)
        } else {
            // The server writes a fraction in the next smaller unit, if there is one.
            let smaller = UNITS.iter().rev().find(|(_, other, _)| *other < shift && shift > 10);
            let (_, smaller_shift, smaller_name) = smaller.copied().unwrap_or(('k', shift, name));
            let (parts, is_exact) = scale_fraction(fraction, 1 << (shift - smaller_shift));
            let amount = (bytes >> smaller_shift) + parts;
            (format!("{amount}{smaller_name}"), amount << smaller_shift, is_exact)
        };
        if bytes < MINIMUM_BYTES {
            return Err(MemoryFault::TooSmall);
        }
        if !is_exact {
            return Err(MemoryFault::Fraction(quantity.trim_end_matches('i').to_ascii_lowercase()));
        }
        Ok(Self { quantity, bytes })
    }
}

/// `0.fraction` times `factor`, a power of two of at most 1024: the integral part, and whether it
/// is exact.
fn scale_fraction(fraction: &str, factor: u64) -> (u64, bool) {
    // Long multiplication starting at the last digit: the carry never exceeds the factor.
    let (mut carry, mut is_exact) = (0, true);
    for digit in fraction.bytes().rev() {
        let product = u64::from(digit.saturating_sub(b'0')) * factor + carry;
        is_exact = is_exact && product.is_multiple_of(10);
        carry = product / 10;
    }
    (carry, is_exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from the server's `to_k8s_quantity`.
    #[test]
    fn writes_what_the_server_writes() {
        let recorded = [
            ("2g", "2Gi"),
            ("2G", "2Gi"),
            ("2gi", "2Gi"),
            ("2Gi", "2Gi"),
            (" 2g ", "2Gi"),
            ("02g", "2Gi"),
            ("1.0g", "1Gi"),
            ("512m", "512Mi"),
            ("512Mi", "512Mi"),
            ("64M", "64Mi"),
            ("8192k", "8192Ki"),
            ("1048576000", "1048576000"),
            ("1048576000.0", "1048576000"),
            ("1.5g", "1536Mi"),
            ("0.25g", "256Mi"),
            ("4.5m", "4608Ki"),
            ("1.0009765625g", "1025Mi"),
        ];
        for (text, quantity) in recorded {
            let memory = Memory::parse(text).expect(text);
            assert_eq!(memory.quantity, quantity, "{text}");
            let read = crate::scalar::Quantity::parse(quantity).expect("a quantity");
            assert_eq!(read.billionths(), i128::from(memory.bytes) * 1_000_000_000, "{text}");
        }
    }

    #[test]
    fn rejects_what_the_server_rejects_or_rounds() {
        let invalid = [
            "2gb", "2b", "2t", "1e3", ".5g", "5.", "-1g", "2 g", "1_000", "", "i", "g", "2gg",
            "2ig", "1.2.3g", "٢g", "+1g",
        ];
        for text in invalid {
            assert_eq!(Memory::parse(text), Err(MemoryFault::Invalid), "{text}");
        }
        let rounded = [("3.3g", "3379m"), ("1.0001g", "1024m"), ("5120.5k", "5120k")];
        for (text, meant) in rounded {
            assert_eq!(Memory::parse(text), Err(MemoryFault::Fraction(meant.into())), "{text}");
            assert!(Memory::parse(meant).is_ok());
        }
        for text in ["0", "0g", "0.0001g", "0.5k", "1024k", "4095k", "3.9m", "1048576"] {
            assert_eq!(Memory::parse(text), Err(MemoryFault::TooSmall), "{text}");
        }
        for text in ["9999999999999999g", "8589934592g", "99999999999999999999"] {
            assert_eq!(Memory::parse(text), Err(MemoryFault::TooLarge), "{text}");
        }
        for text in ["2i", "67108864i", "1.5i"] {
            assert_eq!(Memory::parse(text), Err(MemoryFault::UnitMissing), "{text}");
        }
    }
}
