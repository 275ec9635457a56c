//! `Quantity`: an amount of a resource, parsed and printed as Kubernetes does (apimachinery,
//! `api/resource/quantity.go`).

use std::fmt;

use super::is_same;

/// A quantity, exact to a billionth.
///
/// Quantities beyond ±1.7e29, which no resource has, are clamped.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    billionths: i128,
    notation: Notation,
}

/// The notation of a quantity, which is kept for printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    /// `500m`, `2k`.
    Decimal,
    /// `1Gi`.
    Binary,
    /// `1e3`.
    Exponent,
}

/// The fault of a quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantityFault<'t> {
    /// The string is empty.
    Empty,
    /// A unit without digits before it, where Kubernetes requires some: `Pi`, `Ei`, `e-12`.
    NoDigits(&'t str),
    /// Something after the digits that is not a unit: all from there on.
    Unit(&'t str),
}

/// A quantity that is split at its unit.
struct Parts<'t> {
    is_negative: bool,
    integer: &'t str,
    fraction: &'t str,
    /// The power of ten of the unit.
    exponent: i64,
    /// The power of two of the unit.
    shift: u32,
    notation: Notation,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Result<Self, QuantityFault<'t>> {
        let text = text.trim();
        if text.is_empty() {
            return Err(QuantityFault::Empty);
        }
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (integer, rest) = split_digits(unsigned);
        let (fraction, unit) = rest.strip_prefix('.').map_or(("", rest), split_digits);
        let (exponent, shift, notation) = read_unit(unit).ok_or(QuantityFault::Unit(unit))?;
        // Up to `Ti`, and down to `e-9`, Kubernetes reads a unit alone as 0.
        if integer.is_empty() && fraction.is_empty() && (shift > 40 || exponent < -9) {
            return Err(QuantityFault::NoDigits(unit));
        }
        let integer = integer.trim_start_matches('0');
        Ok(Self { is_negative, integer, fraction, exponent, shift, notation })
    }

    /// The power of ten of the last digit.
    fn scale(&self) -> i64 {
        self.exponent.saturating_sub(i64::try_from(self.fraction.len()).unwrap_or(i64::MAX))
    }

    fn quantity(&self) -> Quantity {
        let digits = self.integer.bytes().chain(self.fraction.bytes());
        let magnitude = billionths(digits, self.scale(), self.shift);
        let is_binary = self.notation == Notation::Binary;
        let magnitude = if is_binary { magnitude.min(LARGEST_BINARY) } else { magnitude };
        let notation =
            if is_binary && magnitude < BILLION { Notation::Decimal } else { self.notation };
        Quantity { billionths: if self.is_negative { -magnitude } else { magnitude }, notation }
    }

    /// Whether Kubernetes keeps the string. `ParseQuantity` does that for numbers that fit into its
    /// fast path if the canonical form has, roughly, the same digits.
    fn is_kept(&self) -> bool {
        let Self { integer, fraction, .. } = self;
        let count = integer.len().saturating_add(fraction.len());
        if self.notation == Notation::Binary {
            // An odd multiple of 8 or less is not a multiple of the next unit.
            let value: u64 = integer.parse().unwrap_or(0);
            let places = count.saturating_add(self.shift as usize * 3 / 10);
            return fraction.is_empty() && places <= 14 && !value.is_multiple_of(8);
        }
        let zeros = fraction.bytes().rev().chain(integer.bytes().rev()).take(3);
        let ends_in_thousands = count >= 3 && zeros.eq(*b"000");
        let scale = self.scale();
        !integer.is_empty() && count <= 18 && scale >= -9 && scale % 3 == 0 && !ends_in_thousands
    }
}

