//! Compares quantities by value: Go's encoder writes the canonical form, sandboxc keeps the
//! author's.

use serde_json::Value;

/// Whether quantities are expected at this path.
pub(super) fn is_quantity(path: &[String]) -> bool {
    const HOLDERS: [&str; 6] = ["resources", "limits", "requests", "hard", "sizeLimit", "storage"];
    path.iter().any(|step| HOLDERS.contains(&step.as_str()))
}

/// Whether two scalars are the same quantity.
pub(super) fn same_quantity(left: &Value, right: &Value) -> bool {
    match (parts(left), parts(right)) {
        (Some(left), Some(right)) => left == right,
        _ => false,
    }
}

/// The value in units of 10^-9, exactly.
pub(crate) fn parts(value: &Value) -> Option<i128> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let scaled = digits.checked_mul(nanos(suffix)?)?;
    (scaled % scale == 0).then_some(scaled / scale)
}

fn nanos(suffix: &str) -> Option<i128> {
    const UNIT: i128 = 1_000_000_000;
    let power = |base: i128, exponent: u32| Some(UNIT * base.pow(exponent));
    match suffix {
        "n" => Some(1),
        "u" => Some(1_000),
        "m" => Some(1_000_000),
        "" => Some(UNIT),
        "k" => power(1000, 1),
        "M" => power(1000, 2),
        "G" => power(1000, 3),
        "T" => power(1000, 4),
        "P" => power(1000, 5),
        "Ki" => power(1024, 1),
        "Mi" => power(1024, 2),
        "Gi" => power(1024, 3),
        "Ti" => power(1024, 4),
        "Pi" => power(1024, 5),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E'])?;
            power(10, exponent.parse().ok()?)
        }
    }
}

#[test]
fn quantities_are_compared_by_value() {
    use serde_json::json;
    let same = |left: Value, right: Value| same_quantity(&left, &right);
    assert!(same(json!("0.5"), json!("500m")));
    assert!(same(json!(1), json!("1000m")));
    assert!(same(json!("1Gi"), json!("1024Mi")));
    assert!(same(json!("1e3"), json!("1k")));
    assert!(!same(json!("1G"), json!("1Gi")));
    assert!(!same(json!("x"), json!("x1")));
}
