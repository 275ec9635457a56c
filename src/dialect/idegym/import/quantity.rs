//! Quantities as idegym parses and prints them: cores, and bytes with binary units.

use lean_string::LeanStr;

use super::super::checks::RESOURCES;
use super::super::rules::START_REQUEST_INVALID;
use super::request::RequestResources;
use crate::decode::{Anything, Mapped};
use crate::diag::{Diagnostic, Sink, message};
use crate::scalar::{Quantity, is_digits, pydantic_integer, without_underscores};
use crate::tree::{Map, Node, Origin, Value};

/// The units of bytes, the largest first.
const UNITS: [(&str, u32); 6] =
    [("Ei", 60), ("Pi", 50), ("Ti", 40), ("Gi", 30), ("Mi", 20), ("Ki", 10)];

/// Requests and limits in Kubernetes' form, without empty blocks.
pub(super) fn resources(own: RequestResources, origin: Origin, sink: &mut Sink) -> Node {
    let RequestResources { requests, limits } = own;
    let mut resources = Node::map(origin);
    for (key, block) in [("requests", requests), ("limits", limits)] {
        let map = block.map(|block| read_quantities(block, key, origin, sink));
        resources.set_some(key, map.filter(|map| !map.entries().is_empty()));
    }
    report_low_limits(&resources, sink);
    resources
}

/// Reports limits below their request, in idegym's own words.
fn report_low_limits(resources: &Node, sink: &mut Sink) {
    let requests = Map::of(resources.get("requests"));
    for entry in resources.get("limits").map_or(&[][..], Node::entries) {
        let name = entry.key.as_str();
        let amount = |node: &Node| Quantity::parse(node.as_str()?).ok();
        let request = requests.get(name);
        let (limit, amount) = (amount(&entry.value), request.and_then(amount));
        let (Some(request), true) = (request, limit.is_some() && limit < amount) else { continue };
        let message =
            message!("'limits.{name}' must be greater than or equal to 'requests.{name}'");
        sink.report(
            Diagnostic::new(&START_REQUEST_INVALID, entry.value.span(), message)
                .at("limit below the request")
                .label(request.span(), "the request")
                .path(&format!("resources.limits.{name}"))
                .note("idegym rejects the request with this message")
                .help("raise the limit, or lower the request"),
        );
    }
}

fn read_quantities(own: Mapped<Anything>, block: &str, origin: Origin, sink: &mut Sink) -> Node {
    let mut quantities = Vec::with_capacity(own.entries.len());
    let mut has_storage = false;
    for (key, Anything { node }) in own.entries {
        let is_storage = ["ephemeral_storage", "ephemeral-storage"].contains(&key.as_str());
        let name = if is_storage { "ephemeral-storage" } else { key.as_str() };
        if node.is_null() && RESOURCES.contains(&name) {
            continue;
        }
        let path = format!("resources.{block}.{name}");
        if is_storage && has_storage {
            let message = "`ephemeral_storage` and `ephemeral-storage` are the same field";
            sink.report(
                Diagnostic::new(&START_REQUEST_INVALID, node.span(), message)
                    .at("duplicate field")
                    .path(&path)
                    .help("remove one of the two"),
            );
            continue;
        }
        let (text, form) = match name {
            "cpu" => (read_cores(&node.value), "cores (`1.5`) or thousandths of a core (`500m`)"),
            "memory" | "ephemeral-storage" => (
                read_bytes(&node.value),
                "bytes, or a whole number with `Ki`, `Mi`, `Gi`, `Ti`, `Pi` or `Ei`",
            ),
            _ => {
                // The check of the definition reports it.
                quantities.push((LeanStr::from(name), node));
                continue;
            }
        };
        if let Some(text) = text {
            has_storage |= is_storage;
            quantities.push((LeanStr::from(name), Node::string(text, node.origin())));
        } else {
            sink.report(rejected_quantity(&node, name, &path, form));
        }
    }
    let mut map = Node::map(origin);
    map.set_all(quantities);
    map
}

fn rejected_quantity(node: &Node, name: &str, path: &str, form: &str) -> Diagnostic {
    let written = match &node.value {
        Value::String(text) => format!("`{text}`"),
        other => other.describe().to_owned(),
    };
    let message = message!("idegym rejects {written} as a quantity of `{name}`");
    Diagnostic::new(&START_REQUEST_INVALID, node.span(), message)
        .at("not a quantity for idegym")
        .path(&path)
        .help(message!("use {form}"))
}

/// A number of cores, as whole cores or thousandths of one.
fn read_cores(value: &Value) -> Option<String> {
    let thousandths = match value {
        Value::Int(cores) => u64::try_from(*cores).ok()?.checked_mul(1000)?,
        Value::Float(cores) => rounded_thousandths(*cores)?,
        Value::String(text) => parse_thousandths(text.trim())?,
        _ => return None,
    };
    Some(match thousandths % 1000 {
        0 => (thousandths / 1000).to_string(),
        _ => format!("{thousandths}m"),
    })
}

