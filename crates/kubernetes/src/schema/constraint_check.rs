//! Checks values against the constraints of their custom resource definition.

use std::cmp::Ordering;

use super::check::{
    BASE64_INVALID, DATE_TIME_INVALID, ENUM_VALUE_UNKNOWN, FIELD_MISSING, QUANTITY_INVALID,
    UNKNOWN_FIELD,
};
use super::defaulted::has_null;
use super::{Bound, CheckContext, Constraint, Constraints, Format, Pattern, embedded};
use crate::diag::{
    About, Diagnostic, MAX_LISTED, Message, Rule, Words, brief, declare_rules, first_of, message,
};
use crate::tree::{Map, Node, Number, Origin, Path, Value};

declare_rules! {
    EMBEDDED_RESOURCE_INCOMPLETE = "embedded-resource-incomplete", Error;
    EMBEDDED_RESOURCE_INVALID = "embedded-resource-invalid", Error;
    FORMAT_MISMATCH = "format-mismatch", Error;
    NUMBER_OUT_OF_RANGE = "number-out-of-range", Error;
    PATTERN_MISMATCH = "pattern-mismatch", Error;
    SCHEMA_ALTERNATIVE_UNMET = "schema-alternative-unmet", Error;
    SIZE_OUT_OF_RANGE = "size-out-of-range", Error;
}

/// Reports each constraint that `node` violates. A constraint for another type is satisfied: the wrong
/// type is reported elsewhere.
pub fn check_constraints(
    cx: &CheckContext<'_>,
    constraints: Constraints<'_>,
    node: &Node,
    path: &Path<'_>,
    report: &mut dyn FnMut(Origin, Diagnostic),
) {
    // The type decides whether `null` is allowed.
    if node.is_null() {
        return;
    }
    for constraint in constraints {
        if !cx.spend(|| steps(constraint, node)) {
            return;
        }
        match constraint {
            Constraint::AllOf(groups) => {
                for group in *groups {
                    check_constraints(cx, group, node, path, report);
                }
            }
            Constraint::Properties(properties) => {
                let entries = Map::of(Some(node));
                for (name, group) in *properties {
                    if let Some(value) = entries.get(name) {
                        check_constraints(cx, group, value, &path.field(name), report);
                    }
                }
            }
            Constraint::Items(group) => {
                for (index, item) in node.items().iter().enumerate() {
                    check_constraints(cx, group, item, &path.index(index), report);
                }
            }
            Constraint::NoFields => no_fields(node, path, report),
            Constraint::EmbeddedResource => {
                embedded::check(node, path, &mut |at, finding| report(at.origin(), finding));
            }
            _ if is_kept(cx, constraint, node) => {}
            _ => report(node.origin(), violation(constraint, node, path)),
        }
    }
}

/// Reports each field below `node`: the schema declares none, so the API server drops them.
fn no_fields(node: &Node, path: &Path<'_>, report: &mut dyn FnMut(Origin, Diagnostic)) {
    for (index, item) in node.items().iter().enumerate() {
        no_fields(item, &path.index(index), report);
    }
    for entry in node.entries() {
        let (at, path) = (entry.key_origin(), path.field(&entry.key));
        let message = message!("unknown field `{path}`");
        let finding = Diagnostic::new(&UNKNOWN_FIELD, at.span(), message)
            .at("no such field")
            .about(About::UnknownField(None))
            .note("`additionalProperties: true` accepts any value and declares no fields: the API server drops this one")
            .help("write `x-kubernetes-preserve-unknown-fields: true` instead of it in the schema");
        report(at, finding.path(&path));
    }
}

/// Whether an integer in `enum` equals the value without its fraction: the server's validator
/// converts the listed value to the type of the other one before it compares them (`Enum` of
/// kube-openapi's `validate`).
#[expect(
    clippy::float_arithmetic,
    reason = "the fraction is dropped as in Go, and the sign of zero"
)]
fn is_whole_part(listed: &Node, node: &Node) -> bool {
    let (Some(listed), Value::Float(value)) = (listed.as_i64(), &node.value) else {
        return false;
    };
    let whole = value.trunc() + 0.0;
    i32::try_from(listed).is_ok_and(|listed| f64::from(listed).total_cmp(&whole).is_eq())
}