const BILLION: i128 = 1_000_000_000;
const LARGEST_BINARY: i128 = (i64::MAX as i128) * BILLION;
const DECIMAL_UNITS: &[(&str, i64)] = &[
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];
const BINARY_UNITS: &[(&str, u32)] =
    &[("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

impl Quantity {
    /// The valid units, for messages.
    pub const UNITS: &'static str =
        "`n`, `u`, `m`, `k`, `M`, `G`, `T`, `P`, `E`, `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`";

    /// Parses a quantity. Surrounding whitespace is ignored; digits can be missing, as in
    /// Kubernetes.
    pub fn parse(text: &str) -> Result<Self, QuantityFault<'_>> {
        Parts::of(text).map(|it| it.quantity())
    }

    /// The string that Kubernetes sends for a quantity that it has read: the same string if that is
    /// nearly canonical (`+1`, `1E3`), the canonical form otherwise. A clamped quantity is not
    /// changed.
    pub fn sent(text: &str) -> Result<String, QuantityFault<'_>> {
        let parts = Parts::of(text)?;
        let quantity = parts.quantity();
        let is_kept = parts.is_kept() || quantity.billionths.abs() == i128::MAX;
        Ok(if is_kept { text.trim().to_owned() } else { quantity.to_string() })
    }

    /// The probable repair of an invalid quantity: `1GB` for `1G`, `0.5 cpu` for `0.5`.
    pub fn nearest(text: &str) -> Option<String> {
        let text = text.trim().trim_end_matches([',', ';']);
        // `0,5` has a decimal comma; `1,024` may be a thousand.
        if let Some((whole, rest)) = text.split_once(',') {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let is_decimal = digits != 0 && digits != 3 && !rest.contains(',');
            return is_decimal.then(|| format!("{whole}.{rest}")).and_then(|text| {
                Self::parse(&text).is_ok().then(|| text.clone()).or_else(|| Self::nearest(&text))
            });
        }
        let at = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))?;
        let (number, unit) = text.split_at_checked(at)?;
        let digits = number.trim_start_matches(['+', '-']);
        if !digits.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut letters: Vec<_> = unit.trim().to_ascii_lowercase().chars().collect();
        // A letter that is typed twice.
        letters.dedup();
        let word: String = letters.into_iter().collect();
        let word =
            word.strip_suffix("bytes").or_else(|| word.strip_suffix("byte")).unwrap_or(&word);
        let unit = match word.trim_end_matches('b') {
            "" | "c" | "cpu" | "cpus" | "core" | "cores" => "",
            "k" => "k",
            "ki" | "ik" => "Ki",
            "m" if unit.trim_start().starts_with("mC") || word == "m" => "m",
            "mc" | "mcpu" | "millicpu" | "millicores" => "m",
            "m" => "M",
            "mi" | "im" => "Mi",
            "g" => "G",
            "gi" | "ig" => "Gi",
            "t" => "T",
            "ti" | "it" => "Ti",
            "p" => "P",
            "pi" => "Pi",
            "e" => "E",
            "ei" => "Ei",
            _ => return None,
        };
        let meant = format!("{number}{unit}");
        Self::parse(&meant).is_ok().then_some(meant)
    }

    /// As [`nearest`](Self::nearest), for `cpu`: `100mi` for `100m`, which is not an amount of bytes.
    pub fn nearest_cpu(text: &str) -> Option<String> {
        let number = text.trim().to_ascii_lowercase();
        let number = number.strip_suffix("mi")?.trim_end();
        let is_whole = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        is_whole.then(|| format!("{number}m"))
    }

    /// An amount in thousandths, to be shown as one would write it: `1100m`, `2Gi`.
    pub const fn from_thousandths(thousandths: i128) -> Self {
        let notation = if thousandths % 1_024_000 == 0 && thousandths != 0 {
            Notation::Binary
        } else {
            Notation::Decimal
        };
        Self { billionths: thousandths.saturating_mul(1_000_000), notation }
    }

    /// Adds an amount in billionths, which can be negative.
    #[must_use]
    pub const fn plus(self, billionths: i128) -> Self {
        Self { billionths: self.billionths.saturating_add(billionths), ..self }
    }

    /// The amount in billionths.
    pub const fn billionths(self) -> i128 {
        self.billionths
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.billionths == other.billionths
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.billionths.cmp(&other.billionths)
    }
}

