//! The canonical form of a quantity, as printed by Kubernetes' `resource.Quantity`.

/// The family of a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Decimal,
    Exponent,
    Binary,
}

/// The number of decimal places of a quantity.
const SCALE: u32 = 9;

/// Returns the canonical form. Returns the string unchanged if it is not a quantity, or too large
/// for this arithmetic.
pub(super) fn canonical(text: &str) -> String {
    form(text).unwrap_or_else(|| text.to_owned())
}

fn form(text: &str) -> Option<String> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let (number, unit) = rest.split_at_checked(end)?;
    let (format, base, power) = unit_of(unit)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let decimals = u32::try_from(fraction.len()).ok()?;
    // The value in billionths, rounded up as the parser does.
    let billion = 10_i128.pow(SCALE);
    let mut above = digits.checked_mul(billion)?;
    let mut below = 10_i128.checked_pow(decimals)?;
    if power >= 0 {
        above = above.checked_mul(i128::checked_pow(base, power.unsigned_abs())?)?;
    } else {
        below = below.checked_mul(i128::checked_pow(base, power.unsigned_abs())?)?;
    }
    let billionths = above.checked_add(below - 1)?.checked_div(below)?;
    let written = match format {
        Format::Binary if billionths >= 1024 * billion && billionths % billion == 0 => {
            binary(billionths / billion)
        }
        Format::Exponent => decimal(billionths, true),
        Format::Binary | Format::Decimal => decimal(billionths, false),
    };
    Some(if sign < 0 && billionths != 0 { format!("-{written}") } else { written })
}

/// The format, base and exponent of a unit.
fn unit_of(unit: &str) -> Option<(Format, i128, i32)> {
    let decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
    if let Some(at) = decimal.iter().position(|it| *it == unit) {
        return Some((Format::Decimal, 1000, i32::try_from(at).ok()? - 3));
    }
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    if let Some(at) = binary.iter().position(|it| *it == unit) {
        return Some((Format::Binary, 1024, i32::try_from(at).ok()? + 1));
    }
    let power = unit.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some((Format::Exponent, 10, power))
}

fn binary(mut value: i128) -> String {
    let units = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    let mut at = 0;
    while value != 0 && value % 1024 == 0 && at + 1 < units.len() {
        value /= 1024;
        at += 1;
    }
    format!("{value}{}", units.get(at).unwrap_or(&""))
}

fn decimal(billionths: i128, is_exponent: bool) -> String {
    if billionths == 0 {
        return "0".to_owned();
    }
    let units = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
    let (mut value, mut at) = (billionths, 0);
    while value % 1000 == 0 && (is_exponent || at + 1 < units.len()) {
        value /= 1000;
        at += 1;
    }
    if is_exponent {
        let power = i32::try_from(at).unwrap_or(0) * 3 - 9;
        return if power == 0 { value.to_string() } else { format!("{value}e{power}") };
    }
    format!("{value}{}", units.get(at).unwrap_or(&""))
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn forms_match_the_recording() {
        for (text, expected) in [
            ("0.5", "500m"),
            ("1000m", "1"),
            ("1024Mi", "1Gi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Gi", "512Mi"),
            ("100000000", "100M"),
            ("1000000k", "1G"),
            ("1e3", "1e3"),
            ("1024", "1024"),
            ("1048576", "1048576"),
            ("2000Mi", "2000Mi"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn other_values_are_not_changed() {
        for text in ["", "x", "1Zi", "1.2.3", "-"] {
            assert_eq!(canonical(text), text);
        }
    }
}