fn parse_thousandths(text: &str) -> Option<u64> {
    if let Some(whole) = text.strip_suffix('m') {
        return parse_digits(whole);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let units = if whole.is_empty() { Some(0) } else { parse_digits(whole) };
    let is_empty = whole.is_empty() && fraction.is_empty();
    if let Some(units) = units.filter(|_| !is_empty)
        && fraction.bytes().all(|it| it.is_ascii_digit())
    {
        // Fractions below a thousandth are truncated.
        let parts = format!("{fraction:0<3}");
        return units.checked_mul(1000)?.checked_add(parse_digits(parts.get(..3)?)?);
    }
    // Other strings are parsed as numbers with an exponent, a sign or underscores.
    let plain = without_underscores(text).unwrap_or_else(|| text.to_owned());
    let is_number = plain.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    rounded_thousandths(plain.parse().ok().filter(|_| is_number)?)
}

/// The nearest number of thousandths, rounding half to even. It uses decimal digits, because a
/// product of floats is not exact.
fn rounded_thousandths(number: f64) -> Option<u64> {
    // Without the sign of `-0`.
    let text = if number == 0.0 { "0".to_owned() } else { format!("{number}") };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let padded = format!("{fraction:0<3}");
    let (kept, rest) = padded.split_at_checked(3)?;
    let cut = parse_digits(whole)?.checked_mul(1000)?.checked_add(parse_digits(kept)?)?;
    let is_up = match rest.trim_end_matches('0') {
        "5" => cut % 2 == 1,
        rest => rest.as_bytes().first().is_some_and(|digit| *digit >= b'5'),
    };
    cut.checked_add(u64::from(is_up))
}

/// A number of bytes, in the largest unit that divides it.
fn read_bytes(value: &Value) -> Option<String> {
    let bytes: u128 = match value {
        Value::Int(bytes) => u128::try_from(*bytes).ok()?,
        Value::UInt(bytes) => u128::from(*bytes),
        Value::Float(bytes) if bytes.fract() == 0.0 => format!("{bytes:.0}").parse().ok()?,
        Value::String(text) => {
            let trimmed = text.trim();
            let unit =
                UNITS.iter().find_map(|(unit, bits)| Some((trimmed.strip_suffix(unit)?, *bits)));
            match (unit, parse_digits(trimmed)) {
                (Some((number, bits)), _) => u128::from(parse_digits(number)?) << bits,
                (None, Some(bytes)) => u128::from(bytes),
                (None, None) => u128::try_from(pydantic_integer(trimmed)?).ok()?,
            }
        }
        _ => return None,
    };
    let unit = UNITS.iter().find(|(_, bits)| bytes > 0 && bytes.is_multiple_of(1_u128 << bits));
    Some(match unit {
        Some((unit, bits)) => format!("{}{unit}", bytes >> bits),
        None => bytes.to_string(),
    })
}

fn parse_digits(text: &str) -> Option<u64> {
    if is_digits(text) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::String(text.into())
    }

    /// As idegym's models print them.
    #[test]
    fn quantities_match_idegym() {
        let cpus = [
            (text("0"), "0"),
            (text("0.1"), "100m"),
            (text(".5"), "500m"),
            (text("1.5"), "1500m"),
            (text(" 500m "), "500m"),
            (text("2000m"), "2"),
            (text("0.0009"), "0"),
            (text("1."), "1"),
            (text("1e3"), "1000"),
            (text("1e-3"), "1m"),
            (text("+1"), "1"),
            (text("-0"), "0"),
            (text("1_000"), "1000"),
            (Value::Int(2), "2"),
            (Value::Float(0.0015), "2m"),
            (Value::Float(0.25), "250m"),
        ];
        for (value, expected) in cpus {
            assert_eq!(read_cores(&value).as_deref(), Some(expected), "{value:?}");
        }
        for wrong in
            ["", " ", "-500m", "abc", "1.5m", "500Mi", "inf", "nan", "1__0", "-1", "m", "."]
        {
            assert_eq!(read_cores(&text(wrong)), None, "{wrong}");
        }
        let memory = [
            (text("1024"), "1Ki"),
            (text("0"), "0"),
            (text("1024Mi"), "1Gi"),
            (text("1536Mi"), "1536Mi"),
            (text("1024Pi"), "1Ei"),
            (text("500"), "500"),
            (text(" 512Mi "), "512Mi"),
            (text("1_024"), "1Ki"),
            (text("+5"), "5"),
            (text("5.0"), "5"),
            (Value::Int(1_073_741_824), "1Gi"),
            (Value::Float(1024.0), "1Ki"),
        ];
        for (value, expected) in memory {
            assert_eq!(read_bytes(&value).as_deref(), Some(expected), "{value:?}");
        }
        for wrong in ["", "-1", "1.5Gi", "1GB", "512M", "1G", "1e9", "Mi"] {
            assert_eq!(read_bytes(&text(wrong)), None, "{wrong}");
        }
        assert_eq!(read_cores(&Value::Bool(true)), None);
        assert_eq!(read_bytes(&Value::Float(1.5)), None);
    }
}