/// The steps of one comparison, excluding nested constraints.
fn steps(constraint: &Constraint<'_>, node: &Node) -> usize {
    /// The number of bytes of a string that count as a step.
    const BYTES: usize = 16;
    /// The number of entries that are compared with a key in a step.
    const ENTRIES: usize = 8;
    let entries = node.entries().len();
    let of_keys = |count: usize| count.saturating_mul(1 + entries / ENTRIES);
    1 + match constraint {
        Constraint::OneOfValues(values) => values.len(),
        Constraint::Required(keys) => of_keys(keys.len()),
        // Of many keys, an index is made.
        Constraint::Properties(properties) => {
            of_keys(properties.len()).min(properties.len() + 2 * entries)
        }
        // Entries that are `null` can be dropped, so that all are read.
        Constraint::MinProperties(_) | Constraint::MaxProperties(_) => entries / ENTRIES,
        // The constraints of the items can be empty.
        Constraint::Items(_) => node.items().len() / ENTRIES,
        Constraint::Pattern(pattern) => node.as_str().map_or(0, |text| pattern.steps(text.len())),
        _ => node.as_str().map_or(0, str::len) / BYTES,
    }
}

fn are_kept(cx: &CheckContext<'_>, constraints: Constraints<'_>, node: &Node) -> bool {
    if node.is_null() {
        // Of `null`, the server's validator only checks `enum`, which it never satisfies.
        return !constraints
            .iter()
            .any(|constraint| matches!(constraint, Constraint::OneOfValues(_)));
    }
    constraints
        .iter()
        .all(|constraint| !cx.spend(|| steps(constraint, node)) || is_kept(cx, constraint, node))
}

fn is_kept(cx: &CheckContext<'_>, constraint: &Constraint<'_>, node: &Node) -> bool {
    match constraint {
        Constraint::Minimum(limit, bound) => number_is(node, *limit, Ordering::Greater, *bound),
        Constraint::Maximum(limit, bound) => number_is(node, *limit, Ordering::Less, *bound),
        Constraint::MultipleOf(factor) => is_multiple(node, *factor),
        Constraint::OutsideFormat(_, since) => cx.target() < *since || node.as_number().is_none(),
        Constraint::MinLength(limit)
        | Constraint::MinItems(limit)
        | Constraint::MinProperties(limit) => {
            limited_size(constraint, node).is_none_or(|(size, _)| size >= *limit)
        }
        Constraint::MaxLength(limit)
        | Constraint::MaxItems(limit)
        | Constraint::MaxProperties(limit) => {
            limited_size(constraint, node).is_none_or(|(size, _)| size <= *limit)
        }
        Constraint::Pattern(pattern) => node.as_str().is_none_or(|text| pattern.accepts(text)),
        Constraint::Format(format) => {
            !format.is_known_to(cx.target())
                || node.as_str().is_none_or(|text| format.accepts(text))
        }
        Constraint::OneOfValues(values) => {
            values.iter().any(|value| value.same_value(node) || is_whole_part(value, node))
        }
        Constraint::Required(keys) => {
            node.as_map().is_none_or(|map| keys.iter().all(|key| map.get(key).is_some()))
        }
        Constraint::Properties(properties) => {
            let entries = Map::of(Some(node));
            properties.iter().all(|(name, group)| {
                entries.get(name).is_none_or(|value| are_kept(cx, group, value))
            })
        }
        Constraint::Items(group) => node.items().iter().all(|item| are_kept(cx, group, item)),
        // These only occur outside of junctors, and report faults themselves.
        Constraint::EmbeddedResource | Constraint::NoFields | Constraint::Otherwise(_) => true,
        Constraint::AllOf(groups) => groups.iter().all(|group| are_kept(cx, group, node)),
        Constraint::AnyOf(groups) => groups.iter().any(|group| are_kept(cx, group, node)),
        Constraint::ExactlyOneOf(groups) => {
            groups.iter().filter(|group| are_kept(cx, group, node)).take(2).count() == 1
        }
        Constraint::Not(group) => !are_kept(cx, group, node),
    }
}

