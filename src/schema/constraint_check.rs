//! Whether a value keeps the constraints of its custom resource definition.

use std::cmp::Ordering;

use super::check::{
    BASE64_INVALID, DATE_TIME_INVALID, ENUM_VALUE_UNKNOWN, FIELD_MISSING, QUANTITY_INVALID,
};
use super::constraint_rules::{
    EMBEDDED_RESOURCE_INCOMPLETE, FORMAT_MISMATCH, NUMBER_OUT_OF_RANGE, PATTERN_MISMATCH,
    SCHEMA_ALTERNATIVE_UNMET, SIZE_OUT_OF_RANGE,
};
use super::{Bound, Constraint, Constraints, Format, Pattern, format};
use crate::diag::{Diagnostic, Rule};
use crate::tree::{Node, Number, Origin, Path, Value};

/// Reports each constraint that `node` breaks. A value of another type than a constraint speaks of
/// keeps it: that its type is wrong is said elsewhere.
pub(crate) fn check_constraints(
    constraints: Constraints<'_>,
    node: &Node,
    path: &Path<'_>,
    report: &mut dyn FnMut(Origin, Diagnostic),
) {
    // Whether `null` is allowed is for the type to say.
    if node.is_null() {
        return;
    }
    for constraint in constraints {
        match constraint {
            Constraint::AllOf(groups) => {
                for group in *groups {
                    check_constraints(group, node, path, report);
                }
            }
            Constraint::Properties(properties) => {
                for (name, group) in *properties {
                    if let Some(value) = node.as_map().and_then(|map| map.get(name)) {
                        check_constraints(group, value, &path.field(name), report);
                    }
                }
            }
            Constraint::Items(group) => {
                for (index, item) in node.items().iter().enumerate() {
                    check_constraints(group, item, &path.index(index), report);
                }
            }
            _ if is_kept(constraint, node) => {}
            _ => report(node.origin(), finding(constraint, node, path)),
        }
    }
}

fn are_kept(constraints: Constraints<'_>, node: &Node) -> bool {
    constraints.iter().all(|constraint| is_kept(constraint, node))
}

fn is_kept(constraint: &Constraint<'_>, node: &Node) -> bool {
    match constraint {
        Constraint::Minimum(limit, bound) => number_is(node, *limit, Ordering::Greater, *bound),
        Constraint::Maximum(limit, bound) => number_is(node, *limit, Ordering::Less, *bound),
        Constraint::MultipleOf(factor) => is_multiple(node, *factor),
        Constraint::MinLength(limit) => text_length(node).is_none_or(|it| it >= *limit),
        Constraint::MaxLength(limit) => text_length(node).is_none_or(|it| it <= *limit),
        Constraint::MinItems(limit) => list_length(node).is_none_or(|it| it >= *limit),
        Constraint::MaxItems(limit) => list_length(node).is_none_or(|it| it <= *limit),
        Constraint::MinProperties(limit) => map_length(node).is_none_or(|it| it >= *limit),
        Constraint::MaxProperties(limit) => map_length(node).is_none_or(|it| it <= *limit),
        Constraint::Pattern(pattern) => node.as_str().is_none_or(|text| pattern.accepts(text)),
        Constraint::Format(format) => {
            node.as_str().is_none_or(|text| format::matches(*format, text))
        }
        Constraint::OneOfValues(values) => values.iter().any(|value| value.same_value(node)),
        Constraint::Required(keys) => {
            node.as_map().is_none_or(|map| keys.iter().all(|key| map.get(key).is_some()))
        }
        Constraint::Properties(properties) => properties.iter().all(|(name, group)| {
            let value = node.as_map().and_then(|map| map.get(name));
            value.is_none_or(|value| are_kept(group, value))
        }),
        Constraint::Items(group) => node.items().iter().all(|item| are_kept(group, item)),
        Constraint::EmbeddedResource => missing_type_field(node).is_none(),
        Constraint::AllOf(groups) => groups.iter().all(|group| are_kept(group, node)),
        Constraint::AnyOf(groups) => groups.iter().any(|group| are_kept(group, node)),
        Constraint::ExactlyOneOf(groups) => {
            groups.iter().filter(|group| are_kept(group, node)).nth(1).is_none()
                && groups.iter().any(|group| are_kept(group, node))
        }
        Constraint::Not(group) => !are_kept(group, node),
    }
}