/// The canonical form: no fraction, the largest unit that allows it.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.billionths == 0 {
            return f.write_str("0");
        }
        // Small and fractional quantities are always printed in decimal notation.
        if self.notation == Notation::Binary
            && self.billionths.abs() >= 1024 * BILLION
            && self.billionths % BILLION == 0
        {
            let mut amount = self.billionths / BILLION;
            let mut unit = "";
            for (larger, _) in BINARY_UNITS {
                if amount % 1024 != 0 {
                    break;
                }
                amount /= 1024;
                unit = larger;
            }
            return write!(f, "{amount}{unit}");
        }
        let mut amount = self.billionths;
        let mut exponent = -9_i64;
        while amount % 1000 == 0 && (exponent < 18 || self.notation == Notation::Exponent) {
            amount /= 1000;
            exponent += 3;
        }
        match self.notation {
            Notation::Exponent if exponent == 0 => write!(f, "{amount}"),
            Notation::Exponent => write!(f, "{amount}e{exponent}"),
            _ => {
                let unit = DECIMAL_UNITS.iter().find(|(_, power)| *power == exponent);
                write!(f, "{amount}{}", unit.map_or("", |(name, _)| name))
            }
        }
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// The power of ten, the power of two and the notation of a unit.
fn read_unit(unit: &str) -> Option<(i64, u32, Notation)> {
    if let Some((_, power)) = DECIMAL_UNITS.iter().find(|(name, _)| is_same(name, unit)) {
        return Some((*power, 0, Notation::Decimal));
    }
    if let Some((_, shift)) = BINARY_UNITS.iter().find(|(name, _)| is_same(name, unit)) {
        return Some((0, *shift, Notation::Binary));
    }
    let exponent = unit.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some((exponent, 0, Notation::Exponent))
}

