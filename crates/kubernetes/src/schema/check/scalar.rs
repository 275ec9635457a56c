//! Scalars: type, range and format.

use super::rules::{
    BASE64_INVALID, DATE_TIME_INVALID, ENUM_VALUE_NOT_IN_VERSION, ENUM_VALUE_UNKNOWN,
    INTEGER_OUT_OF_RANGE, QUANTITY_INVALID,
};
use super::{Mode, Position, Walk, text};
use crate::diag::{Diagnostic, Severity, message, nearest};
use crate::scalar::{Quantity, QuantityFault, Timestamp, is_base64, shown};
use crate::schema::{EnumValue, KubernetesVersion, StringFormat, Type};
use crate::tree::{Node, Value};
use crate::yaml::scalar::{Expected, ambiguity};

impl Walk<'_> {
    /// Checks a value of any type except list, map and object.
    pub(super) fn scalar(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) {
        if node.is_ambiguous() && self.is_misread(node, ty, place) {
            return;
        }
        match &node.value {
            Value::Bool(_) if matches!(ty, Type::Bool) => {}
            Value::Int(_) | Value::UInt(_) | Value::Float(_) => self.number(node, ty, place),
            Value::String(value) => self.text(node, ty, value, place),
            // Go's decoder reads bytes from a list of numbers as well.
            Value::List(items) if is_bytes(items, ty) && place.mode == Mode::BuiltIn => {}
            _ => self.wrong_type(node, ty, place),
        }
    }

    fn number(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) {
        let range = match ty {
            Type::Number | Type::Quantity => return,
            Type::Int64 => i64::MIN..=i64::MAX,
            Type::Int32 if self.is_int32_free(place) => i64::MIN..=i64::MAX,
            // A schema does not limit the integers of `x-kubernetes-int-or-string`.
            Type::IntOrString if place.mode != Mode::BuiltIn => i64::MIN..=i64::MAX,
            Type::Int32 | Type::IntOrString => i64::from(i32::MIN)..=i64::from(i32::MAX),
            _ => return self.wrong_type(node, ty, place),
        };
        self.integer(node, ty, range, place);
    }

    fn text(&mut self, node: &Node, ty: Type<'_>, value: &str, place: &Position<'_>) {
        match ty {
            Type::IntOrString => {}
            Type::String(format) => self.format(node, format, value, place),
            // The empty string is Go's zero value, which is defaulted or treated as a missing field.
            Type::Enum(_) if value.is_empty() && place.mode == Mode::BuiltIn => {}
            Type::Enum(values) | Type::Choice(values) => self.listed(node, values, value, place),
            Type::Quantity => self.quantity(node, place),
            _ => self.wrong_type(node, ty, place),
        }
    }

    /// Whether the range of `int32` is not enforced: older API servers do not know the number
    /// formats in custom resources (apiextensions-apiserver,
    /// `pkg/apiserver/validation/formats.go`).
    fn is_int32_free(&self, place: &Position<'_>) -> bool {
        place.mode == Mode::Custom && self.cx.target < KubernetesVersion::V1_36
    }

    /// Reports a plain scalar that YAML readers interpret differently. Returns true if no other
    /// fault remains to be reported.
    fn is_misread(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) -> bool {
        let expected = match ty {
            // The field is a timestamp, so readers that take it for one are right.
            Type::String(StringFormat::DateTime | StringFormat::MicroTime) => return false,
            Type::String(_) | Type::Enum(_) | Type::Choice(_) => Expected::Text,
            Type::Bool => Expected::Boolean,
            Type::Int32 | Type::Int64 | Type::Number => Expected::Number,
            Type::IntOrString | Type::Quantity if node.as_number().is_some() => Expected::Number,
            _ => return false,
        };
        let Some(written) = self.written(node) else { return false };
        let Some(finding) = ambiguity(node.span(), written, expected, place.key) else {
            return false;
        };
        let is_all = finding.severity == Severity::Error;
        self.report(node.origin(), place, finding);
        is_all
    }

    fn integer(
        &mut self,
        node: &Node,
        ty: Type<'_>,
        range: std::ops::RangeInclusive<i64>,
        place: &Position<'_>,
    ) {
        let value = match node.value {
            Value::Int(value) => Some(value),
            // Written `80.0` or `8e1`: kubectl turns YAML into JSON, where these are `80`.
            Value::Float(value) if value.fract() == 0.0 => parse_printed(value),
            Value::Float(_) => return self.wrong_type(node, ty, place),
            _ => None,
        };
        if value.is_some_and(|value| range.contains(&value)) {
            return;
        }
        let (key, value) = (place.key, node.to_json());
        let message = message!("`{key}` {value} is outside {} to {}", range.start(), range.end());
        let finding = Diagnostic::new(&INTEGER_OUT_OF_RANGE, node.span(), message);
        self.report(node.origin(), place, finding.at("out of range"));
    }

    fn format(&mut self, node: &Node, format: StringFormat, value: &str, place: &Position<'_>) {
        // A custom resource's formats are constraints of its schema.
        if place.mode != Mode::BuiltIn {
            return;
        }
        let key = place.key;
        let finding = match format {
            StringFormat::Byte if !is_base64(value) => {
                Diagnostic::new(&BASE64_INVALID, node.span(), message!("`{key}` is not valid base64"))
                    .at("not base64")
                    .note("base64 consists of letters, digits, `+` and `/`, padded with `=` to a multiple of four")
                    .help_if(value.starts_with(['“', '”', '„']).then_some(
                        "typographic quotes are part of the value: use `\"`, or none",
                    ))
                    .help_if(plain_text_field(place).map(|field| {
                        message!("encode the value, or write it as plain text under `{field}`")
                    }))
            }
            StringFormat::MicroTime if !is_micro_time(value) => Diagnostic::new(
                &DATE_TIME_INVALID,
                node.span(),
                message!("`{key}` is not a valid date and time in microseconds"),
            )
            .at("must be an RFC 3339 time with microseconds")
            .help("write `2026-01-31T12:00:00.000000Z`, with a time zone"),
            StringFormat::DateTime if Timestamp::parse(value).is_none() => Diagnostic::new(
                &DATE_TIME_INVALID,
                node.span(),
                message!("`{key}` is not a valid date and time"),
            )
            .at("must be an RFC 3339 time")
            .help("write `2026-01-31T12:00:00Z`, with a time zone"),
            _ => return,
        };
        self.report(node.origin(), place, finding);
    }

    fn listed(&mut self, node: &Node, values: &[EnumValue<'_>], value: &str, place: &Position<'_>) {
        let target = self.cx.target;
        let known = values.iter().find(|listed| listed.value == value);
        if place.is_status || known.is_some_and(|listed| listed.versions.contains(target)) {
            return;
        }
        let key = place.key;
        let current =
            || values.iter().filter(|listed| listed.versions.contains(target)).map(|it| it.value);
        let finding = if let Some(known) = known {
            let since = known.versions.first().filter(|first| *first > target);
            let message = match since {
                Some(first) => {
                    message!("value `{value}` of `{key}` requires Kubernetes {first} or later")
                }
                None => {
                    message!("value `{value}` of `{key}` does not exist in Kubernetes {target}")
                }
            };
            Diagnostic::new(&ENUM_VALUE_NOT_IN_VERSION, node.span(), message)
                .at(message!("not in {target}"))
                .help(message!("write {}", text::values(current().count(), current())))
        } else {
            let written = value.trim_end();
            let message = message!("invalid value `{}` for `{key}`", shown(written));
            let mut finding = Diagnostic::new(&ENUM_VALUE_UNKNOWN, node.span(), message)
                .at(message!("must be {}", text::values(current().count(), current())));
            if is_behind_gate(place) {
                finding = finding
                    .note(
                        "the API server drops the field unless the feature gate \
                         `ContainerStopSignals` is enabled",
                    )
                    .with_severity(Severity::Warning);
            }
            let is_compared = self.advice.left() > 0 && !self.sink.is_terse();
            let near = is_compared.then(|| {
                nearest(written, current()).or_else(|| current().find(|value| *value == written))
            });
            match near.flatten().filter(|_| self.may_hint()) {
                Some(near) if near.eq_ignore_ascii_case(written) => {
                    finding.fix(node.span(), near, message!("write `{near}`"))
                }
                Some(near) => {
                    finding.suggest(node.span(), near, message!("did you mean `{near}`?"))
                }
                None => finding,
            }
        };
        self.report(node.origin(), place, finding);
    }

    fn quantity(&mut self, node: &Node, place: &Position<'_>) {
        if let Some(finding) = quantity_fault(node, place.key) {
            self.report(node.origin(), place, finding);
        }
    }
}