fn finding(constraint: &Constraint<'_>, node: &Node, path: &Path<'_>) -> Diagnostic {
    let (rule, must) = broken(constraint, node);
    let field = path.to_string();
    let subject = if field.is_empty() { "the object".to_owned() } else { format!("`{field}`") };
    let finding = Diagnostic::new(rule, node.span(), format!("{subject} {must}"))
        .path(path)
        .at(describe(constraint, node));
    match constraint {
        Constraint::Format(format) => finding.help(format!("write it as in {}", example(*format))),
        Constraint::Pattern(pattern) if is_of_quantities(pattern) => {
            finding.help("write a quantity: `500m`, `2`, `512Mi`, `1G`")
        }
        Constraint::AnyOf(groups) | Constraint::ExactlyOneOf(groups) => {
            finding.help_if(describe_alternatives(groups))
        }
        Constraint::OneOfValues(values) => {
            let values: Vec<_> =
                values.iter().map(|value| format!("`{}`", value.to_json())).collect();
            finding.help(format!("write one of {}", values.join(", ")))
        }
        _ => finding,
    }
}

/// What the value has of that which the constraint asks for; empty where the value shows it.
fn describe(constraint: &Constraint<'_>, node: &Node) -> String {
    let (length, unit) = match constraint {
        Constraint::MinLength(_) | Constraint::MaxLength(_) => (text_length(node), "characters"),
        Constraint::MinItems(_) | Constraint::MaxItems(_) => (list_length(node), "items"),
        Constraint::MinProperties(_) | Constraint::MaxProperties(_) => {
            (map_length(node), "entries")
        }
        _ => return String::new(),
    };
    length.map_or_else(String::new, |length| format!("has {length} {unit}"))
}

/// The rule that is broken, and what the value must be.
fn broken(constraint: &Constraint<'_>, node: &Node) -> (&'static Rule, String) {
    let number = |text: String| (&NUMBER_OUT_OF_RANGE, text);
    let size = |word: &str, limit: i64, unit: &str| {
        (&SIZE_OUT_OF_RANGE, format!("must have at {word} {limit} {unit}"))
    };
    let alternative = |text: &str| (&SCHEMA_ALTERNATIVE_UNMET, text.to_owned());
    match constraint {
        Constraint::Minimum(limit, Bound::Inclusive) => {
            number(format!("must be at least {}", Shown(*limit)))
        }
        Constraint::Minimum(limit, Bound::Exclusive) => {
            number(format!("must be more than {}", Shown(*limit)))
        }
        Constraint::Maximum(limit, Bound::Inclusive) => {
            number(format!("must be at most {}", Shown(*limit)))
        }
        Constraint::Maximum(limit, Bound::Exclusive) => {
            number(format!("must be less than {}", Shown(*limit)))
        }
        Constraint::MultipleOf(factor) => {
            number(format!("must be a multiple of {}", Shown(*factor)))
        }
        Constraint::MinLength(limit) => size("least", *limit, "characters"),
        Constraint::MaxLength(limit) => size("most", *limit, "characters"),
        Constraint::MinItems(limit) => size("least", *limit, "items"),
        Constraint::MaxItems(limit) => size("most", *limit, "items"),
        Constraint::MinProperties(limit) => size("least", *limit, "entries"),
        Constraint::MaxProperties(limit) => size("most", *limit, "entries"),
        Constraint::Pattern(pattern) if is_of_quantities(pattern) => {
            (&QUANTITY_INVALID, "is no amount that Kubernetes can read".to_owned())
        }
        Constraint::Pattern(pattern) => {
            (&PATTERN_MISMATCH, format!("does not match the pattern `{}`", pattern.text))
        }
        Constraint::Format(Format::DateTime) => {
            (&DATE_TIME_INVALID, "is not a point in time".to_owned())
        }
        Constraint::Format(Format::Byte) => (&BASE64_INVALID, "is not base64".to_owned()),
        Constraint::Format(format) => {
            (&FORMAT_MISMATCH, format!("does not have the format `{format}`"))
        }
        Constraint::OneOfValues(_) => {
            (&ENUM_VALUE_UNKNOWN, "is none of the values that its schema lists".to_owned())
        }
        Constraint::EmbeddedResource => {
            let field = missing_type_field(node).unwrap_or("kind");
            (&EMBEDDED_RESOURCE_INCOMPLETE, format!("is an object without `{field}`"))
        }
        Constraint::Required(keys) => {
            let names: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
            (&FIELD_MISSING, format!("must have {}", names.join(" and ")))
        }
        Constraint::AnyOf(_) => alternative("keeps none of the alternatives of its schema"),
        Constraint::ExactlyOneOf(_) => {
            alternative("must keep exactly one of the alternatives of its schema")
        }
        Constraint::Not(_) => alternative("is what its schema rules out"),
        Constraint::Properties(_) | Constraint::Items(_) | Constraint::AllOf(_) => {
            alternative("does not keep its schema")
        }
    }
}