/// `digits` × 10^`scale` × 2^`shift` in billionths, rounded up, saturating.
fn billionths(digits: impl Iterator<Item = u8>, scale: i64, shift: u32) -> i128 {
    let mut value: i128 = 0;
    let mut scale = scale;
    let mut is_rounded = false;
    // Digits that exceed an i128 only affect rounding.
    for digit in digits {
        let digit = i128::from(digit.saturating_sub(b'0'));
        if value < i128::MAX / 100 {
            value = value * 10 + digit;
        } else {
            scale = scale.saturating_add(1);
            is_rounded = is_rounded || digit != 0;
        }
    }
    if shift > 0 {
        value = value.saturating_mul(1 << shift.min(100));
    }
    let mut power = scale.saturating_add(9);
    while power > 0 && value != 0 && value != i128::MAX {
        let step = power.min(18);
        value = value.saturating_mul(i128::from(10_u64.pow(u32::try_from(step).unwrap_or(18))));
        power -= step;
    }
    while power < 0 && value > 0 {
        is_rounded = is_rounded || value % 10 != 0;
        value /= 10;
        power += 1;
    }
    if is_rounded { value.saturating_add(1) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepted and rejected as `ParseQuantity` does.
    #[test]
    fn accepts_what_kubernetes_accepts() {
        for text in [
            "0", ".", "+", "-", "m", "Ki", "-m", ".5", "5.", "1.5Gi", "0100m", "+1", "1E", "1e3",
            "1E-2", "1e+3", " 1Gi ",
        ] {
            assert!(Quantity::parse(text).is_ok(), "{text}");
        }
        for text in [
            "", "1K", "1mi", "1Mi5", "1m+5", "1ee3", "1e", "1MB", "1gi", "1 Gi", "1,5", "0x10",
            "1_000", "500mb", "1Gib", "1.2.3", "--1", "e", "1g",
        ] {
            assert!(Quantity::parse(text).is_err(), "{text}");
        }
    }

    /// As `resource.Quantity` prints it.
    #[test]
    fn prints_the_canonical_form() {
        for (text, canonical) in [
            ("0.5", "500m"),
            ("1024Mi", "1Gi"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("1e3", "1e3"),
            ("100e1", "1e3"),
            ("12000", "12k"),
            ("0", "0"),
            ("0Mi", "0"),
            ("-500m", "-500m"),
            ("0.0000000001", "1n"),
            ("1000000", "1M"),
            ("1E", "1E"),
            ("100Ei", "9223372036854775807"),
            ("0.1Gi", "107374182400m"),
            ("1.1Ki", "1126400m"),
            ("-1.5Ki", "-1536"),
            ("0.5Mi", "512Ki"),
            ("1000Gi", "1000Gi"),
            ("1e-20", "1e-9"),
            ("1E-2", "10e-3"),
            ("100E", "100E"),
            ("9223372036854775808", "9223372036854775808"),
            ("1.10", "1100m"),
        ] {
            let printed = Quantity::parse(text).map(|quantity| quantity.to_string());
            assert_eq!(printed.as_deref(), Ok(canonical), "{text}");
        }
    }

    /// The recording of `tools/scalar-oracle`. Kubernetes itself prints quantities from 10^21 on
    /// without their unit (`1000E` as `1`), so these are not compared.
    #[test]
    fn sends_what_kubernetes_sends() {
        const LARGEST: i128 = 1_000_000_000_000_000_000_000 * BILLION;
        let recorded = include_str!("../../../../fixtures/scalars/quantities.tsv");
        let mut differences = Vec::new();
        for line in recorded.lines() {
            let (text, expected) = line.split_once('\t').expect("two columns");
            let printed = Quantity::sent(text).unwrap_or_else(|_| "error".to_owned());
            let is_compared = |quantity: Quantity| quantity.billionths.abs() < LARGEST;
            if printed != expected && Quantity::parse(text).map_or(true, is_compared) {
                differences.push(format!("{text}: {printed}, not {expected}"));
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }

    #[test]
    fn compares_quantities_by_value() {
        let parse = |text| Quantity::parse(text).expect("a quantity");
        assert_eq!(parse("1Gi"), parse("1024Mi"));
        assert!(parse("1G") < parse("1Gi"));
        assert!(parse("-1") < parse("1m"));
        assert!(parse("1e1000000000") > parse("1E"));
        assert!(parse("1e-1000000000") > parse("0"));
    }

    #[test]
    fn suggests_the_likely_quantity() {
        for (text, meant) in [
            ("1GB", "1G"),
            ("1 Gi", "1Gi"),
            ("512MB", "512M"),
            ("512mb", "512M"),
            ("0.5 cpu", "0.5"),
            ("1gi", "1Gi"),
            ("1GiB", "1Gi"),
            ("1K", "1k"),
            ("2 cores", "2"),
            ("100 m", "100m"),
            ("500mm", "500m"),
            ("1Gii", "1Gi"),
            ("1iG", "1Gi"),
        ] {
            assert_eq!(Quantity::nearest(text).as_deref(), Some(meant), "{text}");
        }
        for text in ["lots", "", "Gi", "1 bushel"] {
            assert_eq!(Quantity::nearest(text), None, "{text}");
        }
    }

    #[test]
    fn amounts_are_shown_in_the_largest_unit_that_divides_them() {
        let shown = |thousandths| Quantity::from_thousandths(thousandths).to_string();
        assert_eq!(shown(1100), "1100m");
        assert_eq!(shown(2000), "2");
        assert_eq!(shown(0), "0");
        assert_eq!(shown(2_147_483_648_000), "2Gi");
        assert_eq!(shown(1_610_612_736_000), "1536Mi");
    }
}