fn violation(constraint: &Constraint<'_>, node: &Node, path: &Path<'_>) -> Diagnostic {
    let (rule, must) = violated_rule(constraint);
    let field = path.to_string();
    let subject = if field.is_empty() { "the object".into() } else { message!("`{field}`") };
    let size =
        limited_size(constraint, node).map(|(size, unit)| message!("has {size} {}", Words(unit)));
    let mut finding = Diagnostic::new(rule, node.span(), message!("{subject} {must}"))
        .path(path)
        .at(size.unwrap_or_default());
    if node.as_map().is_some_and(has_null) && is_about_presence(rule) {
        finding = finding.note(
            "a `null` that the schema allows counts as present; \
             `kubectl create` and `kubectl apply --server-side` send it, `kubectl apply` drops it",
        );
    }
    match constraint {
        Constraint::Format(format) => {
            finding.help(message!("write it in the form of `{}`", format.example()))
        }
        Constraint::Pattern(pattern) if is_of_quantities(pattern) => {
            finding.help("write a quantity: `500m`, `2`, `512Mi`, `1G`")
        }
        Constraint::AnyOf(groups) | Constraint::ExactlyOneOf(groups) => {
            finding.help_if(describe_alternatives(groups))
        }
        Constraint::OneOfValues(values) => {
            let values = values.iter().map(|value| message!("`{}`", value.brief_json()));
            finding.help(message!("write one of {}", first_of(MAX_LISTED, ", ", values)))
        }
        _ => finding,
    }
}

/// Whether a rule compares which keys a map has.
fn is_about_presence(rule: &'static Rule) -> bool {
    [&SCHEMA_ALTERNATIVE_UNMET, &SIZE_OUT_OF_RANGE, &FIELD_MISSING].contains(&rule)
}

/// The size of the value that the constraint limits, and its unit; `None` for a value of another type.
fn limited_size(constraint: &Constraint<'_>, node: &Node) -> Option<(i64, &'static str)> {
    let (size, unit) = match (constraint, &node.value) {
        (Constraint::MinLength(_) | Constraint::MaxLength(_), Value::String(text)) => {
            (text.chars().count(), "characters")
        }
        (Constraint::MinItems(_) | Constraint::MaxItems(_), Value::List(items)) => {
            (items.len(), "items")
        }
        (Constraint::MinProperties(_) | Constraint::MaxProperties(_), Value::Map(map)) => {
            (map.entries().len(), "entries")
        }
        _ => return None,
    };
    Some((i64::try_from(size).ok()?, unit))
}

/// The violated rule, and the requirement on the value.
fn violated_rule(constraint: &Constraint<'_>) -> (&'static Rule, Message) {
    let number = |text: Message| (&NUMBER_OUT_OF_RANGE, text);
    let size = |word, limit: i64, unit| {
        (&SIZE_OUT_OF_RANGE, message!("must have at {} {limit} {}", Words(word), Words(unit)))
    };
    let alternative = |text: &'static str| (&SCHEMA_ALTERNATIVE_UNMET, text.into());
    match constraint {
        Constraint::Minimum(limit, Bound::Inclusive) => {
            number(message!("must be at least {}", Shown(*limit)))
        }
        Constraint::Minimum(limit, Bound::Exclusive) => {
            number(message!("must be more than {}", Shown(*limit)))
        }
        Constraint::Maximum(limit, Bound::Inclusive) => {
            number(message!("must be at most {}", Shown(*limit)))
        }
        Constraint::Maximum(limit, Bound::Exclusive) => {
            number(message!("must be less than {}", Shown(*limit)))
        }
        Constraint::MultipleOf(factor) => {
            number(message!("must be a multiple of {}", Shown(*factor)))
        }
        Constraint::OutsideFormat(keyword, _) => number(message!(
            "has no valid value: `{keyword}` in its schema is outside the range of its integer format"
        )),
        Constraint::MinLength(limit) => size("least", *limit, "characters"),
        Constraint::MaxLength(limit) => size("most", *limit, "characters"),
        Constraint::MinItems(limit) => size("least", *limit, "items"),
        Constraint::MaxItems(limit) => size("most", *limit, "items"),
        Constraint::MinProperties(limit) => size("least", *limit, "entries"),
        Constraint::MaxProperties(limit) => size("most", *limit, "entries"),
        Constraint::Pattern(pattern) if is_of_quantities(pattern) => {
            (&QUANTITY_INVALID, "is not a valid quantity".into())
        }
        Constraint::Pattern(pattern) => {
            (&PATTERN_MISMATCH, message!("does not match the pattern `{}`", brief(&pattern.text)))
        }
        Constraint::Format(Format::DateTime) => {
            (&DATE_TIME_INVALID, "is not a valid date and time".into())
        }
        Constraint::Format(Format::Byte) => (&BASE64_INVALID, "is not base64".into()),
        Constraint::Format(format) => {
            (&FORMAT_MISMATCH, message!("does not have the format `{format}`"))
        }
        Constraint::OneOfValues(_) => {
            (&ENUM_VALUE_UNKNOWN, "is not one of the values in its schema".into())
        }
        Constraint::Required(keys) => (&FIELD_MISSING, message!("must have {}", all_of(keys))),
        Constraint::AnyOf(_) => alternative("matches none of the alternatives in its schema"),
        Constraint::ExactlyOneOf(_) => {
            alternative("must match exactly one of the alternatives in its schema")
        }
        Constraint::Not(_) => alternative("matches what its schema excludes"),
        Constraint::Properties(_)
        | Constraint::Items(_)
        | Constraint::AllOf(_)
        | Constraint::EmbeddedResource
        | Constraint::NoFields
        | Constraint::Otherwise(_) => alternative("does not match its schema"),
    }
}