/// The alternatives in words, where each only names fields.
fn describe_alternatives(groups: &[Constraints<'_>]) -> Option<String> {
    let fields: Option<Vec<_>> = groups
        .iter()
        .map(|group| match group {
            [Constraint::Required(keys)] => {
                Some(keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and "))
            }
            _ => None,
        })
        .collect();
    Some(format!("set one of: {}", fields?.join("; ")))
}

/// Whether it is the pattern that controller-gen writes for quantities.
fn is_of_quantities(pattern: &Pattern) -> bool {
    pattern.text.contains("(([KMGTPE]i)|[numkMGTPE]|([eE]")
}

const fn example(format: Format) -> &'static str {
    match format {
        Format::DateTime => "`2026-12-31T18:00:00Z`",
        Format::Date => "`2026-12-31`",
        Format::Byte => "`aGVsbG8=` (base64)",
        Format::Uuid => "`123e4567-e89b-12d3-a456-426614174000`",
        Format::Ipv4 => "`10.0.0.1`",
        Format::Ipv6 => "`fd00::1`",
        Format::Cidr => "`10.0.0.0/8`",
        Format::Mac => "`01:23:45:67:89:ab`",
    }
}

fn missing_type_field(node: &Node) -> Option<&'static str> {
    node.as_map()?;
    let is_missing = |field: &&str| node.get(field).is_none_or(|it| it.as_str() == Some(""));
    ["apiVersion", "kind"].into_iter().find(is_missing)
}

fn text_length(node: &Node) -> Option<i64> {
    i64::try_from(node.as_str()?.chars().count()).ok()
}

fn list_length(node: &Node) -> Option<i64> {
    match &node.value {
        Value::List(items) => i64::try_from(items.len()).ok(),
        _ => None,
    }
}

fn map_length(node: &Node) -> Option<i64> {
    i64::try_from(node.as_map()?.entries.len()).ok()
}

/// Whether the number lies on this side of the limit; true for what is no number.
fn number_is(node: &Node, limit: Number, side: Ordering, bound: Bound) -> bool {
    let Value::Number(number) = node.value else { return true };
    match compare(number, limit) {
        Some(Ordering::Equal) => bound == Bound::Inclusive,
        Some(order) => order == side,
        None => false,
    }
}

fn compare(a: Number, b: Number) -> Option<Ordering> {
    match (to_i128(a), to_i128(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => to_f64(a).partial_cmp(&to_f64(b)),
    }
}

fn is_multiple(node: &Node, factor: Number) -> bool {
    let Value::Number(number) = node.value else { return true };
    match (to_i128(number), to_i128(factor)) {
        // A factor that is not positive is refused with the definition, and says nothing here.
        (Some(number), Some(factor)) => factor <= 0 || number % factor == 0,
        _ => is_multiple_of_fraction(to_f64(number), to_f64(factor)),
    }
}

#[expect(clippy::float_arithmetic, reason = "the API server divides and looks at the fraction")]
fn is_multiple_of_fraction(number: f64, factor: f64) -> bool {
    let quotient = number / factor;
    factor <= 0.0 || (quotient - quotient.round()).abs() < 1e-9
}

const fn to_i128(number: Number) -> Option<i128> {
    match number {
        Number::Int(value) => Some(value as i128),
        Number::UInt(value) => Some(value as i128),
        Number::Float(_) => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "the API server compares such pairs as floats")]
const fn to_f64(number: Number) -> f64 {
    match number {
        Number::Int(value) => value as f64,
        Number::UInt(value) => value as f64,
        Number::Float(value) => value,
    }
}

/// A number as written in YAML.
struct Shown(Number);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Number::Int(value) => value.fmt(f),
            Number::UInt(value) => value.fmt(f),
            Number::Float(value) => value.fmt(f),
        }
    }
}