/// Whether Go's decoder accepts the string for a time in microseconds: six digits are required.
fn is_micro_time(text: &str) -> bool {
    let fraction = text.get(19..).and_then(|rest| rest.strip_prefix(['.', ',']));
    let count = |digits: &str| digits.bytes().take_while(u8::is_ascii_digit).count();
    fraction.is_some_and(|digits| count(digits) == 6) && Timestamp::parse(text).is_some()
}

/// Whether a list has the bytes of a binary field.
fn is_bytes(items: &[Node], ty: Type<'_>) -> bool {
    let is_byte = |item: &Node| item.as_i64().is_some_and(|byte| (0..=255).contains(&byte));
    matches!(ty, Type::String(StringFormat::Byte)) && items.iter().all(is_byte)
}

/// Whether the field is dropped before it is validated, since its feature gate is off by default.
fn is_behind_gate(place: &Position<'_>) -> bool {
    let owner = place.scope.map(|scope| scope.object.name);
    place.key == "stopSignal" && owner == Some("io.k8s.api.core.v1.Lifecycle")
}

/// The fault of the text of an amount, and the valid text nearest to it.
pub(super) fn quantity_fault(node: &Node, key: &str) -> Option<Diagnostic> {
    let value = node.as_str()?;
    let fault = Quantity::parse(value).err()?;
    let shown: String = value.chars().take(60).collect();
    let message = match fault {
        QuantityFault::Empty => message!("`{key}` is empty, not a quantity"),
        QuantityFault::Unit(_) | QuantityFault::NoDigits(_) => {
            message!("invalid quantity `{}` for `{key}`", shown.escape_debug())
        }
    };
    let finding = Diagnostic::new(&QUANTITY_INVALID, node.span(), message);
    let finding = match fault {
        QuantityFault::Empty => finding.at("empty").help("write a quantity: `500m`, `2` or `1Gi`"),
        QuantityFault::NoDigits(unit) => {
            finding.at("no number before the unit").help(message!("write a number: `1{unit}`"))
        }
        QuantityFault::Unit(unit) if unit.starts_with(' ') => finding.at("space before the unit"),
        QuantityFault::Unit(unit) => {
            let unit: String = unit.chars().take(20).collect();
            let finding = finding.at(message!("unknown unit `{}`", unit.escape_debug()));
            finding.note(message!("valid units: {}", Quantity::UNITS))
        }
    };
    let near_cpu = (key == "cpu").then(|| Quantity::nearest_cpu(&shown)).flatten();
    Some(match near_cpu.or_else(|| Quantity::nearest(&shown)) {
        Some(meant) => {
            finding.suggest(node.span(), meant.clone(), message!("did you mean `{meant}`?"))
        }
        None if matches!(fault, QuantityFault::Unit(_)) => {
            finding.help("write a number and a unit: `500m`, `2` or `1Gi`")
        }
        None => finding,
    })
}

/// The integer value of a float without a fraction, if it fits an `i64`. Within ±2^53 each prints as
/// that integer.
fn parse_printed(value: f64) -> Option<i64> {
    format!("{value:.0}").parse().ok()
}

/// The field that accepts as plain text the value that a binary field requires in base64.
fn plain_text_field(place: &Position<'_>) -> Option<&'static str> {
    let owner = place.scope?.object.name;
    match owner.rsplit('.').next()? {
        "Secret" => Some("stringData"),
        "ConfigMap" => Some("data"),
        _ => None,
    }
}