/// Describes the alternatives, if each of them only requires fields.
fn describe_alternatives(groups: &[Constraints<'_>]) -> Option<Message> {
    let fields = groups.iter().filter_map(required_fields).map(all_of);
    let is_described = groups.iter().all(|group| required_fields(group).is_some());
    is_described.then(|| message!("set one of: {}", first_of(MAX_LISTED, "; ", fields)))
}

/// The fields of an alternative that only requires fields.
fn required_fields<'c>(group: &Constraints<'c>) -> Option<&'c [&'c str]> {
    match group {
        [Constraint::Required(keys)] => Some(keys),
        _ => None,
    }
}

/// "`a` and `b`".
fn all_of(keys: &[&str]) -> Message {
    first_of(MAX_LISTED, " and ", keys.iter().map(|key| message!("`{}`", brief(key))))
}

/// Whether this is the pattern that controller-gen generates for quantities.
fn is_of_quantities(pattern: &Pattern) -> bool {
    brief(&pattern.text).contains("(([KMGTPE]i)|[numkMGTPE]|([eE]")
}

/// Whether a number satisfies the limit; true for other values.
fn number_is(node: &Node, limit: Number, side: Ordering, bound: Bound) -> bool {
    let Some(number) = node.as_number() else { return true };
    let (number, limit) = as_go_compares(number, limit);
    compare_numbers(number, limit).is_some_and(|order| match order {
        Ordering::Equal => bound == Bound::Inclusive,
        _ => order == side,
    })
}

/// The limit up to which a float without a fraction is printed as an integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Converts a value and the number in its schema for comparison: in JSON `3.0` has no fraction, and
/// the API server drops the fraction of a number that it compares with an integer (kube-openapi,
/// `pkg/validation/validate`).
fn as_go_compares(number: Number, other: Number) -> (Number, Number) {
    let integer = |number: Number| match number {
        Number::Float(value) if value.abs() <= EXACT => {
            format!("{:.0}", value.trunc()).parse().ok()
        }
        _ => number.as_i64(),
    };
    let is_integer = match number {
        Number::Float(value) => value.fract() == 0.0,
        Number::Int(_) => true,
        Number::UInt(_) => false,
    };
    match (integer(number).filter(|_| is_integer), integer(other)) {
        (Some(number), Some(other)) => (Number::Int(number), Number::Int(other)),
        _ => (number, other),
    }
}

/// Whether an integer format includes the number of a keyword, which the API server reads as a float
/// and prints as short as possible.
pub fn is_in_format(number: Number, format: Option<&str>) -> bool {
    let text = to_f64(number).to_string();
    match format {
        Some("int32") => text.parse::<i32>().is_ok(),
        Some("uint32") => text.parse::<u32>().is_ok(),
        Some("uint64") => text.parse::<u64>().is_ok(),
        _ => text.parse::<i64>().is_ok(),
    }
}

/// Whether a number is above all integers of 64 bits, read as a float.
pub fn exceeds_integers(number: Number) -> bool {
    to_f64(number) >= 9_223_372_036_854_775_808.0
}

fn compare_numbers(a: Number, b: Number) -> Option<Ordering> {
    match (to_i128(a), to_i128(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => to_f64(a).partial_cmp(&to_f64(b)),
    }
}

/// Whether the number is a multiple of the factor; a factor that is not positive has no multiples.
fn is_multiple(node: &Node, factor: Number) -> bool {
    let Some(number) = node.as_number() else { return true };
    let (number, factor) = as_go_compares(number, factor);
    match (to_i128(number), to_i128(factor)) {
        (Some(number), Some(factor)) => factor > 0 && number % factor == 0,
        _ => is_multiple_of_fraction(to_f64(number), to_f64(factor)),
    }
}

#[expect(clippy::float_arithmetic, reason = "the API server divides and checks the fraction")]
fn is_multiple_of_fraction(number: f64, factor: f64) -> bool {
    let quotient = number / factor;
    factor > 0.0 && (quotient - quotient.round()).abs() < 1e-9
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
